// The parts of the interface document that the client is made of.

export type Json = Readonly<Record<string, unknown>>;

/** A parameter in the path or in the query. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Json;
}

interface Facts {
  /** `group.verb` */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly required: boolean } | undefined;
  readonly takesIdempotencyKey: boolean;
  /** Codes of refusals that say something about this operation, and not about requests in general. */
  readonly codes: readonly string[];
}

export interface EnvelopedOperation extends Facts {
  readonly answer: 'envelope';
  /** Undefined where the answer is only a message. */
  readonly data: Json | undefined;
}

/** The answer stands without an envelope. */
export interface BareOperation extends Facts {
  readonly answer: 'bare';
  readonly data: Json;
}

export interface StreamedOperation extends Facts {
  readonly answer: 'stream';
  /** Each with the schema of its data; without the event `error`, which is thrown. */
  readonly events: readonly { readonly name: string; readonly data: Json }[];
}

/** The answer is a text, such as a CSV file. */
export interface TextOperation extends Facts {
  readonly answer: 'text';
}

export type DocumentOperation = EnvelopedOperation | BareOperation | StreamedOperation | TextOperation;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a path of keys; empty where the document has none. */
const at = (value: unknown, ...keys: readonly string[]): Json => {
  let found: unknown = value;
  for (const key of keys) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const idempotencyKey = '#/components/parameters/IdempotencyKey';

const parametersOf = (operation: Json): Parameter[] =>
  listOf(operation.parameters).flatMap((given) => {
    if (!isObject(given) || (given.in !== 'path' && given.in !== 'query')) return [];
    const { name, required, description, schema } = given;
    return [
      {
        ...{ name: String(name), place: given.in, required: required === true },
        ...{ description: textOf(description), schema: at(schema) },
      },
    ];
  });

const bodyOf = (operation: Json): Facts['body'] => {
  if (!isObject(operation.requestBody)) return undefined;
  const { required, content } = operation.requestBody;
  return { schema: at(content, 'application/json', 'schema'), required: required === true };
};

// Refusals that depend on the subject of the operation: money, absence, state and rules.
const tellingStatuses = ['402', '404', '409', '410', '422'];

const responsePrefix = '#/components/responses/';

const responseOf = (document: Json, response: Json): Json =>
  typeof response.$ref === 'string'
    ? at(document, 'components', 'responses', response.$ref.slice(responsePrefix.length))
    : response;

const codesOf = (document: Json, operation: Json): string[] =>
  tellingStatuses
    .flatMap((status) => listOf(responseOf(document, at(operation, 'responses', status))['x-codes']))
    .map(String)
    .filter((code) => !code.startsWith('IDEMPOTENCY_'));

const eventsOf = (schema: Json): StreamedOperation['events'] =>
  listOf(schema.oneOf)
    .map((event) => ({
      name: String(at(event, 'properties', 'event').const),
      data: at(event, 'properties', 'data'),
    }))
    .filter(({ name }) => name !== 'error');

const answerOf = (facts: Facts, content: Json): DocumentOperation | undefined => {
  const streamed = at(content, 'text/event-stream', 'schema');
  if (streamed.oneOf !== undefined) return { ...facts, answer: 'stream', events: eventsOf(streamed) };
  if (content['text/csv'] !== undefined) return { ...facts, answer: 'text' };
  if (content['application/json'] === undefined) return undefined;
  const schema = at(content, 'application/json', 'schema');
  if (at(schema, 'properties', 'success')['x-const'] !== true)
    return { ...facts, answer: 'bare', data: schema };
  const data = at(schema, 'properties').data;
  return { ...facts, answer: 'envelope', data: isObject(data) ? data : undefined };
};

const operationOf = (document: Json, path: string, method: string): DocumentOperation | undefined => {
  const operation = at(document, 'paths', path, method);
  const responses = at(operation, 'responses');
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '200';
  const facts: Facts = {
    ...{ id: String(operation.operationId), method: method.toUpperCase(), path },
    summary: textOf(operation.summary) ?? '',
    description: textOf(operation.description),
    parameters: parametersOf(operation),
    body: bodyOf(operation),
    takesIdempotencyKey: listOf(operation.parameters).some(
      (given) => isObject(given) && given.$ref === idempotencyKey,
    ),
    codes: codesOf(document, operation),
  };
  return answerOf(facts, at(responses, success, 'content'));
};

/** Every operation that answers a program, in the order of the document. Pages for people are left out. */
export const operationsOf = (document: Json): DocumentOperation[] =>
  Object.entries(at(document, 'paths')).flatMap(([path, item]) =>
    Object.keys(at(item)).flatMap((method) => operationOf(document, path, method) ?? []),
  );

/** The named schemas, in the order of the document. */
export const namedSchemasOf = (document: Json): (readonly [string, Json])[] =>
  Object.entries(at(document, 'components', 'schemas')).map(([name, schema]) => [name, at(schema)]);

/** The version of the interface. */
export const versionOf = (document: Json): string => String(at(document, 'info').version);
