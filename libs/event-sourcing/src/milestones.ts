// Lets callers wait until a position has been reached, instead of asking again and again.

interface Waiter {
  readonly position: bigint;
  readonly resolve: () => void;
}

export class Milestones {
  #reached = -1n;
  readonly #waiters = new Set<Waiter>();

  reach(position: bigint): void {
    if (position <= this.#reached) return;
    this.#reached = position;
    for (const waiter of this.#waiters) if (waiter.position <= position) waiter.resolve();
  }

  /** @throws Error when it takes longer than `timeoutMs` */
  reached(position: bigint, timeoutMs: number): Promise<void> {
    if (position <= this.#reached) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const done = (outcome: () => void) => (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        outcome();
      };
      const waiter: Waiter = { position, resolve: done(resolve) };
      const timer = setTimeout(
        done(() => reject(new Error(`position ${position} was not reached in ${timeoutMs} ms`))),
        timeoutMs,
      );
      this.#waiters.add(waiter);
    });
  }

  /** Resolves for every call that still waits. */
  close(): void {
    for (const waiter of this.#waiters) waiter.resolve();
  }
}
