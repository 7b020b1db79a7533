// Decides on the runs of tools in a call: each is recorded once, whether the call lasts or has ended by then.
import { stringifyJson } from '@parlance/json';
import type { RecordToolRun } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import { type Call, maxToolRunsKept } from './call-state.js';

/** Runs that are counted at most: a call with more of them goes round in a circle. */
export const maxToolRunsCounted = 1_000;
/** Bytes of JSON of one run's arguments. With more of them, two hundred runs could be too much for one document. */
export const maxArgumentBytes = 4_096;

const isSmall = (value: unknown): boolean => Buffer.byteLength(stringifyJson(value)) <= maxArgumentBytes;

export const decideToolRun = ({ agentId, run, now }: RecordToolRun, call: Call): readonly CallEvent[] => {
  if (call.description.agentId !== agentId || call.deletedAt !== null) return [];
  const { kept, more } = call.toolRuns ?? { kept: [], more: [] };
  const { arguments: given, ...data } = run;
  const isKnown =
    kept.some(({ executionId }) => executionId === data.executionId) || more.includes(data.executionId);
  if (isKnown || kept.length + more.length >= maxToolRunsCounted) return [];
  const isShown = kept.length < maxToolRunsKept;
  const personal = { arguments: isShown && isSmall(given) ? given : null };
  return [{ type: 'ToolRan', data: { recordedAt: now, ...data }, personal }];
};
