// The state of one call, folded from its stream.
import { assignedAfter, type EndedError, endOfRun } from '@parlance/contracts';
import type { CallEvent, Ending, ToolRun } from './call-events.js';
import type { Call, Presence } from './call-fields.js';
import { withoutPersonal } from './call-personal.js';

export type { Call, Presence } from './call-fields.js';

export type CallState = { readonly phase: 'absent' } | Call;

/** The best known end of the call: the report of the runtime refines an inferred end. */
export const endingOf = (call: Call): Ending | null => call.ingested?.data ?? call.end;

type OfType<T extends CallEvent['type']> = Extract<CallEvent, { readonly type: T }>;

const described = (state: CallState, { data, personal }: OfType<'CallDescribed'>): Call => {
  const { recordedAt, source, ...description } = data;
  if (state.phase !== 'absent')
    return { ...state, description, source, people: personal, updatedAt: recordedAt };
  return {
    phase: 'live',
    description,
    source,
    people: personal,
    answeredAt: null,
    presences: {},
    present: 0,
    agentHasJoined: false,
    endRequestedBy: null,
    closedAt: null,
    closingSince: null,
    end: null,
    transcript: null,
    ingested: null,
    deletedAt: null,
    createdAt: recordedAt,
    updatedAt: recordedAt,
  };
};

/** The presence after one more movement that was seen later than the ones before. */
export const presenceAfter = (
  { kind, inAt, outAt, leftBy: before }: Presence,
  { moved, at, leftBy, lost }: Pick<OfType<'ParticipantMoved'>['data'], 'moved' | 'at' | 'leftBy' | 'lost'>,
): Presence => {
  const why = moved === 'in' ? before : leftBy;
  const times = moved === 'in' ? { inAt: at, outAt } : { inAt, outAt: at };
  return { kind, ...times, ...(why === undefined ? {} : { leftBy: why }), ...(lost && { lost }) };
};

const moved = (call: Call, { data }: OfType<'ParticipantMoved'>): Call => {
  const known = call.presences[data.participant] ?? { kind: data.kind, inAt: null, outAt: null };
  return {
    ...call,
    presences: { ...call.presences, [data.participant]: presenceAfter(known, data) },
    present: data.present,
    agentHasJoined: data.agentHasJoined,
  };
};

const errorIn = ({ data, personal }: OfType<'CallEnded'>): EndedError | null => {
  const detail = personal?.errorDetail ?? null;
  if (data.sipStatus === null && data.providerCode === null && detail === null && data.status !== 'failed')
    return null;
  return {
    reason: data.endedReason,
    ...(data.providerCode === null ? {} : { providerCode: data.providerCode }),
    ...(data.sipStatus === null ? {} : { sipStatus: data.sipStatus }),
    ...(detail === null ? {} : { detail }),
  };
};

const ended = (call: Call, event: OfType<'CallEnded'>): Call => {
  const { source, status, endedReason, answeredBy, answeredAt, endedAt, durationSeconds } = event.data;
  const ending = { source, status, endedReason, answeredBy, answeredAt, endedAt, durationSeconds };
  return { ...call, phase: 'ended', answeredAt, present: 0, end: { ...ending, error: errorIn(event) } };
};

/** Runs of tools that a call's record keeps. */
export const maxToolRunsKept = 200;

const shownOf = (personal: OfType<'ToolRan'>['personal']): Pick<ToolRun, 'arguments' | 'result'> => ({
  arguments: personal?.arguments ?? null,
  ...(personal?.result === undefined ? {} : { result: personal.result }),
});

const toolRan = (call: Call, { data, personal }: OfType<'ToolRan'>): Call => {
  const { recordedAt: _recordedAt, ...run } = data;
  const { kept, more } = call.toolRuns ?? { kept: [], more: [] };
  return {
    ...call,
    toolRuns:
      kept.length < maxToolRunsKept
        ? { kept: [...kept, { ...run, ...shownOf(personal) }], more }
        : { kept, more: [...more, run.executionId] },
  };
};

const transcribed = (call: Call, { data }: OfType<'TranscriptRecorded'>): Call => {
  const { ingestId, part, turns, lastSeq, tools } = data;
  const before = call.transcript?.ingestId === ingestId ? call.transcript : undefined;
  const known =
    lastSeq === undefined
      ? {}
      : {
          lastSeq,
          turns: (before?.turns ?? 0) + turns,
          tools: [...(before?.tools ?? []), ...(tools ?? [])],
        };
  const transcript = { ingestId, parts: part + 1, ...known };
  if (call.ingested === null) return { ...call, transcript };
  // A turn that came after the hand-over.
  const details = call.ingested.data;
  const counted = { ...details, messageCount: details.messageCount + turns };
  return { ...call, transcript, ingested: { ...call.ingested, data: counted } };
};

const assigned = (call: Call, { data, personal }: OfType<'ToolRan'>): Call => {
  if (personal?.assignments === undefined) return call;
  const { executionId, at, durationMs } = data;
  const run = { executionId, at: endOfRun(at, durationMs) };
  return { ...call, assigned: assignedAfter(call.assigned ?? {}, personal.assignments, run) };
};

/** The results take the place of those of the hand-over, which had none. */
const analyzed = (call: Call, { data, personal }: OfType<'CallAnalyzed'>): Call => {
  if (call.ingested?.data.ingestId !== data.ingestId) return call;
  const { analysisStatus, successful } = data;
  const handedOver = call.ingested.personal;
  return {
    ...call,
    ingested: {
      data: { ...call.ingested.data, analysisStatus, successful },
      personal: handedOver === null || personal === null ? handedOver : { ...handedOver, ...personal },
    },
  };
};

const after = (state: CallState, event: CallEvent): CallState => {
  if (event.type === 'CallDescribed') return described(state, event);
  if (state.phase === 'absent') return state;
  const call: Call = { ...state, updatedAt: event.data.recordedAt };
  switch (event.type) {
    case 'CallAnswered':
      return { ...call, answeredAt: event.data.answeredAt };
    case 'ParticipantMoved':
      return moved(call, event);
    case 'CallEndRequested':
      return { ...call, endRequestedBy: event.data.by };
    case 'RoomClosed': {
      const { closedAt, recordedAt } = event.data;
      const closingSince = call.closingSince ?? recordedAt;
      return { ...call, phase: 'closing', closedAt, closingSince, present: 0 };
    }
    case 'CallEnded':
      return ended(call, event);
    case 'TranscriptRecorded':
      return transcribed(call, event);
    case 'CallIngested': {
      const { recordedAt, ...data } = event.data;
      return { ...call, ingested: { data, personal: event.personal }, updatedAt: recordedAt };
    }
    case 'CallAnalyzed':
      return analyzed(call, event);
    case 'InitiationAnswered': {
      const { at } = event.data;
      return { ...call, initiation: { at, variables: event.personal?.dynamicVariables ?? {} } };
    }
    case 'ToolRan':
      return assigned(toolRan(call, event), event);
    case 'RecordingDeleted':
      return { ...call, recordingDeletedAt: event.data.recordedAt };
    case 'CallDeleted':
      return { ...call, deletedAt: event.data.recordedAt };
    default:
      return event satisfies never;
  }
};

/**
 * The state after one more event. Every stream begins with CallDescribed; any other first event is passed over. A deleted call
 * keeps nothing of a person, so it is the same before and after its key is destroyed.
 */
export const evolve = (state: CallState, event: CallEvent): CallState => {
  const next = after(state, event);
  return next.phase === 'absent' || next.deletedAt === null ? next : withoutPersonal(next);
};
