// Caller numbers of campaigns, as telephony-numbers has them. The answer is remembered for a little while, because a campaign
// looks again several times a second. Before a dial the question is asked anew (caller-ownership.ts).
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
