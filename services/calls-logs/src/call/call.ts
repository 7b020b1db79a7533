// Decides on one call, stream `call-<callId>`: `absent`, then `live`, `closing`, `ended`. Facts may come late, twice
// and in any order, and lead to the same call. A known fact decides nothing. There is one end.
import { AppError, unreachable } from '@parlance/errors';
import type { Decider } from '@parlance/event-sourcing';
import type {
  CallCommand,
  DeleteCall,
  RecordAnalysis,
  RecordAnswer,
  RecordRecordingDeleted,
  RecordRoomFacts,
  RequestEnd,
  RoomFact,
  SettleAttempt,
} from './call-commands.js';
import { dueAt, inferredEnd, type ReportedEnd } from './call-endings.js';
import type { CallEvent } from './call-events.js';
import { decideIngest, decideTranscript } from './call-hand-over.js';
import { type Call, type CallState, evolve } from './call-state.js';
import {
  answer,
  answerWhenMet,
  closeRoom,
  describe,
  end,
  identify,
  initiate,
  inOrder,
  isForeign,
  move,
  type Step,
} from './call-steps.js';
import { decideToolRun } from './call-tool-runs.js';

const stepsOf = (fact: RoomFact, now: string): readonly Step[] => {
  switch (fact.kind) {
    case 'opened':
      return [];
    case 'closed':
      return [closeRoom(fact.at, now)];
    case 'moved':
      return [move(fact, now), answerWhenMet(now)];
    default:
      return unreachable(fact);
  }
};

const decideRoomFacts = (command: RecordRoomFacts, state: CallState): readonly CallEvent[] => {
  const { facts, now } = command;
  if (isForeign(state, command.description.organizationId)) return [];
  return inOrder(state, describe(command, now), ...facts.flatMap((fact) => stepsOf(fact, now)));
};

/** The dialer's own events may overtake each other; CALL_NOT_FOUND makes the later one come again. */
const known = (state: CallState): Call => {
  if (state.phase === 'absent') throw new AppError('CALL_NOT_FOUND');
  return state;
};

const decideAnswer = (command: RecordAnswer, state: CallState): readonly CallEvent[] =>
  isForeign(known(state), command.organizationId)
    ? []
    : inOrder(state, answer(command.answeredAt, command.now), identify(command.providerCallId, command.now));

const decideSettlement = ({ organizationId, end: told, error, now }: SettleAttempt, state: CallState) =>
  isForeign(known(state), organizationId)
    ? []
    : end('dialer', () => told, { error, costMicros: null, now })(state);

/** A conversation in text has no room that could be lost. It closes when an operator has ended it. */
const decideRoomLost = (now: string, state: CallState): readonly CallEvent[] => {
  const isOpen =
    state.phase !== 'absent' && state.description.inText === true && state.endRequestedBy === null;
  return isOpen ? [] : closeRoom(now, now)(state);
};

const decideOverdue = (now: string, state: CallState): readonly CallEvent[] =>
  state.phase === 'closing' && now >= dueAt(state, state.closingSince ?? now)
    ? end('inferred', inferredEnd, { error: null, costMicros: null, now })(state)
    : [];

const own = (state: CallState, organizationId: string): Call => {
  if (state.phase === 'absent' || isForeign(state, organizationId) || state.deletedAt !== null)
    throw new AppError('CALL_NOT_FOUND');
  return state;
};

const requestEnd =
  (by: string, now: string): Step =>
  (state) =>
    state.phase === 'live' && state.endRequestedBy === null
      ? [{ type: 'CallEndRequested', data: { recordedAt: now, by } }]
      : [];

const decideRequestEnd = (
  { organizationId, by, dialCancelledAt: endedAt, now }: RequestEnd,
  state: CallState,
): readonly CallEvent[] => {
  const call = own(state, organizationId);
  const request = requestEnd(by, now);
  if (endedAt === null) return request(call);
  const unanswered = { answeredBy: null, answeredAt: null, durationSeconds: null };
  const cut: ReportedEnd = { status: 'cancelled', endedReason: 'operator_ended', endedAt, ...unanswered };
  // At once, on the dialer's word: the runtime, which leaves the room now, may know less of why.
  return inOrder(
    call,
    request,
    end('dialer', () => cut, { error: null, costMicros: null, now }),
  );
};

const decideDeletion = ({ organizationId, by, now }: DeleteCall, state: CallState): readonly CallEvent[] => {
  own(state, organizationId);
  return [{ type: 'CallDeleted', data: { recordedAt: now, by } }];
};

/** Once per hand-over, and never for a call that was deleted meanwhile. */
const decideAnalysis = (
  { type: _type, now, organizationId, personal, ...result }: RecordAnalysis,
  state: CallState,
): readonly CallEvent[] => {
  if (state.phase === 'absent' || isForeign(state, organizationId) || state.deletedAt !== null) return [];
  const handedOver = state.ingested?.data;
  const isDue = handedOver?.ingestId === result.ingestId && handedOver.analysisStatus === 'pending';
  return isDue ? [{ type: 'CallAnalyzed', data: { recordedAt: now, ...result }, personal }] : [];
};

/** A deleted call takes this event, too: its events go on being recorded. */
const decideRecordingDeleted = (
  { organizationId, storageKey, now }: RecordRecordingDeleted,
  state: CallState,
): readonly CallEvent[] => {
  if (state.phase === 'absent' || isForeign(state, organizationId)) return [];
  const isKnown = state.ingested?.data.recording?.storageKey === storageKey;
  if (!isKnown || state.recordingDeletedAt !== undefined) return [];
  return [{ type: 'RecordingDeleted', data: { recordedAt: now, storageKey } }];
};

const decide = (command: CallCommand, state: CallState): readonly CallEvent[] => {
  switch (command.type) {
    case 'DescribeCall':
      return describe(command, command.now)(state);
    case 'RecordRoomFacts':
      return decideRoomFacts(command, state);
    case 'RecordAnswer':
      return decideAnswer(command, state);
    case 'SettleAttempt':
      return decideSettlement(command, state);
    case 'RecordRoomLost':
      return decideRoomLost(command.now, state);
    case 'EndOverdue':
      return decideOverdue(command.now, state);
    case 'RequestEnd':
      return decideRequestEnd(command, state);
    case 'RecordTranscript':
      return decideTranscript(command, state);
    case 'IngestCall':
      return decideIngest(command, state);
    case 'RecordAnalysis':
      return decideAnalysis(command, state);
    case 'RecordInitiation':
      return isForeign(known(state), command.organizationId) ? [] : initiate(command, command.now)(state);
    case 'RecordToolRun':
      return isForeign(known(state), command.organizationId) ? [] : decideToolRun(command, known(state));
    case 'RecordRecordingDeleted':
      return decideRecordingDeleted(command, state);
    case 'DeleteCall':
      return decideDeletion(command, state);
    default:
      return unreachable(command);
  }
};

export const callDecider: Decider<CallState, CallCommand, CallEvent> = {
  initialState: { phase: 'absent' },
  evolve,
  decide,
};
