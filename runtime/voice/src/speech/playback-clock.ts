/** How long something has sounded, without the time for which the playback was paused. */
export class PlaybackClock {
  #pausedAt: number | undefined;
  #pausedMs = 0;

  pause(): void {
    this.#pausedAt ??= Date.now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#pausedMs += Date.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Begins at this time. @returns the milliseconds that have sounded since */
  since(startedAt: number): () => number {
    const before = this.#silentMs();
    return () => Math.max(0, Date.now() - startedAt - (this.#silentMs() - before));
  }

  #silentMs(): number {
    return this.#pausedMs + (this.#pausedAt === undefined ? 0 : Date.now() - this.#pausedAt);
  }
}
