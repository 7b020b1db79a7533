// An export reads many pages, so an organization has one at a time in a process.
import { AppError } from '@parlance/errors';

const retryAfterSeconds = 10;

async function* until<T>(pieces: AsyncIterable<T>, leave: () => void): AsyncGenerator<T> {
  try {
    yield* pieces;
  } finally {
    leave();
  }
}

export class ExportTurns {
  readonly #running = new Map<string, object>();

  /**
   * Answers the pieces, and keeps the organization's turn until they end or the signal aborts.
   * @throws AppError RATE_LIMITED while another export of the organization is in progress
   */
  take<T>(organizationId: string, signal: AbortSignal, pieces: () => AsyncIterable<T>): AsyncIterable<T> {
    if (this.#running.has(organizationId)) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const turn = {};
    this.#running.set(organizationId, turn);
    const leave = (): void => {
      if (this.#running.get(organizationId) === turn) this.#running.delete(organizationId);
    };
    // A reader that leaves before the first piece never ends the generator.
    signal.addEventListener('abort', leave, { once: true });
    return until(pieces(), leave);
  }
}
