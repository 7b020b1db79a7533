// What must hold of calls that many people wanted to have tried again at once. Pure: evidence in, violations out.
import { attemptsOf, roomOf } from './attempts.js';
import { heardByRoom, type Violation } from './audit.js';
import type { Evidence } from './evidence.js';

/** What became of one call that everybody asked for again. */
export interface RetriedCall {
  readonly id: string;
  /** People who were answered that they were given another attempt. */
  readonly granted: number;
  /** Retries in the stream. */
  readonly recorded: number;
  /** Attempts that reached a phone. What was certainly not placed, the platform may try again by itself. */
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
 * Whoever was granted another attempt is in the stream, nobody else is, and no phone rang oftener than somebody wanted. That
 * a retry is recorded only after an end is for the audit of streams: who came so late that the attempt everybody had asked
 * for was over may be granted the next one.
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
