// A fixed number of requests a second after a warm-up, whether or not earlier ones were answered. A platform that slows
// down gets no rest.
import { attempt, type Sample } from '@parlance/tests-e2e';
import type { World } from '../processes/world.js';
import type { Request } from './errands.js';

const tickMs = 10;

export interface Rate {
  readonly perSecond: number;
  /**
   * The rate grows for so long. Fresh processes have not compiled their busiest code yet, and in operation no platform gets its full
   * load in its first second.
   */
  readonly warmUpMs: number;
}

/** Requests that are due so long after the first one. */
const dueAfter = (ms: number, { perSecond, warmUpMs }: Rate): number => {
  const growing = Math.min(ms, warmUpMs);
  return ((growing * growing) / (2 * warmUpMs) + (ms - growing)) * (perSecond / 1_000);
};

export class SteadyRate {
  readonly #platform: World['platform'];
  readonly #requests: Iterator<Request, never>;
  readonly #rate: Rate;
  readonly #samples: Sample[] = [];
  readonly #open = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #sent = 0;

  constructor(platform: World['platform'], requests: Iterator<Request, never>, rate: Rate) {
    this.#platform = platform;
    this.#requests = requests;
    this.#rate = rate;
  }

  /** Answers so far, in the order in which they came. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setInterval(() => this.#sendDue(), tickMs);
  }

  /** Sends no more, and resolves when all are answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }

  #sendDue(): void {
    const due = Math.floor(dueAfter(performance.now() - this.#startedAt, this.#rate));
    for (; this.#sent < due; this.#sent += 1) {
      const one = attempt(this.#platform, this.#requests.next().value).then((sample) => {
        this.#samples.push(sample);
        this.#open.delete(one);
      });
      this.#open.add(one);
    }
  }
}
