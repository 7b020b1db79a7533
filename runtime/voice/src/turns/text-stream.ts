// A text that grows while it is read.

export class TextStream implements AsyncIterable<string> {
  #parts: string[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  push(text: string): void {
    this.#parts.push(text);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) yield part;
      else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
