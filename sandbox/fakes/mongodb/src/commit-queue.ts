// Group commit: writes that arrive while a commit is under way share the next one, and so its fsync.
import { constants } from 'node:os';
import { CommandError, shuttingDown } from './errors.js';

interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** All writes of one data directory, one after the other. */
export class CommitQueue {
  private commits = 0;
  private queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private committing = false;
  private closed = false;

  /**
   * @param transaction runs its argument in a transaction; resolves once that is on disk, rejects if it is undone
   * @param undo takes back the changes in memory by the jobs of an undone transaction
   */
  constructor(
    private readonly transaction: (jobs: () => void) => Promise<void>,
    private readonly undo: () => void,
  ) {}

  /** The number of commits, or NaN while one is under way. */
  get version(): number {
    return this.committing ? Number.NaN : this.commits;
  }

  /** Runs the job in the next transaction; resolves with its result once that is on disk. */
  write<T>(job: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) return reject(shuttingDown());
      // The queue holds jobs of every result type; this one's result goes to its own promise only.
      this.queue.push({ run: job, resolve: resolve as (value: unknown) => void, reject });
      this.draining ??= this.drain();
    });
  }

  /** Takes no more jobs; resolves once those that are queued have their answers. */
  async close(): Promise<void> {
    this.closed = true;
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      this.committing = true;
      const answers = await this.commit();
      this.commits++;
      this.committing = false;
      for (const answer of answers) answer();
    }
    // In the same step as the last look at the queue: a write comes either before, or starts a new drain.
    this.draining = undefined;
  }

  /** Runs the queue in one transaction; resolves, when that is on disk or undone, with the answers to the writers. */
  private async commit(): Promise<(() => void)[]> {
    let jobs: Job[] = [];
    const answers: (() => void)[] = [];
    try {
      await this.transaction(() => {
        // Taken now: all jobs since the last commit are part of this one.
        jobs = this.take();
        for (const job of jobs) answers.push(runJob(job));
      });
      return answers;
    } catch (error) {
      this.undo();
      const reason = await causeOf(error);
      // A transaction that did not begin has taken none.
      if (jobs.length === 0) jobs = this.take();
      return jobs.map((job) => () => job.reject(reason));
    }
  }

  private take(): Job[] {
    const jobs = this.queue;
    this.queue = [];
    return jobs;
  }
}

/** The job's answer; throws an error that is not for its client, which undoes the transaction. */
function runJob(job: Job): () => void {
  try {
    const result = job.run();
    return () => job.resolve(result);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return () => job.reject(error);
  }
}

/** LMDB says only that a commit failed; the reason, such as a full disk, comes as a promise of its own. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  const cause: unknown = await Promise.resolve(error.commitError).catch((reason: unknown) => reason);
  const full = cause instanceof Error && 'code' in cause && cause.code === constants.errno.ENOSPC;
  return full ? new CommandError(14031, cause.message) : cause;
}
