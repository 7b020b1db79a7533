// Many events in a short time make one round of questions.

/** Calls `flush` once, a while after the first of several notes, with all of them. */
export class Gathered {
  readonly #flush: (names: readonly string[]) => void;
  readonly #afterMs: number;
  readonly #names = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(afterMs: number, flush: (names: readonly string[]) => void) {
    this.#afterMs = afterMs;
    this.#flush = flush;
  }

  note(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    if (this.#names.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const all = [...this.#names];
      this.#names.clear();
      this.#flush(all);
    }, this.#afterMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#names.clear();
  }
}
