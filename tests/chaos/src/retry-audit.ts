// The guarantees of a call that many people wanted to retry at once. Pure: evidence in, violations out.
import { attemptsOf, roomOf } from './attempts.js';
import { heardByRoom, type Violation } from './audit.js';
import type { Evidence } from './evidence/evidence.js';

/** The outcome of one call that every person asked to retry. */
export interface RetriedCall {
  readonly id: string;
  /** People whose answer granted them another attempt. */
  readonly granted: number;
  /** Retries in the stream. */
  readonly recorded: number;
  /** Attempts that reached a phone. The platform may retry by itself an attempt that was certainly not placed. */
  readonly dialled: number;
}

export const retriedCalls = (evidence: Evidence, ids: readonly string[]): RetriedCall[] => {
  const heard = heardByRoom(evidence);
  return ids.map((id) => {
    const events = evidence.streams.get(id) ?? [];
    const isDialled = ({ attemptId }: { readonly attemptId: string }): boolean =>
      (heard.get(roomOf(attemptId))?.dials.length ?? 0) > 0;
    return {
      id,
      granted: evidence.answers.filter((answer) => answer.id === id && answer.kind === 'retried').length,
      recorded: events.filter(({ type }) => type === 'OutboundCallRetried').length,
      dialled: attemptsOf(id, events).filter(isDialled).length,
    };
  });
};

/**
 * The stream has exactly the granted retries, and no phone rang oftener than people wanted. The audit of streams checks
 * that a retry is recorded only after an end. A late request may be granted the next attempt, because the attempt that
 * it meant is over.
 */
export const auditRetries = (calls: readonly RetriedCall[]): Violation[] =>
  calls.flatMap(({ id, granted, recorded, dialled }) => [
    ...(granted === 0 ? [{ rule: 'nobody was granted a retry', about: id }] : []),
    ...(granted === recorded
      ? []
      : [{ rule: `${granted} retries granted, ${recorded} recorded`, about: id }]),
    ...(dialled <= 1 + recorded
      ? []
      : [{ rule: `dialled ${dialled} times for ${1 + recorded} wishes`, about: id }]),
  ]);
