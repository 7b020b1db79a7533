// Turns for tools that the platform ran and the runtime did not report. A run and a reported turn belong together when
// they have one name and are the closest in time.
import type { RecordedTurn, ToolRun } from './call-events.js';

interface Part {
  readonly part: number;
  readonly turns: readonly RecordedTurn[];
}

/** A tool in a transcript. */
export interface ToolTurn {
  readonly name: string;
  /** Milliseconds since the answer of the call. */
  readonly startMs: number;
}

export const toolTurnsIn = (turns: readonly RecordedTurn[]): ToolTurn[] =>
  turns.flatMap(({ toolCall, startMs }) => (toolCall === null ? [] : [{ name: toolCall.name, startMs }]));

const startOf = ({ at }: ToolRun, zeroMs: number): number => Math.max(0, Date.parse(at) - zeroMs);

/**
 * The runs that no turn reports, the earliest first.
 * @param zeroMs the moment that the turns count from, in epoch milliseconds
 */
export const unreportedRuns = (
  runs: readonly ToolRun[],
  reported: readonly ToolTurn[],
  zeroMs: number,
): ToolRun[] => {
  const pairs = runs.flatMap((run) =>
    reported.flatMap((turn) =>
      turn.name === run.name ? [{ run, turn, apartMs: Math.abs(startOf(run, zeroMs) - turn.startMs) }] : [],
    ),
  );
  const matched = new Set<ToolRun | ToolTurn>();
  for (const { run, turn } of pairs.sort((a, b) => a.apartMs - b.apartMs))
    if (!matched.has(run) && !matched.has(turn)) matched.add(run).add(turn);
  return runs.filter((run) => !matched.has(run)).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

/** The turn of a run, without a number. */
const turnOf = (run: ToolRun, zeroMs: number): RecordedTurn => {
  const { toolId, name, status, durationMs } = run;
  const startMs = startOf(run, zeroMs);
  return {
    seq: 0,
    role: 'tool',
    text: '',
    ...{
      spokenText: null,
      interrupted: false,
      confidence: null,
      language: null,
      latencyMs: null,
      sources: [],
    },
    ...{ startMs, endMs: startMs + durationMs },
    toolCall: {
      ...{ toolId, name, status, durationMs },
      arguments: run.arguments ?? {},
      result: run.result ?? null,
    },
    createdAt: run.at,
  };
};

/** Bytes of JSON of the results and arguments in all these turns. More of them could be too much for one append. */
const maxDetailBytes = 48 * 1_024;

/** The turns of these runs, numbered from `seq` on. Beyond the limit they tell no arguments and no results. */
export const turnsOfRuns = (runs: readonly ToolRun[], zeroMs: number, seq: number): RecordedTurn[] => {
  let bytes = 0;
  return runs.map((run, index) => {
    bytes += Buffer.byteLength(JSON.stringify([run.arguments, run.result ?? null]));
    const told = bytes <= maxDetailBytes ? run : { ...run, arguments: null, result: null };
    return { ...turnOf(told, zeroMs), seq: seq + index };
  });
};

/**
 * The transcript with more turns, each in its place in time. Turns after it move to the next free number.
 * @param parts all parts of the transcript
 */
export const withTurns = (parts: readonly Part[], more: readonly RecordedTurn[]): Part[] => {
  const waiting = [...more];
  let last = -1;
  const numbered = (turn: RecordedTurn): RecordedTurn => {
    last = Math.max(turn.seq, last + 1);
    return { ...turn, seq: last };
  };
  const inserted = parts.map(({ part, turns }) => ({
    part,
    turns: turns.flatMap((turn) => {
      const before: RecordedTurn[] = [];
      while (waiting[0] !== undefined && waiting[0].startMs < turn.startMs)
        before.push(...waiting.splice(0, 1));
      return [...before.map((one) => numbered({ ...one, seq: 0 })), numbered(turn)];
    }),
  }));
  if (waiting.length === 0) return inserted;
  const rest = waiting.map((one) => numbered({ ...one, seq: 0 }));
  const end = inserted.at(-1);
  if (end === undefined) return [{ part: 0, turns: rest }];
  return [...inserted.slice(0, -1), { part: end.part, turns: [...end.turns, ...rest] }];
};
