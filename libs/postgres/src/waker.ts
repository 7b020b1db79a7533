// Lets a background loop sleep until something happens or time is up.

export class Waker {
  #isAwake = false;
  #resolve: (() => void) | undefined;

  /** Ends the current wait, or the next one if there is no waiter. */
  wake(): void {
    this.#isAwake = true;
    this.#resolve?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isAwake) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      this.#resolve = undefined;
    }
    this.#isAwake = false;
  }
}

/** 0.1 s, 0.2 s, 0.4 s ... 5 s, each shortened at random so that copies do not knock in step. */
export const retryDelayMs = (failures: number): number =>
  Math.min(100 * 2 ** Math.min(failures, 10), 5_000) * (0.5 + Math.random() / 2);
