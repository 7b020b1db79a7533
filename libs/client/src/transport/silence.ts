/** Ends a request on which the platform was silent for too long. The platform gives a sign of life every 15 seconds. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #longestMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    const reason = new DOMException('The platform was silent for too long.', 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#longestMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
