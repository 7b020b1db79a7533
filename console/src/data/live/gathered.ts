// Many events in a short time make one round of questions. The longer they go on, the rarer the rounds are: an open page leaves the
// limit of its organization's requests to others.

/** Of what comes with an event, such as the second one of the same command. */
const togetherMs = 40;

/** Times between the rounds of events that do not end. */
const intervalsMs = [400, 400, 2_000, 2_000, 5_000];
/** The last of the intervals; events that come later than that begin anew. */
const longestMs = 5_000;

/** Lists follow events within a second; a second look finds a change that the first one came too early for. */
const againMs = 2_000;

/** Calls `flush` with all notes: almost at once after a quiet time, and then once in each interval. Each note comes in two rounds. */
export class Gathered<Note> {
  readonly #flush: (notes: readonly Note[]) => void;
  /** By their keys: a note that is there already does not come twice. */
  readonly #notes = new Map<string, Note>();
  /** Those that have had their first round. */
  readonly #again = new Map<string, Note>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #rounds = 0;

  constructor(flush: (notes: readonly Note[]) => void) {
    this.#flush = flush;
  }

  note(key: string, note: Note): void {
    this.#notes.set(key, note);
    if (performance.now() - this.#flushedAt >= longestMs) this.#rounds = 0;
    this.#schedule(this.#rounds === 0 ? 0 : this.#intervalMs());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#notes.clear();
    this.#again.clear();
  }

  #intervalMs(): number {
    return intervalsMs[this.#rounds - 1] ?? longestMs;
  }

  /** @param restMs after the last round */
  #schedule(restMs: number): void {
    const now = performance.now();
    const dueAt = Math.max(now + togetherMs, this.#flushedAt + restMs);
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#round(), dueAt - now);
  }

  #round(): void {
    const now = performance.now();
    const all = new Map(this.#notes);
    if (now - this.#flushedAt >= againMs) {
      for (const [key, note] of this.#again) all.set(key, note);
      this.#again.clear();
    }
    for (const [key, note] of this.#notes) this.#again.set(key, note);
    // A round of second looks alone belongs to no event: it makes the next one no later.
    if (this.#notes.size > 0) this.#rounds += 1;
    this.#notes.clear();
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#flushedAt = now;
    if (this.#again.size > 0) this.#schedule(Math.max(againMs, this.#intervalMs()));
    this.#flush([...all.values()]);
  }
}
