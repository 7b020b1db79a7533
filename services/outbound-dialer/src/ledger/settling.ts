// The events of an outbound call decide about the money that is put aside for it. These functions are pure. They take
// the open reservations of some calls and the events of these calls, and return the new state of each reservation.
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { attemptsOf } from '../domain/outbound-call/outbound-call-view.js';
import { costMicros } from '../rules/worst-case.js';
import type { Settlement } from './ledger.js';

/** An open reservation of a call. */
export interface OpenCall {
  readonly subject: string;
  readonly organizationId: string;
  readonly outboundCallId: string;
  /** The attempt that it stands for now. */
  readonly attempt: number;
  readonly isRenewed: boolean;
  readonly micros: number;
  readonly rateMicros: number;
  readonly seconds: number;
  /** The attempt that was last let through to its dial. */
  readonly dialledAttempt: number | null;
  readonly answeredAt: string | null;
}

type Next = { readonly open: OpenCall } | { readonly settled: Settlement };

/** True when something may have been dialled for the attempt of the reservation. */
export const isLetThrough = ({ attempt, dialledAttempt }: Pick<OpenCall, 'attempt' | 'dialledAttempt'>) =>
  dialledAttempt !== null && dialledAttempt >= attempt;

const settled = ({ subject }: OpenCall, micros: number): Next => ({ settled: { subject, micros } });

/** The cost of an attempt with an unknown end is the worst case. It is nothing if the attempt was never let through to its dial. */
const unknownMicros = (call: OpenCall): number => (isLetThrough(call) ? call.micros : 0);

const answeredMicros = (call: OpenCall, answeredAt: string | null, endedAt: string): number =>
  answeredAt === null ? 0 : costMicros(call, answeredAt, endedAt);

/** If the platform tries again by itself, the reservation of a call that a person wants waits for the next attempt. */
const unanswered = (call: OpenCall, nextAttemptAt: string | null): Next =>
  call.isRenewed && nextAttemptAt !== null
    ? { open: { ...call, attempt: call.attempt + 1, answeredAt: null } }
    : settled(call, 0);

const isAbout = ({ outboundCallId, attempt }: OpenCall, attemptId: string): boolean =>
  attemptIds(outboundCallId, attempt).attemptId === attemptId;

const after = (call: OpenCall, event: OutboundCallEvent): Next | undefined => {
  switch (event.type) {
    case 'AttemptAnswered':
      return isAbout(call, event.data.attemptId)
        ? { open: { ...call, answeredAt: event.data.answeredAt } }
        : undefined;
    case 'AttemptRejected':
    case 'AttemptAbandoned':
      return isAbout(call, event.data.attemptId) ? unanswered(call, event.data.nextAttemptAt) : undefined;
    case 'AttemptOutcomeUnknown':
      return isAbout(call, event.data.attemptId) ? settled(call, unknownMicros(call)) : undefined;
    case 'AttemptEnded': {
      const { attemptId, endedReason, endedAt, answeredAt } = event.data;
      if (!isAbout(call, attemptId)) return undefined;
      const answered = answeredAt ?? call.answeredAt;
      const isUnknown = endedReason === 'outcome_unknown' && answered === null;
      return settled(call, isUnknown ? unknownMicros(call) : answeredMicros(call, answered, endedAt));
    }
    case 'AttemptHungUp':
      return isAbout(call, event.data.attemptId)
        ? settled(call, answeredMicros(call, call.answeredAt, event.data.hungUpAt))
        : undefined;
    case 'OutboundCallCancelled':
      // A call that rings or talks goes on costing until it is hung up.
      return event.data.attempt === null ? settled(call, 0) : undefined;
    default:
      return undefined;
  }
};

export interface CallEvent {
  readonly entityId: string;
  readonly event: OutboundCallEvent;
}

export interface Followed {
  /** Reservations that stay open and are not as they were. */
  readonly changed: readonly OpenCall[];
  readonly settled: readonly Settlement[];
}

/** Applies events in their order. */
export const followCalls = (open: readonly OpenCall[], events: readonly CallEvent[]): Followed => {
  const left = new Map(open.map((call) => [call.subject, call]));
  const settlements: Settlement[] = [];
  for (const { entityId, event } of events)
    for (const call of left.values()) {
      if (call.outboundCallId !== entityId) continue;
      const next = after(call, event);
      if (next === undefined) continue;
      if ('open' in next) left.set(call.subject, next.open);
      else {
        left.delete(call.subject);
        settlements.push(next.settled);
      }
    }
  const changed = [...left.values()].filter((call) => !open.includes(call));
  return { changed, settled: settlements };
};

/** The decision about a reservation that was open for long: keep it, release it, or settle it. */
export type Cleared = 'keep' | 'release' | Settlement;

/** The attempt that goes on, or that is still to be hung up. */
const goingOn = (state: OutboundCall): number | undefined => {
  if (state.phase === 'dialing' || state.phase === 'connected') return state.current.attempt;
  return state.phase === 'ended' ? state.hangUp?.attempt : undefined;
};

/**
 * Decides about a reservation that no other part clears away. Its call was never recorded, no dialer took up the claim
 * again, or the end of the attempt was not heard of. The caller has made sure that no dialer has the call in hand.
 */
export const cleared = (call: OpenCall, state: OutboundCall): Cleared => {
  if (state.phase === 'absent') return 'release';
  if ((goingOn(state) ?? -1) >= call.attempt) return 'keep';
  if (call.isRenewed && state.phase === 'queued') return 'keep';
  if (!isLetThrough(call)) return 'release';
  const over = attemptsOf(state).filter(({ attempt }) => attempt >= call.attempt);
  if (over.length === 0) return 'keep';
  const micros = over.reduce((sum, { answeredAt, endedAt, endedReason }) => {
    if (answeredAt === null) return sum + (endedReason === 'outcome_unknown' ? call.micros : 0);
    return sum + answeredMicros(call, answeredAt, endedAt ?? state.updatedAt);
  }, 0);
  return { subject: call.subject, micros };
};
