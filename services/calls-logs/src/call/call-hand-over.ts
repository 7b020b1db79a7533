// Decides on the hand-over of the voice runtime: once, whole, and only if it is of the call that we know.
import { AppError } from '@parlance/errors';
import type { IngestCall, RecordTranscript } from './call-commands.js';
import { contradicts, endingFrom, refined } from './call-endings.js';
import type { CallEvent } from './call-events.js';
import type { Call, CallState } from './call-state.js';
import { describe, end, initiate, inOrder, isForeign, type Step, transcriptRecorded } from './call-steps.js';
import { recordRun } from './call-tool-runs.js';
import { toolTurnsIn, turnsOfRuns, unreportedRuns, withTurns } from './call-tool-turns.js';

type HandOver = IngestCall | RecordTranscript;

const transcript =
  ({ ingestId, parts, now }: HandOver): Step =>
  (state) => {
    if (state.phase === 'absent') return [];
    const arrived = state.transcript?.ingestId === ingestId ? state.transcript.parts : 0;
    return parts.filter(({ part }) => part >= arrived).map((part) => transcriptRecorded(now, ingestId, part));
  };

/** The transcript to its end, with the turns of tools that the platform ran and the runtime did not report. */
const wholeTranscript =
  (command: IngestCall): Step =>
  (state) => {
    if (state.phase === 'absent') return [];
    const { ingestId, parts, now, end: told, description } = command;
    const known = state.transcript?.ingestId === ingestId ? state.transcript : null;
    const zeroMs = Date.parse(told.answeredAt ?? description.startedAt);
    const reported = [...(known?.tools ?? []), ...parts.flatMap(({ turns }) => toolTurnsIn(turns))];
    const runs = unreportedRuns(state.toolRuns?.kept ?? [], reported, zeroMs);
    if (runs.length === 0) return transcript(command)(state);
    if (known === null)
      return transcript({ ...command, parts: withTurns(parts, turnsOfRuns(runs, zeroMs, 0)) })(state);
    // The beginning is stored already, so the turns come at the end.
    const lastSeq = parts.at(-1)?.turns.at(-1)?.seq ?? known.lastSeq ?? -1;
    const part = (parts.at(-1)?.part ?? known.parts - 1) + 1;
    const more = { part, turns: turnsOfRuns(runs, zeroMs, lastSeq + 1) };
    return [...transcript(command)(state), transcriptRecorded(now, ingestId, more)];
  };

/** What the platform knows of the call, as far as it is not recorded yet. */
const platformFacts =
  ({ facts, now }: HandOver): Step =>
  (state) => {
    if (facts === undefined) return [];
    const { initiation, toolRuns } = facts;
    return inOrder(
      state,
      ...(initiation === null ? [] : [initiate(initiation, now)]),
      ...toolRuns.map((one) => recordRun({ ...one, now })),
    );
  };

/** The same hand-over again. @throws AppError INGEST_CONFLICT when the call was handed over with other content */
const repeats = (call: Call, command: HandOver): boolean => {
  if (call.ingested === null) return false;
  const { data, personal } = call.ingested;
  // The content of a forgotten call cannot be compared any more; nor is it wanted again.
  if (data.ingestId === command.ingestId || personal === null || command.type !== 'IngestCall') return true;
  if (personal.digest !== command.personal.digest) throw new AppError('INGEST_CONFLICT');
  return true;
};

const fits = (call: Call, command: HandOver): boolean => {
  const { agentId, direction, channel } = command.description;
  const known = call.description;
  if (known.agentId !== agentId || known.direction !== direction || known.channel !== channel) return false;
  return call.end === null || !contradicts(call.end, command.end.status);
};

/** @throws AppError INGEST_CONFLICT */
const isNew = (state: CallState, command: HandOver): boolean => {
  if (state.phase === 'absent') return true;
  if (isForeign(state, command.description.organizationId)) throw new AppError('INGEST_CONFLICT');
  if (repeats(state, command)) return false;
  if (!fits(state, command)) throw new AppError('INGEST_CONFLICT');
  return true;
};

const ingested =
  (command: IngestCall): Step =>
  (state) => {
    if (state.phase === 'absent' || state.end === null) return [];
    const ending = refined(state.end, endingFrom(state, 'runtime', command.end));
    const { source, status, endedReason, answeredBy, answeredAt, endedAt, durationSeconds } = ending;
    return [
      {
        type: 'CallIngested',
        data: {
          recordedAt: command.now,
          ...{ source, status, endedReason, answeredBy, answeredAt, endedAt, durationSeconds },
          ingestId: command.ingestId,
          ...command.details,
          messageCount: Math.max(command.details.messageCount, state.transcript?.turns ?? 0),
        },
        personal: command.personal,
      },
    ];
  };

const ended = (command: HandOver, costMicros: number | null): Step =>
  end('runtime', () => command.end, { error: command.error, costMicros, now: command.now });

export const decideIngest = (command: IngestCall, state: CallState): readonly CallEvent[] => {
  if (!isNew(state, command)) return [];
  const ending = ended(command, command.details.cost?.totalMicros ?? null);
  // A deleted call takes its end, so that the dialer learns of it, and nothing of the conversation.
  if (state.phase !== 'absent' && state.deletedAt !== null) return ending(state);
  return inOrder(
    state,
    describe(command, command.now),
    platformFacts(command),
    wholeTranscript(command),
    ending,
    ingested(command),
  );
};

export const decideTranscript = (command: RecordTranscript, state: CallState): readonly CallEvent[] => {
  if (!isNew(state, command) || (state.phase !== 'absent' && state.deletedAt !== null)) return [];
  const { now, costMicros } = command;
  return inOrder(
    state,
    describe(command, now),
    platformFacts(command),
    ended(command, costMicros),
    transcript(command),
  );
};
