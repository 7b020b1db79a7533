// One exchange with a server: the opening of a session, a list of tools, or a call of a tool. The HTTP requests that the
// protocol's client makes find the exchange that they belong to here, without a parameter for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { McpFailure } from './failures.js';
import type { StreamLimits } from './meter.js';

/** Time for the last bytes of an answer to pass through the client before a closed stream counts as a lost answer. */
const settlesWithinMs = 100;

export class Exchange {
  readonly #ended = new AbortController();
  readonly #until: number;
  readonly #lost: Promise<never>;
  #lose: (failure: unknown) => void = () => undefined;
  readonly #endings: (() => void)[] = [];
  #begun = 0;
  /** The first failure of a request in this exchange; it is more exact than the client's own error. */
  failure: unknown;

  constructor(
    timeoutMs: number,
    /** The limits of each answer. */
    readonly limits: StreamLimits,
  ) {
    this.#until = performance.now() + timeoutMs;
    this.#lost = new Promise<never>((_, reject) => {
      this.#lose = reject;
    });
    this.#lost.catch(() => undefined); // raced below, if anybody still waits
  }

  /** Aborts when the exchange is over. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#until - performance.now()));
  }

  noteFailure(failure: unknown): void {
    this.failure ??= failure;
  }

  /** Has something done when the exchange is over. */
  atEnd(ending: () => void): void {
    this.#endings.push(ending);
  }

  /** A request of this exchange begins. @returns its place among the requests, from 1 */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /**
   * The stream that should have brought an answer has ended.
   * @param request the place of the request; without it, the stream should have brought every answer
   */
  answerLost(failure: unknown = new McpFailure('unreachable'), request = Number.POSITIVE_INFINITY): void {
    setTimeout(() => {
      // The client makes its requests one after the other, so it has the answers to all but the last.
      if (this.#begun > request) return;
      this.noteFailure(failure);
      this.#lose(failure);
    }, settlesWithinMs).unref();
  }

  /** Does the work as part of this exchange, for as long as the exchange may take. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#lose(new McpFailure('timeout')), this.leftMs);
    try {
      return await Promise.race([exchanges.run(this, work), this.#lost]);
    } catch (error) {
      // A late exchange fails with `timeout`, even if the interruption caused other failures of its requests.
      throw error instanceof McpFailure && error.reason === 'timeout' ? error : (this.failure ?? error);
    } finally {
      clearTimeout(timer);
      this.#ended.abort();
      for (const ending of this.#endings) ending();
    }
  }
}

const exchanges = new AsyncLocalStorage<Exchange>();

export const currentExchange = (): Exchange | undefined => exchanges.getStore();
