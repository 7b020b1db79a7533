// The client is a fold over the contract: `agents.create` of the table is `client.agents.create(...)` here.
import {
  type AnyOperation,
  isStreaming,
  type Operation,
  operations,
  type Result,
  type StreamedEvent,
  type StreamingRow,
} from '@parlance/contracts';
import type { z } from 'zod';
import { type ApiAnswer, type CallOptions, type ClientOptions, open, type Parts, send } from './request.js';

type InputPart<Row, Part extends string> = Row extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? { readonly [P in Part]: z.input<Schema> }
  : unknown;

// A page size may be given as the number that it is, or as it travels.
type QueryPart<Row> = Row extends { readonly query: infer Schema extends z.ZodType }
  ? {
      readonly query: {
        readonly [K in keyof z.input<Schema>]: z.input<Schema>[K] | FieldOf<z.output<Schema>, K>;
      };
    }
  : unknown;
type FieldOf<Fields, K> = K extends keyof Fields ? Fields[K] : never;

type OptionalWhereEmpty<T> = {
  readonly [K in keyof T as Record<never, never> extends T[K] ? never : K]: T[K];
} & { readonly [K in keyof T as Record<never, never> extends T[K] ? K : never]?: T[K] };

/** What a method takes: path parameters, query and body, as far as the operation has them. */
export type RequestFor<Row extends Operation> = OptionalWhereEmpty<
  InputPart<Row, 'params'> & QueryPart<Row> & InputPart<Row, 'body'>
>;

/** The envelope of an answer, or the events of a streamed one, which are read once. Reading throws ApiError. */
type Answered<Row extends Operation> = Row extends StreamingRow
  ? AsyncIterable<StreamedEvent<Row>>
  : ApiAnswer<Result<Row>>;

/** One operation as a function. @throws ApiError */
export type Method<Row extends Operation> =
  Record<never, never> extends RequestFor<Row>
    ? (request?: RequestFor<Row>, options?: CallOptions) => Promise<Answered<Row>>
    : (request: RequestFor<Row>, options?: CallOptions) => Promise<Answered<Row>>;

type GroupOf<Id> = Id extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Id> = Id extends `${string}.${infer Verb}` ? Verb : never;

/** Every operation of the interface, by group and verb. */
export type Client = {
  readonly [Group in GroupOf<AnyOperation['id']>]: {
    readonly [Row in Extract<AnyOperation, { readonly id: `${Group}.${string}` }> as VerbOf<
      Row['id']
    >]: Method<Row>;
  };
};

/** A client for one base address and one caller. Holds no state and opens no connection by itself. */
export const createClient = (options: ClientOptions): Client => {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const row of operations as readonly Operation[]) {
    const [group = '', verb = ''] = row.id.split('.');
    groups[group] ??= {};
    groups[group][verb] = (parts: Parts = {}, call: CallOptions = {}) =>
      isStreaming(row) ? open(options, row, parts, call) : send(options, row, parts, call);
  }
  // The type is computed from the very rows that were just folded.
  return groups as Client;
};
