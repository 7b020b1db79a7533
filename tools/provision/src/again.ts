// Work that is tried again while an engine comes up, for a limited time.
import { StartRefusal } from '@parlance/config';

export interface Patience {
  /** The longest time, all attempts together. */
  readonly limitMs: number;
  /** Told of an attempt that failed, with the reason. */
  readonly onFailure?: (reason: string) => void;
}

const pauseMs = 2_000;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Tries until the work succeeds.
 * @param failed begins the message of the error, before the reason of the last attempt
 * @throws Error when no attempt has succeeded in the time
 */
export const untilItSucceeds = async <T>(
  failed: string,
  work: () => Promise<T>,
  { limitMs, onFailure }: Patience,
): Promise<T> => {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      // what an operator has to mend does not go away by itself
      if (cause instanceof StartRefusal) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (Date.now() + pauseMs > deadline) throw new Error(`${failed}: ${reason}`, { cause });
      onFailure?.(reason);
      await sleep(pauseMs);
    }
  }
};
