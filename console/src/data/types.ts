// The types of an operation by its name, read off the methods of the client.
import type { ApiAnswer, Client, OperationId } from '@parlance/client';

type MethodOf<Id extends OperationId> = Id extends `${infer Group}.${infer Verb}`
  ? Group extends keyof Client
    ? Verb extends keyof Client[Group]
      ? Client[Group][Verb]
      : never
    : never
  : never;

/** The request of the operation: `params`, `query` and `body`, as far as it has them. */
export type RequestOf<Id extends OperationId> =
  MethodOf<Id> extends (...given: infer Given) => unknown ? NonNullable<Given[0]> : never;

/** The data of its answer. */
export type DataOf<Id extends OperationId> =
  MethodOf<Id> extends (...given: never) => Promise<ApiAnswer<infer Data>> ? Data : never;

/** One record of the list that it answers. */
export type RecordOf<Id extends OperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

export type { OperationId };
