// One request, with as many attempts as it takes and may have.
import { ApiError } from './api-error.js';
import { delayBefore, mayPass, type Patience, pause } from './patience.js';

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.retryAfterSeconds : undefined;

/**
 * Tries until there is an answer, or a failure that will not pass, or no attempt and no time is left. The last failure is
 * thrown then.
 * @param ended the program's own signal, and the end of the time in all
 */
export const withAttempts = async <Answer>(
  patience: Patience,
  ended: AbortSignal,
  attempt: () => Promise<Answer>,
): Promise<Answer> => {
  const startedAt = performance.now();
  for (let repetition = 1; ; repetition += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (ended.aborted || repetition > patience.retries || !mayPass(error)) throw error;
      const delay = delayBefore(repetition, patience, retryAfterOf(error), Math.random());
      // An answer that comes too late is of no use: the failure is told while it is fresh.
      if (performance.now() - startedAt + delay >= patience.totalTimeoutMs) throw error;
      await pause(delay, ended);
    }
  }
};

/** The end of a request: the program's own signal, or the end of the time that it may take in all. */
export const endOf = ({ totalTimeoutMs }: Patience, signal: AbortSignal | undefined): AbortSignal => {
  const late = AbortSignal.timeout(totalTimeoutMs);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
};
