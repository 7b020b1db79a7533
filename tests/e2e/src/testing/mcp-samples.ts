// Arguments for any tool, and addresses for any resource, made from the rows of the contract.
import type { Operation } from '@parlance/contracts';
import type { Account, Accounts } from './accounts.js';
import type { Given } from './mcp-clients.js';
import { sampleRequest } from './sample-requests.js';
import type { Values } from './tenant-ids.js';

/** Arguments that the account could send, with these ids in the place of its own. */
export const sampleArguments = async (
  row: Operation,
  {
    account,
    accounts,
    ids,
  }: { readonly account: Account; readonly accounts: Accounts; readonly ids: Values },
): Promise<Given> => {
  const { path, body } = await sampleRequest(row, account, accounts);
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  const params = Object.fromEntries(Object.keys(row.params?.shape ?? {}).map((name) => [name, ids[name]]));
  const given = { ...query, ...(row.body === undefined ? {} : Object(body)), ...params };
  const replaced = Object.keys(given).flatMap((name) => (name in ids ? [[name, ids[name]]] : []));
  return { ...given, ...Object.fromEntries(replaced) };
};

/** The address of a resource with these ids. */
export const addressOf = (name: string, ids: Values, query: Given = {}): string => {
  const path = name.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(ids[parameter] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) search.set(key, String(value));
  return `parlance://${path}${search.size > 0 ? `?${search}` : ''}`;
};

/** The query without which a resource answers nothing. */
export const neededQuery = async (row: Operation, account: Account, accounts: Accounts): Promise<Given> => {
  const { path } = await sampleRequest(row, account, accounts);
  return Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
};
