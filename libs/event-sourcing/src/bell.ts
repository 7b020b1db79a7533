// Wakes a loop that waits for an event.

/** A ring without a waiter is kept for the next waiter. */
export class Bell {
  #rung = false;
  #waiting: (() => void)[] = [];

  readonly ring = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#rung = waiting.length === 0;
    for (const wake of waiting) wake();
  };

  async rung(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#rung = false;
  }
}
