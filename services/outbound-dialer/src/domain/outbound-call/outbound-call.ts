// One outbound call: stream `outboundCall-<id>`, written by the operations, the dial workers, recovery, and the news
// from calls-logs. An outbound call is one wish to reach a number. Every try to do so is an attempt with a call of its
// own.
import { type CallStatus, type EndedReason, isRetryable, isTerminal } from '@parlance/contracts';
import { AppError, unreachable } from '@parlance/errors';
import type { Decider } from '@parlance/event-sourcing';
import type { CancelReason, OutboundCallEvent, OutboundCallEventOf } from './outbound-call-events.js';
import { evolve } from './outbound-call-evolve.js';
import type { Attempt, Dialing, OutboundCall, Placed } from './outbound-call-state.js';
import { mayTryAgain, retryByPolicy } from './retries.js';

interface PlaceCall {
  readonly type: 'PlaceCall';
  readonly placed: Placed['data'];
  readonly personal: NonNullable<Placed['personal']>;
}

interface StartAttempt {
  readonly type: 'StartAttempt';
  readonly attempt: number;
  readonly attemptId: string;
  readonly callId: string;
  readonly roomName: string;
  readonly deadlineAt: string;
  readonly now: string;
}

export type OutboundCallCommand =
  | PlaceCall
  | StartAttempt
  /** Both at once: the call is recorded when its first attempt starts. */
  | { readonly type: 'PlaceAndStart'; readonly place: PlaceCall; readonly start: StartAttempt }
  | {
      readonly type: 'RecordAnswer';
      readonly attemptId: string;
      readonly providerCallId: string | null;
      readonly now: string;
    }
  | {
      readonly type: 'RecordRefusal';
      readonly attemptId: string;
      readonly status: CallStatus;
      readonly endedReason: EndedReason;
      readonly sipStatus: number | null;
      readonly providerCode: string | null;
      /** The time at which the platform could try again by itself; null when it must not. */
      readonly retryAt: string | null;
      readonly now: string;
    }
  | { readonly type: 'RecordDoubt'; readonly attemptId: string; readonly now: string }
  | {
      readonly type: 'Adopt';
      readonly attemptId: string;
      readonly providerCallId: string | null;
      readonly isAnswered: boolean;
      readonly now: string;
    }
  | {
      /** Ends an attempt that was started, and is not going to be dialled. */
      readonly type: 'Abandon';
      readonly attemptId: string;
      /** `unknown` when the worker had been held up. */
      readonly reason: EndedReason;
      /** The time at which another attempt may be made; null ends the call. */
      readonly retryAt: string | null;
      readonly now: string;
    }
  | { readonly type: 'GiveUp'; readonly attemptId: string; readonly now: string }
  | { readonly type: 'SettleCall'; readonly callId: string; readonly facts: CallEnd; readonly now: string }
  | {
      readonly type: 'CancelCall';
      readonly organizationId: string;
      readonly reason: CancelReason;
      readonly now: string;
    }
  | {
      /** An operator ends the call of the attempt while it is dialled. */
      readonly type: 'EndAttempt';
      readonly organizationId: string;
      readonly callId: string;
      readonly now: string;
    }
  | { readonly type: 'RecordHangUp'; readonly attemptId: string; readonly now: string }
  | {
      readonly type: 'RetryCall';
      readonly organizationId: string;
      readonly retryId: string;
      readonly agentName: string;
      readonly configVersion: number;
      /** The longest that the call may last, in seconds. */
      readonly longestSeconds?: number;
      readonly now: string;
    };

/** The end of a call, from calls-logs. */
export type CallEnd = Omit<
  OutboundCallEventOf<'AttemptEnded'>['data'],
  'attemptId' | 'callId' | 'nextAttemptAt'
>;

type Command<T extends OutboundCallCommand['type']> = Extract<OutboundCallCommand, { readonly type: T }>;
type Decision = readonly OutboundCallEvent[];

const refOf = ({ attemptId, callId }: Attempt) => ({ attemptId, callId });

/** The attempt in progress, if it is this one. */
const dialing = (state: OutboundCall, attemptId: string): Dialing | undefined =>
  state.phase === 'dialing' && state.current.attemptId === attemptId ? state : undefined;

const cutOff = (state: OutboundCall, attemptId: string): Attempt | undefined =>
  state.phase === 'ended' && state.hangUp?.attemptId === attemptId ? state.hangUp : undefined;

const hungUp = (state: OutboundCall, attemptId: string, now: string): Decision => {
  const attempt = cutOff(state, attemptId);
  return attempt ? [{ type: 'AttemptHungUp', data: { ...refOf(attempt), hungUpAt: now } }] : [];
};

const ownedBy = (state: OutboundCall, organizationId: string): Exclude<OutboundCall, { phase: 'absent' }> => {
  if (state.phase === 'absent' || state.placed.organizationId !== organizationId)
    throw new AppError('OUTBOUND_CALL_NOT_FOUND');
  return state;
};

const placeCall = ({ placed, personal }: Command<'PlaceCall'>, state: OutboundCall): Decision => {
  if (state.phase === 'absent') return [{ type: 'OutboundCallPlaced', data: placed, personal }];
  // The id comes from the organization's own idempotency key: the same id is the same request again.
  if (state.placed.organizationId !== placed.organizationId) throw new AppError('CONFLICT');
  return [];
};

const startAttempt = (command: Command<'StartAttempt'>, state: OutboundCall): Decision => {
  if (state.phase !== 'queued' || command.attempt !== state.past.length + 1) return [];
  if (command.now < state.notBefore) return [];
  // The person was forgotten while the call waited: there is no number to call any more.
  if (state.personal === null)
    return [
      {
        type: 'OutboundCallCancelled',
        data: { attempt: null, reason: 'cancelled_by_user', cancelledAt: command.now },
      },
    ];
  const { phoneNumber: toNumber, fromNumber, dynamicVariables, metadata } = state.personal;
  const { attempt, attemptId, callId, roomName, deadlineAt, now } = command;
  const { agentId, provider, campaignId } = state.placed;
  const { agentName, configVersion } = state;
  const about = { agentId, agentName, configVersion, provider, campaignId };
  return [
    {
      type: 'AttemptStarted',
      data: { attempt, attemptId, callId, roomName, ...about, startedAt: now, deadlineAt },
      personal: { fromNumber, toNumber, dynamicVariables, metadata },
    },
  ];
};

/** A call that another process has placed meanwhile is started all the same, unless that process has started it, too. */
const placeAndStart = ({ place, start }: Command<'PlaceAndStart'>, state: OutboundCall): Decision => {
  const placed = placeCall(place, state);
  return [...placed, ...startAttempt(start, placed.reduce(evolve, state))];
};

const recordAnswer = (command: Command<'RecordAnswer'>, state: OutboundCall): Decision => {
  const found = dialing(state, command.attemptId);
  if (!found) return [];
  const { providerCallId, now } = command;
  return [{ type: 'AttemptAnswered', data: { ...refOf(found.current), providerCallId, answeredAt: now } }];
};

const recordRefusal = (command: Command<'RecordRefusal'>, state: OutboundCall): Decision => {
  const found = dialing(state, command.attemptId);
  if (!found) return hungUp(state, command.attemptId, command.now);
  const { status, endedReason, sipStatus, providerCode, retryAt, now } = command;
  const end = { status, endedReason, answeredBy: null };
  const nextAttemptAt = mayTryAgain(found) && retryAt !== null ? retryAt : retryByPolicy(found, end, now);
  const data = { status, endedReason, sipStatus, providerCode, endedAt: now, nextAttemptAt };
  return [{ type: 'AttemptRejected', data: { ...refOf(found.current), ...data } }];
};

const recordDoubt = ({ attemptId, now }: Command<'RecordDoubt'>, state: OutboundCall): Decision => {
  const found = dialing(state, attemptId);
  if (found?.evidence !== 'none') return [];
  return [{ type: 'AttemptInDoubt', data: { ...refOf(found.current), since: now } }];
};

const adopt = (command: Command<'Adopt'>, state: OutboundCall): Decision => {
  const found = dialing(state, command.attemptId);
  if (!found) return [];
  const { providerCallId, now } = command;
  const about = { ...refOf(found.current), providerCallId };
  const adopted: Decision =
    found.evidence === 'adopted' ? [] : [{ type: 'AttemptAdopted', data: { ...about, adoptedAt: now } }];
  return command.isAnswered
    ? [...adopted, { type: 'AttemptAnswered', data: { ...about, answeredAt: now } }]
    : adopted;
};

const abandon = (command: Command<'Abandon'>, state: OutboundCall): Decision => {
  const { attemptId, reason, retryAt, now } = command;
  const found = dialing(state, attemptId);
  if (!found) return hungUp(state, attemptId, now);
  // Repeated delays of the worker end the call; a closed window or a limit only puts it off.
  const nextAttemptAt = reason === 'unknown' && !mayTryAgain(found) ? null : retryAt;
  const data = { ...refOf(found.current), reason, endedAt: now, nextAttemptAt };
  return [{ type: 'AttemptAbandoned', data }];
};

const giveUp = ({ attemptId, now }: Command<'GiveUp'>, state: OutboundCall): Decision => {
  const found = dialing(state, attemptId);
  if (!found || now < found.current.deadlineAt) return [];
  return [{ type: 'AttemptOutcomeUnknown', data: { ...refOf(found.current), endedAt: now } }];
};

const settleCall = ({ callId, facts, now }: Command<'SettleCall'>, state: OutboundCall): Decision => {
  const isInProgress = state.phase === 'dialing' || state.phase === 'connected';
  if (!isInProgress || state.current.callId !== callId || !isTerminal(facts.status)) return [];
  const nextAttemptAt = retryByPolicy(state, facts, now);
  return [{ type: 'AttemptEnded', data: { ...refOf(state.current), ...facts, nextAttemptAt } }];
};

const cancelCall = (
  { organizationId, reason, now }: Command<'CancelCall'>,
  state: OutboundCall,
): Decision => {
  const call = ownedBy(state, organizationId);
  if (call.phase === 'ended') {
    if (call.status === 'cancelled') return [];
    throw new AppError('CALL_NOT_CANCELLABLE', { details: { status: call.status } });
  }
  const attempt = call.phase === 'queued' ? null : refOf(call.current);
  return [{ type: 'OutboundCallCancelled', data: { attempt, reason, cancelledAt: now } }];
};

/** Ends the named attempt, while it is dialled: the dialer ends dials, and not conversations. */
const endAttempt = (
  { organizationId, callId, now }: Command<'EndAttempt'>,
  state: OutboundCall,
): Decision => {
  const call = ownedBy(state, organizationId);
  if (call.phase !== 'dialing' || call.current.callId !== callId) return [];
  const data = { attempt: refOf(call.current), reason: 'operator_ended', cancelledAt: now } as const;
  return [{ type: 'OutboundCallCancelled', data }];
};

const retryCall = (command: Command<'RetryCall'>, state: OutboundCall): Decision => {
  const call = ownedBy(state, command.organizationId);
  const { retryId, agentName, configVersion, longestSeconds, now } = command;
  const agent = { agentName, configVersion, ...(longestSeconds === undefined ? {} : { longestSeconds }) };
  if (call.retryIds.includes(retryId)) return [];
  const isPossible = call.phase === 'ended' && isRetryable(call.status) && call.personal !== null;
  if (!isPossible) throw new AppError('CALL_NOT_RETRYABLE');
  return [{ type: 'OutboundCallRetried', data: { retryId, ...agent, retriedAt: now } }];
};

const decide = (command: OutboundCallCommand, state: OutboundCall): Decision => {
  switch (command.type) {
    case 'PlaceCall':
      return placeCall(command, state);
    case 'StartAttempt':
      return startAttempt(command, state);
    case 'PlaceAndStart':
      return placeAndStart(command, state);
    case 'RecordAnswer':
      return recordAnswer(command, state);
    case 'RecordRefusal':
      return recordRefusal(command, state);
    case 'RecordDoubt':
      return recordDoubt(command, state);
    case 'Adopt':
      return adopt(command, state);
    case 'Abandon':
      return abandon(command, state);
    case 'GiveUp':
      return giveUp(command, state);
    case 'SettleCall':
      return settleCall(command, state);
    case 'CancelCall':
      return cancelCall(command, state);
    case 'EndAttempt':
      return endAttempt(command, state);
    case 'RecordHangUp':
      return hungUp(state, command.attemptId, command.now);
    case 'RetryCall':
      return retryCall(command, state);
    default:
      return unreachable(command);
  }
};

export const outboundCallDecider: Decider<OutboundCall, OutboundCallCommand, OutboundCallEvent> = {
  initialState: { phase: 'absent' },
  evolve,
  decide,
};
