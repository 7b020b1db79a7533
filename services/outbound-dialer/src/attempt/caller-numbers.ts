// Caller numbers, as telephony-numbers has them. The answer is remembered for a little while, because a campaign looks again and again.
// Before a dial only an answer counts that telephony-numbers still keeps its promise about.
import type { Result, serviceRequests } from '@parlance/contracts';
import type { Clock } from '@parlance/observability';

export type CallerNumbers = Result<typeof serviceRequests.numbersForDialing>;
export type AskNumbers = (organizationId: string, fromNumber: string) => Promise<CallerNumbers>;

const freshMs = 10_000;
/** The oldest answer makes room first. */
const mostRemembered = 1_000;

interface Remembered {
  readonly at: number;
  readonly answer: CallerNumbers;
}

/** The same question, asked over the wire only when the last answer is old. */
export const rememberingNumbers = (ask: AskNumbers, clock: Clock): AskNumbers => {
  const remembered = new Map<string, Remembered>();
  return async (organizationId, fromNumber) => {
    const key = `${organizationId} ${fromNumber}`;
    const known = remembered.get(key);
    const now = clock.now().getTime();
    if (known !== undefined && now - known.at < freshMs) return known.answer;
    const answer = await ask(organizationId, fromNumber);
    remembered.delete(key);
    remembered.set(key, { at: now, answer });
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    return answer;
  };
};

interface Promised {
  /** From before the request was made. */
  readonly at: number;
  readonly answer: Promise<CallerNumbers>;
}

/**
 * Attempts from one number share the answer while at least half of its promise lasts: the release of a number waits for the rest. The
 * answer's `goodForMs` is what is left.
 */
export const sharingNumbers = (ask: AskNumbers, clock: Clock): AskNumbers => {
  const promised = new Map<string, Promised>();
  return async (organizationId, fromNumber) => {
    const key = `${organizationId} ${fromNumber}`;
    const now = clock.now().getTime();
    const known = promised.get(key);
    if (known !== undefined) {
      const answer = await known.answer;
      const leftMs = known.at + answer.goodForMs - now;
      // A clock that was set back extends no promise.
      if (now >= known.at && leftMs >= answer.goodForMs / 2) return { ...answer, goodForMs: leftMs };
    }
    const answer = ask(organizationId, fromNumber);
    promised.delete(key);
    promised.set(key, { at: now, answer });
    answer.catch(() => promised.delete(key));
    const [oldest] = promised.keys();
    if (promised.size > mostRemembered && oldest !== undefined) promised.delete(oldest);
    return answer;
  };
};
