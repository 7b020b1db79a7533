// Stores reports of rooms, and moves them into the streams of their calls: all that wait of one room in one append.
import { setTimeout as delay } from 'node:timers/promises';
import { withLag } from '@parlance/jobs';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Parts } from '../parts.js';
import { type RecordingParts, recordRoomReports } from './record-room-reports.js';
import type { RoomReports } from './room-report.js';
import { gatheringMs, type RoomReportsJob, RoomReportsQueue, roomReportsJobs } from './room-reports-queue.js';

export interface RoomReportsWorkerOptions {
  readonly db: Database;
  readonly personalData: Parts['personalData'];
  readonly parts: RecordingParts & Pick<Parts, 'ids'>;
  readonly logger: Logger;
  /** The interval, in milliseconds, of the search for reports that another replica has left (2 s). */
  readonly sweepEveryMs?: number;
}

export interface RoomReportsWorker extends RunningPart {
  /** Resolves when the report is stored: it is recorded within a second, or after the next start. @throws AppError SERVICE_UNAVAILABLE */
  store(reports: RoomReports): Promise<void>;
}

/** Rooms whose reports are recorded at the same time. */
const abreast = 64;
/** The database counts the time from a statement, the process from its answer. */
const marginMs = 5;
/** Between two leases of rooms that are due one after the other. */
const shortestPauseMs = 100;

class Worker implements RunningPart {
  readonly name = 'reports of rooms';
  readonly #options: RoomReportsWorkerOptions;
  readonly #queue: RoomReportsQueue;
  readonly #sweep: RunningPart;
  readonly #underWay = new Set<Promise<void>>();
  /** The instants at which rooms are due whose reports this process has stored, the earliest first. */
  readonly #dueAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #leasing: Promise<void> = Promise.resolve();
  #isStopping = false;
  /** Reports came while others of their room were recorded. */
  #isMoreDue = false;

  constructor(options: RoomReportsWorkerOptions) {
    this.#options = options;
    this.#queue = new RoomReportsQueue(options);
    this.#sweep = startRounds({
      name: this.name,
      everyMs: options.sweepEveryMs ?? 2_000,
      logger: options.logger,
      round: () => this.#leaseDue(),
    });
  }

  async store(reports: RoomReports): Promise<void> {
    await this.#queue.store(reports);
    if (this.#dueAt.has(reports.callId)) return;
    this.#dueAt.set(reports.callId, performance.now() + gatheringMs + marginMs);
    this.#wakeAfter(gatheringMs + marginMs);
  }

  trouble(): string | undefined {
    return this.#sweep.trouble?.();
  }

  /** Records what this process has stored: after a roll-back, replicas of an earlier release would not find it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#sweep.stop(), this.#leasing]);
    const last = Math.max(0, ...this.#dueAt.values());
    await delay(Math.max(0, last - performance.now()));
    do {
      this.#isMoreDue = false;
      await this.#leaseDue().finally(() => Promise.all(this.#underWay));
    } while (this.#isMoreDue);
  }

  #wakeAfter(ms: number): void {
    if (!this.#isStopping) this.#timer ??= setTimeout(() => this.#onDue(), ms);
  }

  #onDue(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [callId, dueAt] of this.#dueAt) {
      if (dueAt > now) break;
      this.#dueAt.delete(callId);
    }
    const [next] = this.#dueAt.values();
    if (next !== undefined) this.#wakeAfter(Math.max(shortestPauseMs, next - now));
    // The sweep repeats it, and reports its failures.
    this.#leasing = this.#leaseDue().catch((err: unknown) =>
      this.#options.logger.debug({ err }, 'room reports not leased'),
    );
  }

  async #leaseDue(): Promise<void> {
    for (;;) {
      const free = abreast - this.#underWay.size;
      if (free < abreast / 4) {
        await Promise.race(this.#underWay);
        continue;
      }
      const jobs = await roomReportsJobs.lease(this.#options.db, free);
      for (const job of jobs) this.#begin(job);
      if (jobs.length < free) return;
    }
  }

  #begin(job: RoomReportsJob): void {
    const { logger } = this.#options;
    const done: Promise<void> = this.#perform(job)
      // Its lease ends, and it is recorded again.
      .catch((err: unknown) => logger.warn({ err, callId: job.callId }, 'room reports not settled'))
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async #perform(job: RoomReportsJob): Promise<void> {
    const { db, parts, logger } = this.#options;
    const { callId, isStale, lease } = job;
    try {
      const witness = { reporter: 'media-server', requestId: parts.ids.next() } as const;
      await recordRoomReports(parts, await this.#queue.open(job), witness);
    } catch (err) {
      if (!isStale) {
        logger.warn({ err, callId, attempts: lease.attempts }, 'room reports deferred');
        await roomReportsJobs.retry(db, job);
        return;
      }
      logger.error({ err, callId, attempts: lease.attempts }, 'room reports dropped');
    }
    if (!(await this.#queue.settle(job))) return;
    this.#isMoreDue = true;
    this.#wakeAfter(shortestPauseMs);
  }
}

/** Starts at once. */
export const startRoomReports = (options: RoomReportsWorkerOptions): RoomReportsWorker => {
  const worker = new Worker(options);
  const lagging = withLag(worker, options.db, roomReportsJobs);
  return {
    name: worker.name,
    trouble: () => worker.trouble(),
    stop: () => lagging.stop(),
    store: (reports) => worker.store(reports),
  };
};
