// What telephony-numbers says of the numbers that calls are made from. Remembered for a little while: a campaign asks the
// same for every one of its calls, and goes on when nobody answers.
import type { Result, serviceRequests } from '@parlance/contracts';
import type { Clock } from '@parlance/observability';

export type CallerNumbers = Result<typeof serviceRequests.numbersForDialing>;
export type AskNumbers = (organizationId: string, fromNumber: string) => Promise<CallerNumbers>;

const freshMs = 10_000;
/** Oldest first; what is not asked for any more makes room. */
const mostRemembered = 1_000;

interface Remembered {
  readonly at: number;
  readonly answer: CallerNumbers;
}

/** The same question, asked over the wire only when the last answer is old; an old answer is better than none. */
export const rememberingNumbers = (ask: AskNumbers, clock: Clock): AskNumbers => {
  const remembered = new Map<string, Remembered>();
  return async (organizationId, fromNumber) => {
    const key = `${organizationId} ${fromNumber}`;
    const known = remembered.get(key);
    const now = clock.now().getTime();
    if (known !== undefined && now - known.at < freshMs) return known.answer;
    try {
      const answer = await ask(organizationId, fromNumber);
      remembered.delete(key);
      remembered.set(key, { at: now, answer });
      const [oldest] = remembered.keys();
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
      return answer;
    } catch (error) {
      if (known === undefined) throw error;
      return known.answer;
    }
  };
};
