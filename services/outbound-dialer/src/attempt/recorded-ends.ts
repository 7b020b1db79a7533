// Calls whose end this process has recorded itself. calls-logs publishes such an end, too, and then there is nothing to settle. Another
// replica, or this one after a restart, learns the same from the stream.

/** More than end in the time that the event takes; the oldest make room. */
const mostRemembered = 10_000;

export class RecordedEnds {
  readonly #callIds = new Set<string>();

  add(callId: string): void {
    this.#callIds.add(callId);
    const [oldest] = this.#callIds;
    if (this.#callIds.size > mostRemembered && oldest !== undefined) this.#callIds.delete(oldest);
  }

  has(callId: string): boolean {
    return this.#callIds.has(callId);
  }
}
