// The columns of the call log as a file.
import type { CallLog } from '@parlance/contracts';
import { csvTable } from '@parlance/csv';

export const callTable = csvTable<CallLog>({
  id: ({ id }) => id,
  startedAt: ({ startedAt }) => startedAt,
  answeredAt: ({ answeredAt }) => answeredAt,
  endedAt: ({ endedAt }) => endedAt,
  durationSeconds: ({ durationSeconds }) => durationSeconds,
  direction: ({ direction }) => direction,
  channel: ({ channel }) => channel,
  status: ({ status }) => status,
  outcome: ({ outcome }) => outcome,
  endedReason: ({ endedReason }) => endedReason,
  answeredBy: ({ answeredBy }) => answeredBy,
  fromNumber: ({ fromNumber }) => fromNumber,
  toNumber: ({ toNumber }) => toNumber,
  agentId: ({ agentId }) => agentId,
  agentName: ({ agentName }) => agentName,
  configVersion: ({ configVersion }) => configVersion,
  campaignId: ({ campaignId }) => campaignId,
  outboundCallId: ({ outboundCallId }) => outboundCallId,
  successful: ({ successful }) => successful,
  messageCount: ({ messageCount }) => messageCount,
  costMicros: ({ cost }) => cost?.totalMicros ?? null,
  currency: ({ cost }) => cost?.currency ?? null,
});
