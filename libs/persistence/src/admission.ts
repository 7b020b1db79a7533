// The order in which work gets a connection of a pool. Requests have people waiting, and background work has not: so it
// leaves them a part of the connections, and a burst of events slows no answer down.
import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@parlance/errors';
import { currentContext } from '@parlance/observability';
import pLimit from 'p-limit';

const backgroundShare = 0.6;
/** Five times as long as a request waits for a connection, because only an outage should end background work. */
const longestWaitMs = 10_000;

/** A piece of work that holds its place until it is over. */
interface Place {
  isOver: boolean;
}

const places = new AsyncLocalStorage<ReadonlyMap<Admission, Place>>();

export class Admission {
  readonly #background: ReturnType<typeof pLimit>;

  /** @param most connections of the pool */
  constructor(most: number) {
    this.#background = pLimit(Math.max(1, Math.floor(most * backgroundShare)));
  }

  /** Background work that waits for its turn. */
  get waiting(): number {
    return this.#background.pendingCount;
  }

  /**
   * Runs work that asks the pool for a connection. The work of a request begins at once and waits in the pool alone.
   * Background work has a share of the connections and waits for its turn. Work within admitted work begins at once,
   * because the place of the outer work is free only after it.
   *
   * @throws AppError SERVICE_UNAVAILABLE when background work gets no turn within ten seconds
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const context = currentContext();
    const isBackground = context === undefined || context.isBackground === true;
    if (!isBackground || this.#isWithinAdmittedWork()) return work();
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const limit = setTimeout(() => {
        hasGivenUp = true;
        reject(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }));
      }, longestWaitMs);
      void this.#background(async () => {
        clearTimeout(limit);
        if (hasGivenUp) return;
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
