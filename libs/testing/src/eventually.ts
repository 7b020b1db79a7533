// Waits for a condition that will become true, instead of sleeping for the usual time.

export interface EventuallyOptions {
  /** A limit for a condition that never comes true, not a measure of speed (60,000). */
  readonly timeoutMs?: number;
  /** The pause between two tries; grows from 20 to 100 unless given. */
  readonly intervalMs?: number;
}

// A try may cost much: it reads, and an assertion that fails writes down both values. So a long wait tries seldom.
const firstPauseMs = 20;
const longestPauseMs = 100;
const growth = 1.2;

/**
 * Runs the assertion until it stops throwing, and returns its result.
 * @throws the last error of the assertion when time runs out
 */
export const eventually = async <T>(
  assertion: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> => {
  const deadline = Date.now() + (options.timeoutMs ?? 60_000);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * growth, longestPauseMs)) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, options.intervalMs ?? pauseMs));
    }
  }
};
