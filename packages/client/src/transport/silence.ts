/**
 * Ends a request on which the platform was silent for too long. The platform gives a sign of life every 15 seconds. The time runs only
 * while the client waits for the platform: a program that takes its time is no silence.
 */
export class Silence {
  readonly #controller = new AbortController();
  readonly #longestMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The client waits from now on. */
  start(): void {
    clearTimeout(this.#timer);
    const reason = new DOMException('The platform was silent for too long.', 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#longestMs);
  }

  /** The platform has spoken, or the request is over. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
