// Files of the page that must come, also after a short outage.

const againMs = 5_000;

/**
 * Loads after a time, and again until it succeeds.
 * @param failed told of each failure
 * @returns undefined when the signal ends it
 */
export const untilLoaded = async <Loaded>(
  load: () => Promise<Loaded>,
  afterMs: number,
  signal: AbortSignal,
  failed: () => void,
): Promise<Loaded | undefined> => {
  for (let waitMs = afterMs; ; waitMs = againMs) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    if (signal.aborted) return undefined;
    try {
      return await load();
    } catch {
      failed();
    }
  }
};
