// The generated types of the client are those of the contract: the request and the answer of each operation.
import { describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '@parlance/client';
import {
  type AnyAuthOperation,
  type AnyOperation,
  operations,
  type Result,
  type StreamingRow,
} from '@parlance/contracts';
import type { z } from 'zod';

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;

/** Intersections as the objects that they are, at every depth. */
type Plain<T> = T extends (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [Key in keyof T]: Plain<T[Key]> }
    : T;

type GroupOf<Id> = Id extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Id> = Id extends `${string}.${infer Verb}` ? Verb : never;
type MethodOf<Id> =
  GroupOf<Id> extends keyof Client
    ? VerbOf<Id> extends keyof Client[GroupOf<Id>]
      ? Client[GroupOf<Id>][VerbOf<Id>]
      : never
    : never;

type Taken<Id> = MethodOf<Id> extends (...given: infer Given) => unknown ? NonNullable<Given[0]> : never;
type TakenPart<Id, Part extends string> = Part extends keyof Taken<Id>
  ? Exclude<Taken<Id>[Part], undefined>
  : never;
type Given<Id> =
  MethodOf<Id> extends (...given: never) => Promise<{ readonly data: infer Data }> ? Data : never;

type InputOf<Row, Part extends string> = Row extends { readonly [P in Part]: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never;

// A number of a query or a path may be given as such or as it travels.
type NumberAt<Output, Key> = Key extends keyof Output ? Extract<Output[Key], number> : never;
type TextOf<Row, Part extends string> = Row extends { readonly [P in Part]: infer Schema extends z.ZodType }
  ? { [Key in keyof z.input<Schema>]: z.input<Schema>[Key] | NumberAt<z.output<Schema>, Key> }
  : never;

type Same<Id, Left, Right> = Equal<Plain<Left>, Plain<Right>> extends true ? never : Id;

type Different<Row> = Row extends AnyOperation
  ?
      | Same<`${Row['id']} params`, TakenPart<Row['id'], 'params'>, TextOf<Row, 'params'>>
      | Same<`${Row['id']} query`, TakenPart<Row['id'], 'query'>, TextOf<Row, 'query'>>
      | Same<`${Row['id']} body`, TakenPart<Row['id'], 'body'>, InputOf<Row, 'body'>>
      | (Row extends StreamingRow ? never : Same<`${Row['id']} data`, Given<Row['id']>, Result<Row>>)
  : never;

type DifferentAccount<Row> =
  Row extends Exclude<AnyAuthOperation, { readonly page: true }>
    ?
        | Same<`${Row['id']} query`, TakenPart<Row['id'], 'query'>, TextOf<Row, 'query'>>
        | Same<`${Row['id']} body`, TakenPart<Row['id'], 'body'>, InputOf<Row, 'body'>>
        | Same<`${Row['id']} answer`, Given<Row['id']>, z.output<Row['answer']>>
    : never;

type Nothing<T extends never> = T;
/** Does not compile while an operation is described in two ways, and names it. */
export type NothingDiffers = Nothing<Different<AnyOperation> | DifferentAccount<AnyAuthOperation>>;

describe('the generated client', () => {
  it('has a method for every operation of the contract', () => {
    const client: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      ...createClient({ baseUrl: 'http://127.0.0.1/api/v1' }),
    };
    for (const { id } of operations) {
      const [group = '', verb = ''] = id.split('.');
      expect([id, typeof client[group]?.[verb]]).toEqual([id, 'function']);
    }
  });
});
