// The client is a fold over the table: `agents.create` there is `client.agents.create(...)` here.
import type { Client } from './generated/methods.js';
import type { ApiAnswer, CallOptions, ClientOptions, Parts } from './method/options.js';
import { everyRecord } from './pages.js';
import { type Operation, operations } from './transport/operation.js';
import { send } from './transport/send.js';
import { open } from './transport/stream.js';
import { openText } from './transport/text.js';

const methodOf = (options: ClientOptions, row: Operation): unknown => {
  if (row.isStream) return (parts: Parts = {}, call: CallOptions = {}) => open(options, row, parts, call);
  if (row.isText) return (parts: Parts = {}, call: CallOptions = {}) => openText(options, row, parts, call);
  const ask = (parts: Parts = {}, call: CallOptions = {}) => send(options, row, parts, call);
  if (!row.isList) return ask;
  // The rows say that this operation answers lists.
  const list = ask as (parts?: Parts, call?: CallOptions) => Promise<ApiAnswer<readonly unknown[]>>;
  return Object.assign(list, {
    all: (parts: Parts = {}, call: CallOptions = {}) => everyRecord(list, parts, call),
  });
};

/** A client for one base address and one caller. Holds no state and opens no connection by itself. */
export const createClient = (options: ClientOptions): Client => {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const row of operations) {
    const [group = '', verb = ''] = row.id.split('.');
    groups[group] ??= {};
    groups[group][verb] = methodOf(options, row);
  }
  // The type and the table are generated from one document.
  return groups as unknown as Client;
};

const byId = new Map<string, Operation>(operations.map((row) => [row.id, row]));

/**
 * Asks an operation by its name, for programs that learn the name when they run.
 * @throws ApiError; TypeError for a path parameter that is missing, and for a name that no operation with a single answer has
 */
export const request = async (
  options: ClientOptions,
  id: string,
  parts: Parts = {},
  call: CallOptions = {},
): Promise<ApiAnswer<unknown>> => {
  const row = byId.get(id);
  if (row === undefined || row.isStream || row.isText)
    throw new TypeError(`no operation ${id} gives a single answer`);
  return send(options, row, parts, call);
};
