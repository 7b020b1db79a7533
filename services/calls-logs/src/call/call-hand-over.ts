// Decides on the hand-over of the voice runtime: once, whole, and only if it is of the call that we know.
import { AppError } from '@parlance/errors';
import type { IngestCall, RecordTranscript, TranscriptPart } from './call-commands.js';
import { contradicts, endingFrom, refined } from './call-endings.js';
import type { CallEvent } from './call-events.js';
import type { Call, CallState } from './call-state.js';
import { describe, end, inOrder, isForeign, type Step } from './call-steps.js';

const transcript =
  (ingestId: string, parts: readonly TranscriptPart[], now: string): Step =>
  (state) => {
    if (state.phase === 'absent') return [];
    const arrived = state.transcript?.ingestId === ingestId ? state.transcript.parts : 0;
    return parts
      .filter(({ part }) => part >= arrived)
      .map(({ part, turns }) => ({
        type: 'TranscriptRecorded',
        data: { recordedAt: now, ingestId, part, turns: turns.length },
        personal: { turns: [...turns] },
      }));
  };

type HandOver = IngestCall | RecordTranscript;

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
        },
        personal: command.personal,
      },
    ];
  };

const ended = (command: HandOver, costMicros: number | null): Step =>
  end('runtime', () => command.end, { error: command.error, costMicros, now: command.now });

export const decideIngest = (command: IngestCall, state: CallState): readonly CallEvent[] => {
  if (!isNew(state, command)) return [];
  const { now, ingestId, parts } = command;
  const ending = ended(command, command.details.cost?.totalMicros ?? null);
  // A deleted call takes its end, so that the dialer learns of it, and nothing of the conversation.
  if (state.phase !== 'absent' && state.deletedAt !== null) return ending(state);
  return inOrder(state, describe(command, now), transcript(ingestId, parts, now), ending, ingested(command));
};

export const decideTranscript = (command: RecordTranscript, state: CallState): readonly CallEvent[] => {
  if (!isNew(state, command) || (state.phase !== 'absent' && state.deletedAt !== null)) return [];
  const { now, ingestId, parts, costMicros } = command;
  return inOrder(state, describe(command, now), ended(command, costMicros), transcript(ingestId, parts, now));
};
