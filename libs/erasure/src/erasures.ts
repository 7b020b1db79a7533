// What a service does with its log of erasures: it writes to it, and applies to its database what the log has and the database
// has not. The two differ after a backup was restored.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Erasure } from './entry.js';
import type { ErasureLog } from './log.js';

/**
 * Erases again what is left of these. Most of it is gone already, and some of it never was here: neither is an error. It may be
 * called again with the same erasures, and by several replicas at once.
 */
export type ErasureApplier = (erasures: readonly Erasure[]) => Promise<void>;

export interface AppliedErasures {
  readonly erasures: number;
  readonly files: number;
  /** Names of the files of which something could not be read. What could be read of them was applied. */
  readonly damaged: readonly string[];
}

export interface ErasuresOptions {
  readonly log: ErasureLog;
  readonly db: Database;
  readonly logger: Logger;
  /** Longest wait for a log that cannot be read when the service starts, in milliseconds; a minute unless given. */
  readonly patienceMs?: number;
}

/** Clocks of replicas differ, and a file is named before it is written. */
const overlapMs = 24 * 60 * 60_000;
/** A database with a sign of life that is not older is no restored backup. */
const sameDatabaseMs = 15 * 60_000;
const signEveryMs = 60_000;
const catchUpEveryMs = 60 * 60_000;
/** Longer than the overlap. */
const keptMs = 3 * 24 * 60 * 60_000;
const namesAtOnce = 500;
const pauseMs = 1_000;
const beginning = new Date(0);
const isoLength = beginning.toISOString().length;

const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'STORAGE_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT');

const nothing: AppliedErasures = { erasures: 0, files: 0, damaged: [] };

const together = (one: AppliedErasures, other: AppliedErasures): AppliedErasures => ({
  erasures: one.erasures + other.erasures,
  files: one.files + other.files,
  damaged: [...one.damaged, ...other.damaged],
});

/** The time at which a file was written, which begins its name; undefined for a file of another name. */
const writtenAt = (name: string): Date | undefined => {
  const at = new Date(name.slice(0, isoLength));
  return Number.isNaN(at.getTime()) ? undefined : at;
};

async function* inPages(names: AsyncIterable<string>): AsyncIterable<readonly string[]> {
  let page: string[] = [];
  for await (const name of names) {
    page.push(name);
    if (page.length < namesAtOnce) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Applies the log from the command line, while the service does not run.
 * @throws Error with the remedy, for a database that is empty or of an earlier release, and where nothing is logged
 */
export const applyFromOutside = async (
  erasures: Erasures,
  apply: ErasureApplier,
  since: Date | undefined,
): Promise<AppliedErasures> => {
  if (!erasures.isLogged)
    throw new Error(
      'Nothing was logged: set OBJECT_STORAGE_* or ERASURE_LOG_DIR as the service has them (docs/configuration.md).',
    );
  if (!(await erasures.isPrepared()))
    throw new Error(
      'The database is empty, or of an earlier release. Restore its backup, or start the service: it migrates the database, and applies the log before it serves anything.',
    );
  return since === undefined ? erasures.applyMissing(apply) : erasures.applyAll(apply, since);
};

export class Erasures {
  readonly #options: ErasuresOptions;
  #nextCatchUpAt = 0;

  constructor(options: ErasuresOptions) {
    this.#options = options;
  }

  /**
   * Writes erasures to the log, in files of up to 1,000. An erasure is finished only when this has resolved; until then it has to
   * be repeated.
   * @throws AppError STORAGE_UNAVAILABLE after several attempts
   */
  async record(erasures: readonly Erasure[]): Promise<void> {
    if (erasures.length === 0) return;
    await this.#noteApplied(await this.#options.log.write(erasures));
  }

  /** False where the service has no log. */
  get isLogged(): boolean {
    return this.#options.log.isKept;
  }

  /** False for a database of an earlier release, which a service brings up to date when it starts. */
  async isPrepared(): Promise<boolean> {
    const { rows } = await this.#options.db.query<{ isPrepared: boolean }>(
      `select to_regclass('erasures_applied') is not null as "isPrepared"`,
    );
    return rows[0]?.isPrepared === true;
  }

  /**
   * Applies what the log has and this database has not. To be called before the service serves anything.
   *
   * A log that cannot be read keeps the service from starting: nobody knows then whether the database was restored. A database
   * that a process of this service used a moment ago was not, so a service can restart while the object storage is away.
   * @throws AppError STORAGE_UNAVAILABLE
   */
  async applyMissing(apply: ErasureApplier): Promise<AppliedErasures> {
    const { logger, patienceMs = 60_000 } = this.#options;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        const applied = await this.#catchUp(apply);
        if (applied.erasures > 0)
          logger.warn({ applied: applied.erasures }, 'erasures of before a restore applied again');
        return applied;
      } catch (err) {
        if (!isAway(err)) throw err;
        if (await this.#wasSeenLately()) {
          logger.warn({ err }, 'erasure log unreachable, started without it');
          return nothing;
        }
        if (performance.now() + pauseMs > deadline) throw err;
        logger.warn({ err }, 'erasure log unreachable, retrying');
        await delay(pauseMs);
      }
    }
  }

  /**
   * Applies the log again, also what this database has applied: for a restore in which only a part of the stores was turned back.
   * @param since leaves out what was written before
   * @throws AppError STORAGE_UNAVAILABLE
   */
  async applyAll(apply: ErasureApplier, since: Date = beginning): Promise<AppliedErasures> {
    let applied = nothing;
    for await (const name of this.#options.log.names(since))
      applied = together(applied, await this.#applyFile(name, apply));
    return applied;
  }

  /** The entries that were written since then, the oldest first. @throws AppError STORAGE_UNAVAILABLE */
  async *entries(since: Date = beginning): AsyncIterable<Erasure> {
    const { log } = this.#options;
    for await (const name of log.names(since)) yield* (await log.read(name)).erasures;
  }

  /** From now on the database shows that the service uses it. To be called after `applyMissing`. */
  start(apply: ErasureApplier): RunningPart {
    const { log, logger } = this.#options;
    if (!log.isKept)
      logger.warn('erasures are not logged: a restored backup brings back what was erased after it was made');
    return startRounds({
      name: 'erasure log',
      everyMs: signEveryMs,
      logger,
      round: async () => {
        await this.#noteSeen();
        if (performance.now() >= this.#nextCatchUpAt) await this.#catchUp(apply);
      },
    });
  }

  async #catchUp(apply: ErasureApplier): Promise<AppliedErasures> {
    const { log, db } = this.#options;
    const { rows } = await db.query<{ now: Date; since: Date }>(
      `select now() as now, coalesce((select complete_until from erasure_log_state), to_timestamp(0)) as since`,
    );
    const [times] = rows;
    if (times === undefined) throw new Error('a select without a from has one row');
    let applied = nothing;
    const since = new Date(Math.max(0, times.since.getTime() - overlapMs));
    for await (const names of inPages(log.names(since)))
      for (const name of await this.#missing(names))
        applied = together(applied, await this.#applyFile(name, apply));
    await this.#noteComplete(times.now, applied.damaged);
    this.#nextCatchUpAt = performance.now() + catchUpEveryMs;
    return applied;
  }

  /** A damaged file stays within reach until it can be read, or was taken out of the log. */
  async #noteComplete(now: Date, damaged: readonly string[]): Promise<void> {
    const { db } = this.#options;
    const [firstDamaged] = damaged.flatMap((name) => writtenAt(name) ?? []);
    await db.query(
      `insert into erasure_log_state as known (complete_until, seen_at) values ($1, now())
       on conflict (is_only) do update
         set complete_until = case when $2 then $1 else greatest(known.complete_until, $1) end, seen_at = now()`,
      [firstDamaged ?? now, firstDamaged !== undefined],
    );
    const kept = new Date((firstDamaged ?? now).getTime() - keptMs).toISOString();
    await db.query(
      `delete from erasures_applied where name in (
         select name from erasures_applied where name < $1 and applied_at < now() - interval '3 days' limit 10000)`,
      [kept],
    );
  }

  async #applyFile(name: string, apply: ErasureApplier): Promise<AppliedErasures> {
    const { log, logger } = this.#options;
    const { erasures, isComplete } = await log.read(name);
    if (erasures.length > 0) await apply(erasures);
    if (isComplete) await this.#noteApplied([name]);
    else logger.error({ file: name }, 'a file of the erasure log cannot be read in full by this release');
    return { erasures: erasures.length, files: 1, damaged: isComplete ? [] : [name] };
  }

  async #missing(names: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.#options.db.query<{ name: string }>(
      'select name from erasures_applied where name = any($1)',
      [names],
    );
    const applied = new Set(rows.map(({ name }) => name));
    return names.filter((name) => !applied.has(name));
  }

  async #noteApplied(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#options.db.query(
      `insert into erasures_applied (name) select unnest($1::text[])
       on conflict (name) do update set applied_at = now()`,
      [names],
    );
  }

  async #noteSeen(): Promise<void> {
    await this.#options.db.atOnce.query('update erasure_log_state set seen_at = now()');
  }

  async #wasSeenLately(): Promise<boolean> {
    const { rowCount } = await this.#options.db.query(
      `select 1 from erasure_log_state where seen_at > now() - $1 * interval '1 millisecond'`,
      [sameDatabaseMs],
    );
    return rowCount > 0;
  }
}
