// The question for the next job, which the workers of a process ask one after the other. Idle workers share an empty
// answer, so an idle process asks the database as often as one worker would.
import type { Database } from '@parlance/postgres';
import { claimJob, type Job } from './queue.js';

/** The pause, in milliseconds, of a worker that found no job. */
export const idleMs = 250;
/** An empty answer counts for so long: less than a pause, so that each worker asks again after its own. */
const emptyForMs = idleMs / 2;
/** The same where nothing is written, from one empty answer to the next: the workers of a quiet process wake one after the other. */
const quietlyEmptyForMs = 10_000;

export class JobRequests {
  readonly #db: Pick<Database, 'activity' | 'transaction'>;
  #last: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #failure: unknown;
  #emptyAt = Number.NEGATIVE_INFINITY;

  constructor(db: Pick<Database, 'activity' | 'transaction'>) {
    this.#db = db;
  }

  /**
   * Resolves with undefined when no job is due, or the worker is to stop. A failure is told to all workers that wait for it.
   * Otherwise one after the other would wait for a database that does not answer.
   */
  next(stopping: AbortSignal): Promise<Job | undefined> {
    const failures = this.#failures;
    const asked = this.#last.then(() => {
      if (stopping.aborted) return undefined;
      if (this.#failures !== failures) throw this.#failure;
      return this.#ask();
    });
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async #ask(): Promise<Job | undefined> {
    const isEmptyForMs = this.#db.activity.isQuiet ? quietlyEmptyForMs : emptyForMs;
    if (performance.now() - this.#emptyAt < isEmptyForMs) return undefined;
    try {
      const job = await this.#db.transaction(claimJob);
      if (job === undefined) this.#emptyAt = performance.now();
      return job;
    } catch (error) {
      this.#failures += 1;
      this.#failure = error;
      throw error;
    }
  }
}
