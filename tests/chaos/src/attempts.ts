// The audit's own reading of a stream: the attempts of a call, and the end of each. Written without the service's code,
// because that code may hold the fault.
import type { StreamEvent } from './evidence/evidence.js';

export interface AuditedAttempt {
  readonly callId: string;
  readonly attemptId: string;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** The event that recorded the outcome of the dial. */
  readonly outcome: StreamEvent | undefined;
  readonly isInDoubt: boolean;
  readonly isAdopted: boolean;
  /** When the call was cancelled, if that happened while or after this attempt was made. */
  readonly cancelledAt: number | undefined;
}

const outcomes: ReadonlySet<string> = new Set([
  'AttemptAnswered',
  'AttemptRejected',
  'AttemptAbandoned',
  'AttemptOutcomeUnknown',
  'AttemptEnded',
  'OutboundCallCancelled',
]);

const attemptOf = (callId: string, events: readonly StreamEvent[], start: StreamEvent): AuditedAttempt => {
  const later = events.filter(({ revision }) => revision > start.revision);
  const next = later.find(({ type }) => type === 'AttemptStarted');
  const own = later.filter(({ revision }) => next === undefined || revision < next.revision);
  return {
    callId,
    attemptId: start.attemptId ?? '',
    startedAt: start.at,
    deadlineAt: start.deadlineAt ?? Number.NaN,
    outcome: own.find(({ type }) => outcomes.has(type)),
    isInDoubt: own.some(({ type }) => type === 'AttemptInDoubt'),
    isAdopted: own.some(({ type }) => type === 'AttemptAdopted'),
    cancelledAt: own.find(({ type }) => type === 'OutboundCallCancelled')?.at,
  };
};

/** The room that an attempt has for itself, by which the ledger names it. */
export const roomOf = (attemptId: string | undefined): string => `ob_${attemptId ?? ''}`;

/** The attempts of one outbound call, oldest first. */
export const attemptsOf = (callId: string, events: readonly StreamEvent[]): AuditedAttempt[] =>
  events.filter(({ type }) => type === 'AttemptStarted').map((start) => attemptOf(callId, events, start));

const endings: ReadonlySet<string> = new Set(['AttemptRejected', 'AttemptAbandoned', 'AttemptEnded']);

/** Whether the call ends with this event. */
export const isTerminalEvent = ({ type, nextAttemptAt }: StreamEvent): boolean =>
  type === 'OutboundCallCancelled' ||
  type === 'AttemptOutcomeUnknown' ||
  (endings.has(type) && nextAttemptAt === undefined);

/** Somebody changed their mind before the dial: no failure. */
const changedMinds: readonly (string | undefined)[] = ['campaign_cancelled', 'cancelled_by_user'];

/** The end of the call after its last event; undefined while it goes on. */
export const endOf = (events: readonly StreamEvent[]): string | undefined => {
  const last = events.findLast((event) => isTerminalEvent(event) || event.type === 'OutboundCallRetried');
  if (last === undefined || !isTerminalEvent(last)) return undefined;
  if (last.type === 'OutboundCallCancelled') return 'cancelled';
  if (last.type === 'AttemptAbandoned' && changedMinds.includes(last.endedReason)) return 'cancelled';
  return last.status ?? 'failed';
};
