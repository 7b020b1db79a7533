// The guarantees that must hold after any crash. Pure: evidence in, violations out.
import { type AuditedAttempt, attemptsOf, endOf, isTerminalEvent, roomOf } from './attempts.js';
import type { Evidence, StreamEvent } from './evidence/evidence.js';
import { overlapOf } from './evidence/presence.js';

export interface Violation {
  readonly rule: string;
  readonly about: string;
}

/** An attempt may be this late with its outcome, not counting the time in which there was no dialer. */
const usualGraceMs = 10_000;
/** So long after a cancellation no dialer takes the call in hand any more, and no phone rings. */
export const cancelGraceMs = 2_000;

/** Outcomes that say: this was never placed. */
const saysNeverPlaced = (outcome: StreamEvent): boolean =>
  outcome.type === 'AttemptAbandoned' ||
  (outcome.type === 'AttemptRejected' &&
    ['provider_unavailable', 'provider_rejected'].includes(outcome.endedReason ?? ''));

/** Of one attempt. */
export interface Heard {
  readonly dials: readonly number[];
  readonly rings: readonly number[];
}

/** By room: every attempt has a room of its own. */
export const heardByRoom = ({
  ledger,
}: Pick<Evidence, 'ledger'>): Map<string, { dials: number[]; rings: number[] }> => {
  const heard = new Map<string, { dials: number[]; rings: number[] }>();
  for (const { kind, room, at } of ledger) {
    const here = heard.get(room) ?? { dials: [], rings: [] };
    heard.set(room, here);
    here[kind === 'dial' ? 'dials' : 'rings'].push(Date.parse(at));
  }
  return heard;
};

const silence: Heard = { dials: [], rings: [] };

/** Milliseconds of two processes on one machine, rounded differently. */
const roundingMs = 2;

/**
 * A call that was dialled before its cancellation may ring while no dialer is there to hang it up. A call that is
 * dialled afterwards, into a room that is gone, must not ring at all.
 */
export const ringsTooLate = (
  { away }: Pick<Evidence, 'away'>,
  cancelledAt: number,
  { dials, rings }: Heard,
): boolean => {
  const silentFrom = cancelledAt + cancelGraceMs;
  const wasOnItsWay = dials.every((dialled) => dialled <= silentFrom);
  const excused = (rang: number): number =>
    wasOnItsWay ? overlapOf(away, { from: cancelledAt, to: rang }) : 0;
  return rings.some((rang) => rang > silentFrom + excused(rang));
};

function* attemptFaults(
  attempt: AuditedAttempt,
  heard: Heard,
  isLate: (at: number, deadlineAt: number) => boolean,
  evidence: Evidence,
): Generator<string> {
  const { startedAt, deadlineAt, outcome, cancelledAt } = attempt;
  if (heard.dials.length > 1) yield 'dialled more than once';
  if (heard.rings.length > 1) yield 'rang more than once';
  if (heard.dials.some((dialled) => dialled + roundingMs < startedAt)) yield 'dialled before it was recorded';
  if (outcome === undefined && isLate(evidence.at, deadlineAt)) yield 'no outcome past its deadline';
  if (outcome !== undefined && isLate(outcome.at, deadlineAt)) yield 'outcome past its deadline';
  if (outcome !== undefined && heard.rings.length > 0 && saysNeverPlaced(outcome))
    yield 'rang and is recorded as never placed';
  if (cancelledAt !== undefined && ringsTooLate(evidence, cancelledAt, heard))
    yield 'rang after it was cancelled';
}

/** Started again only when the attempt before had ended and somebody, the platform or a person, wanted another. */
function* streamFaults(events: readonly StreamEvent[]): Generator<string> {
  let phase: 'open' | 'ended' = 'open';
  let isDialing = false;
  for (const event of events) {
    if (event.type === 'OutboundCallRetried') {
      if (phase === 'open') yield 'retried before it had ended';
      phase = 'open';
    }
    if (event.type === 'AttemptStarted') {
      if (phase === 'ended') yield 'an attempt after the end';
      if (isDialing) yield 'an attempt beside another';
      isDialing = true;
    }
    if (event.nextAttemptAt !== undefined) isDialing = false;
    if (!isTerminalEvent(event)) continue;
    if (phase === 'ended') yield 'more than one end';
    phase = 'ended';
    isDialing = false;
  }
}

function* rowFaults(evidence: Evidence): Generator<Violation> {
  const rows = new Map(evidence.rows.map((row) => [row.id, row]));
  for (const [id, events] of evidence.streams) {
    const row = rows.get(id);
    const end = endOf(events);
    if (row?.revision !== events.at(-1)?.revision) yield { rule: 'the read model is behind', about: id };
    else if (end !== undefined && (row?.status !== end || row.phase !== 'ended'))
      yield { rule: 'the read model tells another end', about: id };
    else if (end === undefined && row?.phase === 'ended')
      yield { rule: 'the read model tells an end', about: id };
  }
}

function* answerFaults({ answers, streams }: Evidence): Generator<Violation> {
  for (const { id, kind } of answers) {
    const events = streams.get(id) ?? [];
    const isCancelled = events.some(({ type }) => type === 'OutboundCallCancelled');
    if (events.length === 0) yield { rule: 'placed, and there is no stream', about: id };
    if (kind === 'cancelled' && !isCancelled) yield { rule: 'answered as cancelled and was not', about: id };
    if (kind === 'notCancellable' && isCancelled)
      yield { rule: 'answered as not cancellable and was cancelled', about: id };
  }
}

/** Everything that does not hold; nothing when all is well. */
export const audit = (evidence: Evidence, outcomeGraceMs = usualGraceMs): Violation[] => {
  const violations = [...rowFaults(evidence), ...answerFaults(evidence)];
  const heard = heardByRoom(evidence);
  const isLate = (at: number, deadlineAt: number): boolean =>
    at > deadlineAt + outcomeGraceMs + overlapOf(evidence.away, { from: deadlineAt, to: at });
  for (const [callId, events] of evidence.streams) {
    for (const rule of streamFaults(events)) violations.push({ rule, about: callId });
    for (const attempt of attemptsOf(callId, events)) {
      const room = roomOf(attempt.attemptId);
      for (const rule of attemptFaults(attempt, heard.get(room) ?? silence, isLate, evidence))
        violations.push({ rule, about: `${callId} ${attempt.attemptId}` });
      heard.delete(room);
    }
  }
  for (const room of heard.keys())
    violations.push({ rule: 'dialled without a recorded attempt', about: room });
  return violations;
};

/** The calls and campaigns that must have ended by now and have not. */
export const unfinished = ({ streams, rows }: Evidence): Violation[] => [
  ...[...streams].flatMap(([about, events]) =>
    endOf(events) === undefined ? [{ rule: 'has not ended', about }] : [],
  ),
  ...rows.flatMap(({ id, isHangUpOpen }) =>
    isHangUpOpen ? [{ rule: 'was cancelled and never hung up', about: id }] : [],
  ),
];
