// The operations of the interface as the generated table has them.
import type { Client } from '../generated/methods.js';
import { table } from '../generated/table.js';

/** `group.verb` of an operation, such as `agents.create`. */
export type OperationId = {
  [Group in keyof Client]: `${Group}.${keyof Client[Group] & string}`;
}[keyof Client];

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path with parameters as `{name}`. */
  readonly path: string;
  readonly hasBody: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly isStream: boolean;
  /** The answer is a text, such as a file. */
  readonly isText: boolean;
  readonly isList: boolean;
  /** The answer stands without an envelope. */
  readonly isBare: boolean;
}

const operationOf = (line: string): Operation => {
  const [id = '', method = '', path = '', flags = ''] = line.split(' ');
  return {
    ...{ id, method, path },
    ...{ hasBody: flags.includes('b'), takesIdempotencyKey: flags.includes('k') },
    ...{
      isStream: flags.includes('s'),
      isText: flags.includes('t'),
      isList: flags.includes('l'),
      isBare: flags.includes('n'),
    },
  };
};

/** Every operation of the interface. */
export const operations: readonly Operation[] = table.trim().split('\n').map(operationOf);

/** True for an operation that only looks: asking again changes nothing. */
export const isRead = ({ method }: Pick<Operation, 'method'>): boolean => method === 'GET';
