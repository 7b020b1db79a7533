/** Runs works with the same key one after the other, in the order in which they came, and works with different keys side by side. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    // A failure is that of the work before.
    const running = before.then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }
}
