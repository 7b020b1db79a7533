// Work in the background that is retried with growing pauses and logs its trouble once.
import type { Logger } from '@parlance/observability';
import { retryDelayMs } from './waker.js';

export interface AttemptsOptions {
  readonly logger: Logger;
  /** The part that the log names. */
  readonly part: string;
  /** The sentence of readiness reports while it fails. */
  readonly trouble: string;
}

export class Attempts {
  readonly #options: AttemptsOptions;
  #failures = 0;
  #notBefore = 0;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  get trouble(): string | undefined {
    return this.#failures > 0 ? this.#options.trouble : undefined;
  }

  /** Milliseconds until it should be tried again. */
  get restMs(): number {
    return Math.max(0, this.#notBefore - performance.now());
  }

  /** The result of `work`, or undefined when it failed. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { logger, part, trouble } = this.#options;
    try {
      const result = await work();
      if (this.#failures > 0) logger.info({ was: trouble }, `${part} works again`);
      this.#failures = 0;
      return result;
    } catch (error) {
      if (this.#failures === 0) logger.warn({ err: error }, `${part} ${trouble}`);
      this.#failures += 1;
      this.#notBefore = performance.now() + retryDelayMs(this.#failures);
      return undefined;
    }
  }
}
