// Whether anything happens in a process. Periodic work asks, because a poll of a process in which nothing happens finds nothing.

/** Longer than the usual pauses of retries: what is deferred for less is never late. */
const quietAfterMs = 60_000;

export class Activity {
  #lastAt = performance.now();
  readonly #waiting = new Set<() => void>();

  /** Something has happened that may be work for others, such as a commit. */
  note(): void {
    this.#lastAt = performance.now();
    for (const resume of this.#waiting) resume();
  }

  /** True when nothing has happened for a minute. A process begins busy. */
  get isQuiet(): boolean {
    return performance.now() - this.#lastAt >= quietAfterMs;
  }

  /** Resolves when something happens, after `ms`, or at an abort; at once unless the process is quiet. */
  async whileQuiet(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted || !this.isQuiet) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', resume);
        this.#waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, ms).unref();
      signal.addEventListener('abort', resume);
      this.#waiting.add(resume);
    });
  }
}
