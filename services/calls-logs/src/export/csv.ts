// Calls as lines of CSV (RFC 4180), safe to open in a spreadsheet.
import type { CallLog } from '@parlance/contracts';

type Value = string | number | null;

const columns: Readonly<Record<string, (call: CallLog) => Value>> = {
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
};

/** A spreadsheet takes a cell that begins so for a formula, and would run it. */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

export const cellOf = (value: Value): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const lineOf = (values: readonly Value[]): string => `${values.map(cellOf).join(',')}\r\n`;

export const headerLine = lineOf(Object.keys(columns));

export const callLines = (calls: readonly CallLog[]): string =>
  calls.map((call) => lineOf(Object.values(columns).map((column) => column(call)))).join('');
