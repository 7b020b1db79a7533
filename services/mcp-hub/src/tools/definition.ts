// The definition of a tool, as a server gives it and as it is kept. A definition that could not be used, or that would cost
// too much, is left out with a warning.
import { createHash } from 'node:crypto';
import { type McpTool, type McpWarning, storableJson, storableText } from '@parlance/contracts';
import { depthOf, type JsonSchema } from './json-schema.js';
import { isSuspicious } from './suspicious.js';

/** The stored part of a tool, without its name. */
export interface Definition {
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  readonly annotations: McpTool['annotations'];
}

export interface DefinedTool {
  readonly name: string;
  readonly definition: Definition;
  readonly hash: string;
  readonly isSuspicious: boolean;
}

export interface ReadTools {
  readonly tools: readonly DefinedTool[];
  readonly warnings: readonly McpWarning[];
}

/** A tool as the server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
}

export const mostTools = 256;
const mostWarnings = 64;
const longestDescription = 8_192;
const largestSchemaBytes = 65_536;
const deepestSchema = 24;

const usableName = /^[A-Za-z0-9_-][A-Za-z0-9_./-]{0,127}$/;

const messages: Readonly<Record<McpWarning['code'], string>> = {
  hidden_instructions:
    'Its texts give instructions to a model or hold invisible characters. Approve it before agents get it.',
  name_not_usable: 'Its name has characters that names of tools may not have. It is left out.',
  name_repeated: 'Another tool has the same name. It is left out.',
  description_too_long: 'Its description has more than 8,192 characters. It is left out.',
  schema_too_large: 'Its schemas have more than 64 KiB. It is left out.',
  schema_too_deep: 'Its schemas are nested deeper than 24. It is left out.',
  schema_not_usable: 'The schema of its arguments does not describe an object. It is left out.',
};

/** A name for people: short, and without invisible characters. */
const shown = (name: string): string => storableText(name).replace(/\p{C}/gu, '').slice(0, 64);

const warning = (name: string, code: McpWarning['code']): McpWarning => ({
  tool: shown(name),
  code,
  message: messages[code],
});

/** Members in one order, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const hashOf = (name: string, definition: Definition): string =>
  createHash('sha256')
    .update(canonical({ name, ...definition }))
    .digest('hex');

const problemOf = ({
  name,
  description = '',
  inputSchema,
  outputSchema = {},
}: ListedTool): McpWarning['code'] | undefined => {
  if (!usableName.test(name) || name.split('/').includes('..')) return 'name_not_usable';
  if (description.length > longestDescription) return 'description_too_long';
  const schemas = [inputSchema, outputSchema];
  if (schemas.some((schema) => depthOf(schema, deepestSchema + 1) > deepestSchema)) return 'schema_too_deep';
  if (Buffer.byteLength(JSON.stringify(schemas)) > largestSchemaBytes) return 'schema_too_large';
  const type: unknown = Object(inputSchema).type;
  return type === undefined || type === 'object' ? undefined : 'schema_not_usable';
};

/** JSON by its origin: the protocol's client parsed it from an answer. */
const asJsonObject = (value: object): JsonSchema => storableJson(value as JsonSchema) as JsonSchema;

const define = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ListedTool): DefinedTool => {
  const definition: Definition = {
    title: title === undefined ? null : storableText(title).slice(0, 256),
    description: storableText(description ?? ''),
    inputSchema: asJsonObject(inputSchema),
    outputSchema: outputSchema === undefined ? null : asJsonObject(outputSchema),
    annotations: annotations === undefined ? null : asJsonObject(annotations),
  };
  return { name, definition, hash: hashOf(name, definition), isSuspicious: isSuspicious([name, definition]) };
};

/** The usable tools of a list, each name once, and the warnings for a person about the others. */
export const readTools = (listed: readonly ListedTool[]): ReadTools => {
  const tools = new Map<string, DefinedTool>();
  const warnings: McpWarning[] = [];
  for (const one of listed) {
    const problem = tools.has(one.name) ? 'name_repeated' : problemOf(one);
    if (problem !== undefined) {
      warnings.push(warning(one.name, problem));
      continue;
    }
    const tool = define(one);
    if (tool.isSuspicious) warnings.push(warning(one.name, 'hidden_instructions'));
    tools.set(one.name, tool);
  }
  return { tools: [...tools.values()], warnings: warnings.slice(0, mostWarnings) };
};
