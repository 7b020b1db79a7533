// Coming back when the platform asks for it, as any program that calls an interface should.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parlance/client';

const mostTries = 30;

/** Does it again when the platform is busy or away for a moment; any other refusal is thrown. */
export const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = !(error instanceof ApiError) || error.retryable;
      if (!isPassing || attempt >= mostTries) throw error;
      const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 1) : 1;
      await pause(seconds * 1_000);
    }
  }
};

/** Asks until the answer is right, for facts that follow a moment later. Resolves with the last answer, right or not. */
export const settled = async <T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (isRight(answer) || attempt >= 20) return answer;
    await pause(500);
  }
};
