// How much a subscriber handles at once. Statements that run into their time limit say that a batch, or one event in it, is too much
// work: the batch becomes smaller until the event is alone, and that event gets more time, before it is set aside. Without this
// one slow event would stop a projection for every organization.

export interface PaceRules {
  /** Timeouts at the same event before the batch is made smaller: a busy database passes by itself. */
  readonly timeoutsBefore: number;
  /** Time limit, in milliseconds, of the statements for an event that is alone. */
  readonly patientMs: number;
  /** An event that is alone is tried this often at least, and for this long in milliseconds. */
  readonly patientTries: number;
  readonly patientForMs: number;
}

export const usualPace: PaceRules = {
  timeoutsBefore: 3,
  patientMs: 60_000,
  patientTries: 3,
  patientForMs: 180_000,
};

/**
 * `again`: the same events after a pause. `smaller`: fewer events, at once. `hopeless`: the event is alone and has had its time.
 */
export type Verdict = 'again' | 'smaller' | 'hopeless';

interface Attempted {
  /** Positions of the first and the last event that were tried together. */
  readonly first: bigint;
  readonly last: bigint;
  readonly events: number;
}

interface Patience {
  readonly position: bigint;
  readonly since: number;
  tries: number;
}

export class Pace {
  readonly #whole: number;
  readonly #rules: PaceRules;
  #size: number;
  #timeouts: { readonly first: bigint; count: number } | undefined;
  /** The batch becomes whole again beyond this position. */
  #until: bigint | undefined;
  #patience: Patience | undefined;

  /** @param whole events at once while nothing is slow */
  constructor(whole: number, rules: PaceRules = usualPace) {
    this.#whole = whole;
    this.#rules = rules;
    this.#size = whole;
  }

  /** Events to handle at once. */
  get size(): number {
    return this.#size;
  }

  /** The time limit of statements, in milliseconds; undefined for the usual one. */
  limitMsAt(position: bigint): number | undefined {
    return this.#patience?.position === position ? this.#rules.patientMs : undefined;
  }

  timedOut({ first, last, events }: Attempted, nowMs: number): Verdict {
    if (this.#timeouts?.first === first) this.#timeouts.count += 1;
    else if (this.#until === undefined) this.#timeouts = { first, count: 1 };
    if (this.#until === undefined && (this.#timeouts?.count ?? 0) < this.#rules.timeoutsBefore)
      return 'again';
    this.#until ??= last;
    if (events > 1) {
      this.#size = Math.floor(events / 2);
      return 'smaller';
    }
    this.#size = 1;
    return this.#alone(first, nowMs);
  }

  worked(last: bigint): void {
    this.#timeouts = undefined;
    this.#patience = undefined;
    if (this.#until === undefined || last < this.#until) return;
    this.#until = undefined;
    this.#size = this.#whole;
  }

  #alone(position: bigint, nowMs: number): Verdict {
    if (this.#patience?.position !== position) {
      this.#patience = { position, since: nowMs, tries: 0 };
      return 'smaller';
    }
    this.#patience.tries += 1;
    const { tries, since } = this.#patience;
    const { patientTries, patientForMs } = this.#rules;
    return tries >= patientTries && nowMs - since >= patientForMs ? 'hopeless' : 'again';
  }
}
