// Examples that were recorded from a running platform. CONTRIBUTING names the occasions to record again.
import { readFileSync } from 'node:fs';
import { isObject, type Json } from './schemas.js';

/** A request and its answer: JSON, or the text of an answer that is none. */
export interface RecordedExchange {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Recorded {
  /** By the ids of operations. */
  readonly operations: Readonly<Record<string, RecordedExchange>>;
  /** Messages to webhooks, by their types. */
  readonly webhooks: Readonly<Record<string, unknown>>;
}

/** Operations without a recorded example, each with the reason. */
export const unrecorded: Readonly<Record<string, string>> = {
  'mcp.authorize': 'It begins a login at a server of others, and its answer is made for one person.',
};

const file = new URL('../../recorded-examples.json', import.meta.url);

// The file is written by a test from answers of the platform, and a unit test holds it to the contract.
const read = (): Recorded => JSON.parse(readFileSync(file, 'utf8'));

let known: Recorded | undefined;
/** Read at the first use: starting must not wait for it. */
export const recorded = (): Recorded => {
  known ??= read();
  return known;
};

/** The recorded answer to an operation, where it has this status. */
export const recordedAnswer = (id: string, status: number): unknown => {
  const exchange = recorded().operations[id];
  return exchange?.status === status ? exchange.answer : undefined;
};

/** The recorded value of a parameter, as its schema has it: a query travels as text. */
export const recordedParameter = (
  id: string,
  place: 'params' | 'query',
  name: string,
  schema: Json,
): unknown => {
  const value = recorded().operations[id]?.[place]?.[name];
  if (value === undefined) return undefined;
  return isObject(schema) && schema.type === 'integer' ? Number(value) : value;
};
