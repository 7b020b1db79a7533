// A machine that runs many worlds at once is slow now and then, so a late answer is asked for again.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parlance/errors';

const firstMs = 200;
const mostMs = 3_000;
const patienceMs = 180_000;

/** No process can do it right now, or another process did something at the same moment. */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError && (error.status >= 503 || error.code === 'CONFLICT');

/** Repeats the work while it is unavailable. @throws the error of the work when it is refused, or when patience ends */
export const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  const givesUpAt = Date.now() + patienceMs;
  // Many clients that ask again at the same time would themselves keep the machine busy.
  for (let waitMs = firstMs; ; waitMs = Math.min(mostMs, waitMs * 1.5)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() > givesUpAt) throw error;
      await pause(waitMs * (0.5 + Math.random()));
    }
  }
};
