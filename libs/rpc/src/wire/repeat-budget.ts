// Bounds the requests that are sent again, so that repetitions do not overload services that are slow already.

/** So many requests pay for one repetition. */
const requestsPerRepetition = 10;
/** Requests that are counted for later repetitions, at most. */
const mostCounted = 1_000;

export class RepeatBudget {
  #counted = mostCounted;

  /** For each request that may be sent again. */
  earn(): void {
    this.#counted = Math.min(mostCounted, this.#counted + 1);
  }

  /** False when there have been too many repetitions already. */
  spend(): boolean {
    if (this.#counted < requestsPerRepetition) return false;
    this.#counted -= requestsPerRepetition;
    return true;
  }
}
