// Work that has to be done one after the other for each key. Waiting work holds no connection, so a flood at one widget
// takes none from the others.
import { AppError } from '@parlance/errors';

/** A visitor behind so many others would wait longer than a browser does. */
const mostWaiting = 20;

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

export class Turns {
  readonly #lines = new Map<string, Line>();

  /** True when too many wait already. */
  isFull(key: string): boolean {
    return (this.#lines.get(key)?.waiting ?? 0) >= mostWaiting;
  }

  /** @throws AppError RATE_LIMITED when too many wait already */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (this.isFull(key)) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
    line.waiting += 1;
    this.#lines.set(key, line);
    const turn = line.last.then(work);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.#lines.delete(key);
    }
  }
}
