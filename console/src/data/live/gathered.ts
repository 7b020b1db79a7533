// Many events in a short time make one round of questions.

/** Of what comes with an event, such as the second one of the same command. */
const togetherMs = 40;

/** Calls `flush` with all notes: almost at once after a quiet time, and then once in each interval. */
export class Gathered {
  readonly #flush: (names: readonly string[]) => void;
  readonly #everyMs: number;
  readonly #names = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number, flush: (names: readonly string[]) => void) {
    this.#everyMs = everyMs;
    this.#flush = flush;
  }

  note(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    if (this.#names.size === 0 || this.#timer !== undefined) return;
    const rest = this.#flushedAt + this.#everyMs - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#flushedAt = performance.now();
        const all = [...this.#names];
        this.#names.clear();
        this.#flush(all);
      },
      Math.max(togetherMs, rest),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#names.clear();
  }
}
