// The generated files of the client: types for people and compilers, and a table of facts for the program.
import { errorCodes } from '@parlance/errors';
import {
  type DocumentOperation,
  isObject,
  type Json,
  namedSchemasOf,
  operationsOf,
  versionOf,
} from './document.js';
import { clientDeclarationOf, requestDeclarationOf } from './methods.js';
import { declarationOf } from './typescript.js';

export interface ClientFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

const folder = 'packages/client/src/generated';
const headerOf = (subject: string): string =>
  `// ${subject} Written by \`npm run gen\` from the interface document; changes here are lost.\n`;

// The client throws errors of its own class.
const isError = ({ properties }: Json): boolean =>
  isObject(properties) && isObject(properties.success) && properties.success['x-const'] === false;

const importOf = (names: readonly string[], text: string): string => {
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/"[^"]*"/g, '');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `import type { ${used.join(', ')} } from`;
};

const schemasFile = (document: Json): string => {
  const declarations = namedSchemasOf(document)
    .filter(([, schema]) => !isError(schema))
    .map(([name, schema]) => declarationOf(name, schema))
    .join('\n');
  const imports = `${importOf(['Open'], declarations)} '../method/method.js';\n`;
  return [headerOf('The values of the interface.'), imports, declarations].join('\n');
};

const methodsFile = (document: Json, operations: readonly DocumentOperation[]): string => {
  const requests = operations.flatMap((operation) => requestDeclarationOf(operation) ?? []);
  const declarations = [...requests, clientDeclarationOf(operations)].join('\n');
  const schemas = namedSchemasOf(document).map(([name]) => name);
  const methods = ['ListMethod', 'Method', 'NoRequest', 'Open', 'StreamMethod', 'TextMethod'];
  return [
    headerOf('The methods of the client.'),
    `${importOf(methods, declarations)} '../method/method.js';`,
    `${importOf(schemas, declarations)} './schemas.js';\n`,
    declarations,
  ].join('\n');
};

const flagsOf = (operation: DocumentOperation): string =>
  [
    operation.body === undefined ? '' : 'b',
    operation.takesIdempotencyKey ? 'k' : '',
    operation.answer === 'stream' ? 's' : '',
    operation.answer === 'text' ? 't' : '',
    operation.answer === 'bare' ? 'n' : '',
    operation.answer === 'envelope' && operation.data?.type === 'array' ? 'l' : '',
  ].join('');

const tableFile = (operations: readonly DocumentOperation[]): string => {
  const rows = operations.map((row) => [row.id, row.method, row.path, flagsOf(row)].join(' ').trimEnd());
  return `${headerOf('One operation in each line: id, method, path and flags.')}
// b: has a body. k: takes an Idempotency-Key. l: answers a list. n: answers without an envelope. s: answers a stream. t: answers a text.
export const table = \`
${rows.join('\n')}
\`;
`;
};

const errorsFile = (): string => {
  const rows = Object.entries(errorCodes).map(([code, { status }]) => `  ${code}: ${status},`);
  const retryable = Object.entries(errorCodes).filter(([, row]) => row.retryable === true);
  return `${headerOf('The error codes of the interface.')}
/** The HTTP status of each code. */
export const statusOf = {
${rows.join('\n')}
} as const;

/** Codes after which the same request can succeed later. */
export const retryableCodes: readonly string[] = [
${retryable.map(([code]) => `  '${code}',`).join('\n')}
];
`;
};

const versionFile = (document: Json, version: string): string => `${headerOf('Versions.')}
/** The version of this package. */
export const packageVersion = '${version}';

/** The version of the interface that this package was made from. */
export const apiVersion = '${versionOf(document)}';
`;

/**
 * The generated files of the client.
 * @param document the interface document, OpenAPI 3.1
 * @param version of the package
 */
export const clientFiles = (document: Json, version: string): readonly ClientFile[] => {
  const operations = operationsOf(document);
  return [
    { path: `${folder}/schemas.ts`, content: schemasFile(document) },
    { path: `${folder}/methods.ts`, content: methodsFile(document, operations) },
    { path: `${folder}/table.ts`, content: tableFile(operations) },
    { path: `${folder}/errors.ts`, content: errorsFile() },
    { path: `${folder}/version.ts`, content: versionFile(document, version) },
  ];
};
