// The results of the campaign, read back as an operator would: every call, its transcript, the day's figures.
import { type Client, everyRecord } from '@parlance/client';
import { type Campaign } from './campaign.js';
import { patiently, settled } from './patience.js';

export type OutboundCall = Awaited<ReturnType<Client['outboundCalls']['list']>>['data'][number];
export type CallLog = Awaited<ReturnType<Client['calls']['list']>>['data'][number];
export type Dashboard = Awaited<ReturnType<Client['dashboard']['summary']>>['data'];

/** Every called person, as the dialer tells it. The agent is the tour's own, so all of its calls are the campaign's. */
const outboundCalls = async (client: Client, agentId: string): Promise<OutboundCall[]> => {
  const found: OutboundCall[] = [];
  const query = { mode: 'batch', agentId, limit: '100' } as const;
  for await (const call of everyRecord(client.outboundCalls.list, { query })) found.push(call);
  return found;
};

const callLog = async (client: Client, agentId: string): Promise<CallLog[]> => {
  const found: CallLog[] = [];
  for await (const call of everyRecord(client.calls.list, { query: { agentId, limit: '100' } }))
    found.push(call);
  return found;
};

export interface Results {
  readonly outbound: readonly OutboundCall[];
  readonly log: readonly CallLog[];
}

/** Lists follow within a second: asked until they agree with the campaign. */
export const readResults = async (
  client: Client,
  agentId: string,
  { progress }: Campaign,
): Promise<Results> => {
  const outbound = await settled(
    () => patiently(() => outboundCalls(client, agentId)),
    (calls) => calls.length === progress.total,
  );
  const log = await settled(
    () => patiently(() => callLog(client, agentId)),
    (calls) => calls.length === progress.attempts && calls.every(({ endedAt }) => endedAt !== null),
  );
  return { outbound, log };
};

export const readDashboard = async (client: Client): Promise<Dashboard> =>
  (await patiently(() => client.dashboard.summary({ query: { range: '24h' } }))).data;

/** True when agents other than this one had calls since a moment, or have one now. */
export const othersCalled = async (
  client: Client,
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
): Promise<boolean> => {
  const { data: live } = await patiently(() => client.calls.live());
  if (live.some(({ agentId }) => agentId !== id)) return true;
  for await (const call of everyRecord(client.calls.list, { query: { from: createdAt, limit: '100' } }))
    if (call.agentId !== id) return true;
  return false;
};
