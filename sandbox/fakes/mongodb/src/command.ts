// The input and the answer of every command handler, and the options that are checked the same way for all of them.
import type { Document } from 'bson';
import type { Cursors } from './cursors.js';
import { CommandError, refuse } from './errors.js';
import type { Login } from './login.js';
import type { Store } from './store.js';
import { isDocument, toNumber } from './values.js';
import type { CursorReply, Request } from './wire.js';

/** One command being answered. */
export interface Call {
  readonly store: Store;
  readonly cursors: Cursors;
  readonly db: string;
  /** The command's name as sent. */
  readonly name: string;
  readonly body: Document;
  readonly raw: Request['raw'];
  readonly connectionId: number;
  readonly login: Login;
}

/** Answers a command, or throws {@link CommandError}. */
export type Handler = (call: Call) => Promise<Document | CursorReply> | Document | CursorReply;

/** `database.collection` of a command with the collection's name as its first value. */
export function namespace(call: Call): string {
  const name: unknown = call.body[call.name];
  if (typeof name !== 'string')
    throw new CommandError(73, `collection name has invalid type in ${call.name}`);
  return `${call.db}.${name}`;
}

/** An optional document-valued option. */
export function documentOption(body: Document, name: string): Document | undefined {
  const value: unknown = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value))
    throw new CommandError(14, `BSON field '${name}' is the wrong type, expected object`);
  return value;
}

/** A list of documents, such as the statements of a write. */
export function documentList(body: Document, name: string): Document[] {
  const value: unknown = body[name];
  if (!Array.isArray(value) || !value.every(isDocument)) {
    throw new CommandError(14, `BSON field '${name}' is the wrong type, expected array of objects`);
  }
  return value;
}

/** Refuses options that would change the result if they were ignored. */
export function refuseOptions(body: Document, names: readonly string[]): void {
  for (const name of names) {
    const value: unknown = body[name];
    if (value !== undefined && value !== null && value !== false) throw refuse(`'${name}'`);
  }
}

/** A standalone server's refusals of transactions, retryable writes and the concerns of a replica set. */
export function checkConcerns(body: Document): void {
  if (body.txnNumber !== undefined) {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  const level: unknown = documentOption(body, 'readConcern')?.level;
  if (level === 'snapshot' || level === 'linearizable') {
    throw new CommandError(123, `node needs to be a replica set member to use readConcern: ${level}`);
  }
  const w: unknown = documentOption(body, 'writeConcern')?.w;
  if (w !== undefined && w !== 'majority' && toNumber(w, 1) > 1) {
    throw new CommandError(2, "cannot use 'w' > 1 when a host is not replicated");
  }
}
