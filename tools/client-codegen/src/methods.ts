// The methods of the client: one named request and one typed method for each operation.
import type { DocumentOperation, Json, Parameter } from './document.js';
import { commentOf, commentOfSchema, memberOf, objectOf, typeOf } from './typescript.js';

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The group and the verb of an operation, which are also where its method is found. */
export const partsOfId = (id: string): readonly [group: string, verb: string] => {
  const [group = '', verb = ''] = id.split('.');
  return [group, verb];
};

const requestNameOf = ({ id }: DocumentOperation): string =>
  `${partsOfId(id).map(capitalized).join('')}Request`;

// A number may be given as such or as it travels.
const parameterTypeOf = (schema: Json): string =>
  schema.type === 'integer' ? 'number | string' : typeOf(schema);

const partOf = (name: string, parameters: readonly Parameter[]): string[] => {
  if (parameters.length === 0) return [];
  const members = parameters.map((parameter) => {
    const { description, schema, required } = parameter;
    const comment = commentOfSchema(
      { ...schema, ...(description === undefined ? {} : { description }) },
      !required,
    );
    return memberOf(parameter.name, parameterTypeOf(schema), { isOptional: !required, comment });
  });
  return [memberOf(name, objectOf(members), { isOptional: parameters.every(({ required }) => !required) })];
};

const requestMembersOf = ({ parameters, body }: DocumentOperation): string[] => [
  ...partOf(
    'params',
    parameters.filter(({ place }) => place === 'path'),
  ),
  ...partOf(
    'query',
    parameters.filter(({ place }) => place === 'query'),
  ),
  ...(body === undefined ? [] : [memberOf('body', typeOf(body.schema), { isOptional: !body.required })]),
];

/** The type of a request; undefined for an operation that takes nothing. */
export const requestDeclarationOf = (operation: DocumentOperation): string | undefined => {
  const members = requestMembersOf(operation);
  if (members.length === 0) return undefined;
  const [group, verb] = partsOfId(operation.id);
  const comment = commentOf(`The input of \`client.${group}.${verb}\`.`);
  return `${comment}export interface ${requestNameOf(operation)} ${objectOf(members)}\n`;
};

const methodTypeOf = (operation: DocumentOperation): string => {
  const request = requestMembersOf(operation).length === 0 ? 'NoRequest' : requestNameOf(operation);
  if (operation.answer === 'stream') {
    const events = objectOf(operation.events.map(({ name, data }) => memberOf(name, typeOf(data))));
    return `StreamMethod<${request}, ${events}>`;
  }
  if (operation.answer === 'text') return `TextMethod<${request}>`;
  const { data } = operation;
  if (operation.answer === 'envelope' && data?.type === 'array')
    return `ListMethod<${request}, ${typeOf(data.items as Json)}>`; // an array of the document has items
  return `Method<${request}, ${data === undefined ? 'undefined' : typeOf(data)}>`;
};

const methodOf = (operation: DocumentOperation): string => {
  const { summary, description, codes } = operation;
  const refusals = codes.length === 0 ? undefined : `@throws ApiError ${codes.join(', ')}`;
  const comment = commentOf(`${summary}.`, description, refusals);
  return `${comment}readonly ${partsOfId(operation.id)[1]}: ${methodTypeOf(operation)};`;
};

/** The type of the client: every operation by group and verb. */
export const clientDeclarationOf = (operations: readonly DocumentOperation[]): string => {
  const groups = [...new Set(operations.map(({ id }) => partsOfId(id)[0]))];
  const members = groups.map((group) => {
    const rows = operations.filter(({ id }) => partsOfId(id)[0] === group);
    return `readonly ${group}: ${objectOf(rows.map(methodOf))};`;
  });
  const comment = commentOf('Every operation of the interface, by group and verb.');
  return `${comment}export interface Client ${objectOf(members)}\n`;
};
