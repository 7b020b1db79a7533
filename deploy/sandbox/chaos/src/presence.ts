// Whether somebody serves: while all dialers are dead, asleep or still starting, nobody can be late.

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Of the time from `from` to `to`, how much lies within spans; these do not overlap each other. */
export const overlapOf = (spans: readonly Span[], { from, to }: Span): number =>
  spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);

interface Presentable {
  readonly serving: Promise<void>;
  readonly death: Promise<unknown>;
}

export class Presence {
  readonly #now: () => number;
  readonly #away: Span[] = [];
  #present = 0;
  #awayFrom: number | undefined;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
    this.#awayFrom = now();
  }

  /** Counts from when it serves until it is dead. */
  watch({ serving, death }: Presentable): void {
    void serving.then(async () => {
      this.#come();
      await death;
      this.#go();
    });
  }

  /** One that serves has fallen asleep; it counts again when what is returned is called. */
  sleep(): () => void {
    this.#go();
    return () => this.#come();
  }

  /** When nobody served, up to now. */
  away(): readonly Span[] {
    const still = this.#awayFrom === undefined ? [] : [{ from: this.#awayFrom, to: this.#now() }];
    return [...this.#away, ...still];
  }

  #come(): void {
    this.#present += 1;
    if (this.#awayFrom === undefined) return;
    this.#away.push({ from: this.#awayFrom, to: this.#now() });
    this.#awayFrom = undefined;
  }

  #go(): void {
    this.#present -= 1;
    if (this.#present === 0) this.#awayFrom = this.#now();
  }
}
