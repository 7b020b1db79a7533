// Decides on the runs of tools in a call: each is recorded once, whether the call lasts or has ended by then.
import { stringifyJson } from '@parlance/json';
import type { RecordToolRun } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import { type Call, maxToolRunsKept } from './call-state.js';
import { inOrder, type Step, transcriptRecorded } from './call-steps.js';
import { turnsOfRuns, unreportedRuns } from './call-tool-turns.js';

/** Runs that are counted at most: a call with more of them goes round in a circle. */
export const maxToolRunsCounted = 1_000;
/** Bytes of JSON of one run's arguments. With more of them, two hundred runs could be too much for one document. */
export const maxArgumentBytes = 4_096;

const isSmall = (value: unknown, maxBytes: number): boolean =>
  Buffer.byteLength(stringifyJson(value)) <= maxBytes;

/** Bytes of JSON of one run's result. */
const maxResultBytes = 16_384;

type Run = Pick<RecordToolRun, 'agentId' | 'run' | 'now'>;

const ran = ({ agentId, run, now }: Run, call: Call): readonly CallEvent[] => {
  if (call.description.agentId !== agentId || call.deletedAt !== null) return [];
  const { kept, more } = call.toolRuns ?? { kept: [], more: [] };
  const { arguments: given, result, assignments = {}, ...data } = run;
  const isKnown =
    kept.some(({ executionId }) => executionId === data.executionId) || more.includes(data.executionId);
  if (isKnown || kept.length + more.length >= maxToolRunsCounted) return [];
  const isShown = kept.length < maxToolRunsKept;
  const personal = {
    arguments: isShown && isSmall(given, maxArgumentBytes) ? given : null,
    ...(isShown && result !== undefined && isSmall(result, maxResultBytes) ? { result } : {}),
    ...(Object.keys(assignments).length === 0 ? {} : { assignments }),
  };
  return [{ type: 'ToolRan', data: { recordedAt: now, ...data }, personal }];
};

export const recordRun =
  (run: Run): Step =>
  (state) =>
    state.phase === 'absent' ? [] : ran(run, state);

/** The turn of a run that was reported after the hand-over, at the end of a transcript without it. */
const addTurn =
  (now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.ingested === null || state.people === null) return [];
    const { transcript } = state;
    if (transcript?.lastSeq === undefined || transcript.ingestId !== state.ingested.data.ingestId) return [];
    const zeroMs = Date.parse(state.answeredAt ?? state.description.startedAt);
    const runs = unreportedRuns(state.toolRuns?.kept ?? [], transcript.tools ?? [], zeroMs);
    if (runs.length === 0) return [];
    const turns = turnsOfRuns(runs, zeroMs, transcript.lastSeq + 1);
    return [transcriptRecorded(now, transcript.ingestId, { part: transcript.parts, turns })];
  };

export const decideToolRun = (command: RecordToolRun, call: Call): readonly CallEvent[] => {
  const events = ran(command, call);
  return events.length === 0 ? [] : inOrder(call, () => events, addTurn(command.now));
};
