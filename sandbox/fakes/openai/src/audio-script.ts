// What was heard, as the test has it.
export class AudioScript {
  readonly #queue: string[] = [];

  /** The transcripts of the next requests. */
  push(...transcripts: readonly string[]): void {
    this.#queue.push(...transcripts);
  }

  clear(): void {
    this.#queue.length = 0;
  }

  next(): string {
    return this.#queue.shift() ?? 'Hello, this is a test.';
  }
}
