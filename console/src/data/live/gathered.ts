// Many events in a short time make one round of questions. The longer they go on, the rarer the rounds are: an open page leaves the
// limit of its organization's requests to others.

/** For things that come with an event, such as the second one of the same command. */
const togetherMs = 40;

/** Two rounds are at least so far apart. */
const apartMs = 400;
/** So many rounds may come as fast as that. A person who watches single changes sees each at once. */
const mostAhead = 30;
/** After them each round waits for its turn. */
const turnMs = 4_000;

/** Lists follow events within a second; a second look finds a change that the first one came too early for. */
const againMs = 2_000;

/**
 * Calls `flush` with all notes: almost at once while the rounds of the last minutes were few, otherwise in turns. Each note comes in two
 * rounds.
 */
export class Gathered<Note> {
  readonly #flush: (notes: readonly Note[]) => void;
  /** By their keys: a note that is there already does not come twice. */
  readonly #notes = new Map<string, Note>();
  /** Those that have had their first round, and its time. */
  readonly #again = new Map<string, { readonly note: Note; readonly at: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #flushedAt = Number.NEGATIVE_INFINITY;
  /** Rounds that may still come fast, as of the last round. */
  #ahead = mostAhead;

  constructor(flush: (notes: readonly Note[]) => void) {
    this.#flush = flush;
  }

  note(key: string, note: Note): void {
    this.#notes.set(key, note);
    this.#schedule(this.#restMs());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#notes.clear();
    this.#again.clear();
  }

  /** From the last round to the next one. */
  #restMs(): number {
    return Math.max(apartMs, (1 - this.#ahead) * turnMs);
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
    for (const [key, { note, at }] of this.#again) {
      if (now - at < againMs) continue;
      all.set(key, note);
      this.#again.delete(key);
    }
    for (const [key, note] of this.#notes) this.#again.set(key, { note, at: now });
    // One round more for each turn since the last one.
    this.#ahead = Math.min(mostAhead, this.#ahead + (now - this.#flushedAt) / turnMs);
    // A round of second looks alone belongs to no event: it uses up no turn.
    if (this.#notes.size > 0) this.#ahead -= 1;
    this.#notes.clear();
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#flushedAt = now;
    if (this.#again.size > 0) this.#schedule(Math.max(againMs, this.#restMs()));
    this.#flush([...all.values()]);
  }
}
