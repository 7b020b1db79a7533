// An outbound call as the interface shows it, from its state alone.
import {
  type Attempt as AttemptView,
  type CallStatus,
  type contract,
  type EndedError,
  isRetryable,
  type OutboundCall as OutboundCallView,
  outcomeOf,
  type Result,
} from '@parlance/contracts';
import type { Attempt, Facts, OutboundCall } from './outbound-call-state.js';

type StatusView = Result<typeof contract.outboundCallsStatus>;

/** A call that exists. */
export type Known = Exclude<OutboundCall, { readonly phase: 'absent' }>;

/** The attempt in progress, or else the last one. */
const latest = (state: Known): Attempt | undefined =>
  state.phase === 'dialing' || state.phase === 'connected' ? state.current : state.past.at(-1);

/** All attempts, oldest first. */
export const attemptsOf = (state: Known): readonly Attempt[] =>
  state.phase === 'dialing' || state.phase === 'connected' ? [...state.past, state.current] : state.past;

export const statusOf = (state: Known): CallStatus => {
  if (state.phase === 'queued') return 'queued';
  return state.phase === 'ended' ? state.status : state.current.status;
};

const errorOf = (attempt: Attempt | undefined): EndedError | null => {
  if (attempt?.status !== 'failed' || attempt.endedReason === null) return null;
  const { endedReason: reason, sipStatus, providerCode } = attempt;
  return {
    reason,
    ...(sipStatus === null ? {} : { sipStatus }),
    ...(providerCode === null ? {} : { providerCode }),
  };
};

/** The attempt that is due counts already: a retry answers with its number. */
const attemptNumber = (state: Known): number =>
  state.phase === 'queued' ? state.past.length + 1 : Math.max(1, attemptsOf(state).length);

const toAttemptView = (attempt: Attempt): AttemptView => ({
  attempt: attempt.attempt,
  attemptId: attempt.attemptId,
  callId: attempt.callId,
  roomName: attempt.roomName,
  status: attempt.status,
  outcome: attempt.outcome,
  endedReason: attempt.endedReason,
  sipStatus: attempt.sipStatus,
  providerCallId: attempt.providerCallId,
  startedAt: attempt.startedAt,
  answeredAt: attempt.answeredAt,
  endedAt: attempt.endedAt,
});

/** The callee and the overrides; all of it is empty once the person was forgotten. */
const personalOf = ({ personal }: Facts) => ({
  fromNumber: personal?.fromNumber ?? '',
  phoneNumber: personal?.phoneNumber ?? '',
  username: personal?.username ?? null,
  firstMessage: personal?.firstMessage ?? null,
  systemPrompt: personal?.systemPrompt ?? null,
  dynamicVariables: personal?.dynamicVariables ?? {},
  metadata: personal?.metadata ?? {},
});

const endOf = (state: Known) => {
  if (state.phase !== 'ended') return { outcome: null, endedReason: null, endedAt: null };
  const { status, endedReason, endedAt } = state;
  const last = state.past.at(-1);
  const answeredBy = last?.answeredBy ?? null;
  const outcome = outcomeOf({ status, endedReason, answeredBy });
  return { outcome, endedReason, endedAt };
};

/** @param id of the stream */
export const toOutboundCall = (id: string, state: Known): OutboundCallView => {
  const { placed } = state;
  // While the next attempt waits for its turn, the last one is history and not shown.
  const attempt = state.phase === 'queued' ? undefined : latest(state);
  const status = statusOf(state);
  return {
    id,
    mode: placed.mode,
    status,
    ...endOf(state),
    error: state.phase === 'ended' ? errorOf(attempt) : null,
    answeredBy: attempt?.answeredBy ?? null,
    agentId: placed.agentId,
    ...personalOf(state),
    provider: placed.provider,
    providerCallId: attempt?.providerCallId ?? null,
    sid: placed.sid,
    campaignId: placed.campaignId,
    rowNumber: placed.rowNumber,
    attempt: attemptNumber(state),
    retryable: isRetryable(status),
    nextAttemptAt: state.phase === 'queued' && state.past.length > 0 ? state.notBefore : null,
    callId: attempt?.callId ?? null,
    roomName: attempt?.roomName ?? null,
    ringingTimeoutSeconds: placed.ringingTimeoutSeconds,
    scheduledAt: null,
    queuedAt: state.queuedAt,
    dialedAt: attempt?.startedAt ?? null,
    answeredAt: attempt?.answeredAt ?? null,
    durationSeconds: attempt?.durationSeconds ?? null,
    costMicros: attempt?.costMicros ?? null,
    createdAt: placed.placedAt,
    updatedAt: state.updatedAt,
  };
};

/** The call with the history of its attempts, oldest first. */
export const toOutboundCallDetail = (id: string, state: Known): OutboundCallView => ({
  ...toOutboundCall(id, state),
  attempts: attemptsOf(state).map(toAttemptView),
});

export const toStatusView = (id: string, state: Known): StatusView => {
  const { status, outcome, endedReason, attempt, callId, nextAttemptAt, updatedAt } = toOutboundCall(
    id,
    state,
  );
  const terminal = state.phase === 'ended';
  return { id, status, outcome, endedReason, attempt, callId, nextAttemptAt, updatedAt, terminal };
};
