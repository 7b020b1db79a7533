// The order in which work gets a connection of a pool. People wait for requests, and nothing waits for background work. So
// few background works begin at the same time, and a burst of events leaves connections to requests.
import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@parlance/errors';
import { currentContext } from '@parlance/observability';
import pLimit from 'p-limit';

const backgroundShare = 0.6;

/** A piece of work that holds its place until it is over. */
interface Place {
  isOver: boolean;
}

const places = new AsyncLocalStorage<ReadonlyMap<Admission, Place>>();

export interface AdmissionLimits {
  /** Connections of the pool. */
  readonly most: number;
  /** Longest wait of background work for its turn. */
  readonly longestWaitMs: number;
}

export class Admission {
  readonly #background: ReturnType<typeof pLimit>;
  readonly #longestWaitMs: number;
  /** Each refuses one work that waits. */
  readonly #waiting = new Set<(reason: string) => void>();

  constructor({ most, longestWaitMs }: AdmissionLimits) {
    this.#background = pLimit(Math.max(1, Math.floor(most * backgroundShare)));
    this.#longestWaitMs = longestWaitMs;
  }

  /** Background works that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Ends the turns, because the process leaves. Background work then waits in the pool alone, like a request, so that a
   * Postgres that went silent does not hold up the stop. Work that a stop has to finish still runs.
   */
  leave(): void {
    this.#background.concurrency = Number.POSITIVE_INFINITY;
  }

  /** Ends the turns, and refuses the background work that waits. */
  stop(): void {
    for (const refuse of [...this.#waiting]) refuse('the database was ended');
    this.leave();
  }

  /**
   * Runs work that asks the pool for a connection. The work of a request begins at once and waits in the pool alone.
   * Background work waits for its turn: six works begin for ten connections. Work within admitted work begins at once
   * and uncounted, because the place of the outer work is free only after it.
   *
   * @throws AppError SERVICE_UNAVAILABLE when background work gets no turn in time, or the database is ended
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const context = currentContext();
    const isBackground = context === undefined || context.isBackground === true;
    if (!isBackground || this.#isWithinAdmittedWork()) return work();
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: string): void => {
        clearTimeout(limit);
        this.#waiting.delete(refuse);
        const cause = new Error(`background work got no turn: ${reason}`);
        reject(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause }));
      };
      const limit = setTimeout(
        () => refuse(`the works before it took over ${this.#longestWaitMs} ms`),
        this.#longestWaitMs,
      );
      this.#waiting.add(refuse);
      void this.#background(async () => {
        clearTimeout(limit);
        if (!this.#waiting.delete(refuse)) return;
        const running = this.#inPlace(work);
        resolve(running);
        await running.catch(() => undefined);
      });
    });
  }

  #isWithinAdmittedWork(): boolean {
    const place = places.getStore()?.get(this);
    return place !== undefined && !place.isOver;
  }

  async #inPlace<T>(work: () => Promise<T>): Promise<T> {
    const place: Place = { isOver: false };
    try {
      return await places.run(new Map([...(places.getStore() ?? []), [this, place]]), work);
    } finally {
      // Work that was begun here and not awaited may go on; it holds no place any more.
      place.isOver = true;
    }
  }
}

/**
 * Refuses a read after its caller has stopped waiting, so that a busy database does not work for answers that are thrown
 * away. A change goes on, because its caller may ask for the outcome later.
 *
 * @throws AppError UPSTREAM_TIMEOUT
 */
export const refuseLateRead = (): void => {
  const context = currentContext();
  if (context?.changesNothing !== true || context.deadline === undefined) return;
  if (Date.now() > context.deadline) throw new AppError('UPSTREAM_TIMEOUT', { retryAfterSeconds: 1 });
};
