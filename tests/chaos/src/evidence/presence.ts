// Records whether a dialer serves: while all dialers are dead, asleep or still starting, no dialer can be late.

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of the time from `from` to `to` that lies within spans; these do not overlap each other. */
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

  /** One serving dialer has fallen asleep; it counts again once the returned function is called. */
  sleep(): () => void {
    this.#go();
    return () => this.#come();
  }

  /** The spans without a serving dialer, up to now. */
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
