// Suggestions for ids in the addresses of resources: those of the caller's own lists.
import { contract, type Operation } from '@parlance/contracts';
import type { CallersGateway } from '../gateway/gateway.js';

/** The list that suggests ids for each parameter. Widgets have a list for each agent only. */
const lists: Readonly<Record<string, Operation>> = {
  agentId: contract.agentsList,
  callId: contract.callsList,
  outboundId: contract.outboundCallsList,
  campaignId: contract.outboundCallsListBatches,
};

/** The protocol allows no more. */
const mostValues = 100;

interface Named {
  readonly id: string;
  readonly name?: unknown;
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

/** True when the typed text begins the id, or is part of the name. */
const fits = ({ id, name }: Named, typed: string): boolean =>
  id.startsWith(typed) ||
  (typeof name === 'string' && typed !== '' && name.toLowerCase().includes(typed.toLowerCase()));

/** @throws AppError as the gateway refuses the list */
export const idsFor = async (
  parameter: string,
  typed: string,
  gateway: CallersGateway,
): Promise<{ readonly values: string[]; readonly total: number; readonly hasMore: boolean }> => {
  const row = lists[parameter];
  if (row === undefined) return { values: [], total: 0, hasMore: false };
  const query = row.query !== undefined && 'limit' in row.query.shape ? { limit: mostValues } : {};
  const { data, nextCursor } = await gateway.call(row, { query });
  const found = (Array.isArray(data) ? data : []).filter(isNamed).filter((thing) => fits(thing, typed));
  return {
    values: found.slice(0, mostValues).map(({ id }) => id),
    total: found.length,
    hasMore: nextCursor !== undefined || found.length > mostValues,
  };
};
