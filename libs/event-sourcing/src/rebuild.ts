// Makes a read model anew beside the one that is being read, from the first event, and puts it in its place: reads and the
// live projection go on meanwhile, and whatever happens before the swap has changed nothing for them.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import { createDatabase, type Database, type DatabaseOptions, type Tx } from '@parlance/persistence';
import { loadCheckpoint, lockCheckpoint } from './checkpoints.js';
import { dropCopies, turnReadersTo } from './collections.js';
import type { Message } from './decider.js';
import { headOf, isQuiet } from './raw-reads.js';
import { follow, mongoOf, type ReadModel, type ReadModelEngines } from './read-model.js';
import { withRebuildLock } from './rebuild-lock.js';
import {
  clearShadow,
  makeShadowTables,
  migrationsMark,
  type Schemas,
  schemasOf,
  settleShadowTables,
  swapTables,
} from './shadow-tables.js';
import type { Subscriber } from './subscriber.js';

export interface RebuildProgress {
  /** Events of the read model's category that were applied. */
  readonly events: number;
  /** Position of the last one, and where the store ended when the rebuild began. */
  readonly position: bigint;
  readonly head: bigint;
}

export interface RebuildOptions {
  /** How to reach the service's Postgres; a second pool writes the copy. */
  readonly database: DatabaseOptions;
  /** Told after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops it; the live read model stays as it is. */
  readonly signal?: AbortSignal;
  /** How long readers may go on with the collections that were replaced, in milliseconds (10 s). */
  readonly graceMs?: number;
}

export interface Rebuilt {
  readonly events: number;
  /** Events that the new read model has set aside. */
  readonly parked: number;
  readonly seconds: number;
}

const batchSize = 500;
const pollMs = 200;
/** While the live projection waits. */
const fastPollMs = 20;
const swapTries = 10;
/** For steps that take longer the more there is. */
const longStatementMs = 600_000;
/** How long the live projection is held up at most until the copy has its last events. */
const lastEventsMs = 2_000;

class StillBehind extends Error {}

class Rebuild<E extends Message> {
  readonly #model: ReadModel<E>;
  readonly #engines: ReadModelEngines;
  readonly #options: RebuildOptions;
  readonly #schemas: Schemas;
  readonly #shadowDb: Database;
  readonly #signal: AbortSignal;
  readonly #generation: number;
  readonly #head: bigint;
  readonly #migrations: string;
  #shadow: Subscriber<E> | undefined;
  #events = 0;
  #position = -1n;
  #parked = 0;

  private constructor(
    model: ReadModel<E>,
    engines: ReadModelEngines,
    options: RebuildOptions,
    known: {
      readonly schemas: Schemas;
      readonly generation: number;
      readonly head: bigint;
      readonly migrations: string;
      readonly lost: AbortSignal;
    },
  ) {
    this.#model = model;
    this.#engines = engines;
    this.#options = options;
    this.#schemas = known.schemas;
    this.#generation = known.generation;
    this.#head = known.head;
    this.#migrations = known.migrations;
    this.#signal = options.signal ? AbortSignal.any([options.signal, known.lost]) : known.lost;
    this.#shadowDb = createDatabase({
      ...options.database,
      statementTimeoutMs: longStatementMs,
      searchPath: [known.schemas.shadow, known.schemas.live],
    });
  }

  static async prepare<E extends Message>(
    model: ReadModel<E>,
    engines: ReadModelEngines,
    options: RebuildOptions,
    lost: AbortSignal,
  ): Promise<Rebuild<E>> {
    const { db, esdb } = engines;
    const schemas = await schemasOf(db);
    const { generation } = await loadCheckpoint(db, model.id);
    const [head, migrations] = await Promise.all([headOf(esdb), migrationsMark(db)]);
    const known = { schemas, generation: generation + 1, head, migrations, lost };
    return new Rebuild(model, engines, options, known);
  }

  async run(): Promise<Rebuilt> {
    const started = performance.now();
    try {
      await this.#makeShadow();
      this.#followIntoShadow();
      await this.#reach(this.#head);
      await settleShadowTables(this.#shadowDb, this.#tables);
      await this.#swapAtLast();
    } catch (error) {
      await this.#discard();
      throw error;
    }
    const seconds = (performance.now() - started) / 1_000;
    await this.#tidyUp();
    return { events: this.#events, parked: this.#parked, seconds };
  }

  get #tables(): readonly string[] {
    return 'tables' in this.#model ? this.#model.tables : [];
  }

  get #collections(): readonly string[] {
    return 'collections' in this.#model ? this.#model.collections : [];
  }

  /** Empty, whatever an earlier rebuild may have left. */
  async #makeShadow(): Promise<void> {
    const { db } = this.#engines;
    await clearShadow(db, this.#schemas);
    await makeShadowTables(db, this.#schemas, this.#tables);
    await this.#shadowDb.query(
      'insert into projection_checkpoints (id, position, generation) values ($1, $2, $3)',
      [this.#model.id, '-1', this.#generation],
    );
    if (this.#collections.length > 0)
      await dropCopies(mongoOf(this.#engines), this.#collections, (copy) => copy === this.#generation);
  }

  /** The very projection that keeps the live one, in the other schema. */
  #followIntoShadow(): void {
    this.#shadow = follow(
      this.#model,
      { ...this.#engines, db: this.#shadowDb },
      {
        batchSize,
        onProgress: (events, position) => {
          this.#events += events;
          this.#position = position;
          this.#options.onProgress?.({ events: this.#events, position, head: this.#head });
        },
      },
    );
  }

  /** Waits until no event up to `target` is missing. @throws StillBehind after `withinMs` */
  async #reach(target: bigint, withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { esdb } = this.#engines;
    const deadline = performance.now() + withinMs;
    for (let seen: bigint | undefined; ; seen = this.#position) {
      this.#throwIfStopped();
      if (this.#position >= target) return;
      // Where it stands still, what lies ahead may all belong to other categories, of which it is told now and then only.
      if (this.#position === seen) {
        const span = { after: this.#position, upTo: target };
        if (await isQuiet(esdb, this.#model.category, span)) return;
      }
      if (performance.now() >= deadline) throw new StillBehind();
      await delay(withinMs === Number.POSITIVE_INFINITY ? pollMs : fastPollMs);
    }
  }

  #throwIfStopped(): void {
    if (this.#options.signal?.aborted) throw new AppError('CONFLICT', { cause: this.#options.signal.reason });
    if (this.#signal.aborted)
      throw new AppError('SERVICE_UNAVAILABLE', { cause: new Error('the lock of the rebuild was lost') });
  }

  /** A reader that takes long, or events that come fast, may keep it from happening at once. */
  async #swapAtLast(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#swap();
        return;
      } catch (error) {
        const passes =
          error instanceof StillBehind || (error instanceof AppError && error.code === 'UPSTREAM_TIMEOUT');
        if (!passes || attempt === swapTries) throw error;
        if (this.#shadow === undefined) this.#followIntoShadow();
        await delay(pollMs * attempt);
      }
    }
  }

  /**
   * The live projection takes its checkpoint first in every transaction: from the moment in which it is locked here,
   * nothing changes in the live read model, and the copy can come up to the same event.
   */
  #swap(): Promise<void> {
    const { db } = this.#engines;
    const { id } = this.#model;
    return db.transaction(
      async (tx) => {
        await tx.query(`set local lock_timeout = '2s'`);
        const live = await lockCheckpoint(tx, id);
        await this.#reach(live.position, lastEventsMs);
        await this.#shadow?.stop();
        this.#shadow = undefined;
        const shadow = await loadCheckpoint(this.#shadowDb, id);
        await this.#refuseOldShape(tx);
        await swapTables(tx, this.#schemas, id, this.#tables);
        await tx.query(
          `update projection_checkpoints
           set position = $2, generation = $3, fence = fence + 1, updated_at = now() where id = $1`,
          [id, String(shadow.position > live.position ? shadow.position : live.position), this.#generation],
        );
      },
      { timeoutMs: 10_000 },
    );
  }

  async #refuseOldShape(tx: Tx): Promise<void> {
    if ((await migrationsMark(tx)) === this.#migrations) return;
    throw new AppError('CONFLICT', { cause: new Error('a migration has changed the tables meanwhile') });
  }

  async #tidyUp(): Promise<void> {
    const { db } = this.#engines;
    const { rows } = await db.query<{ parked: number }>(
      'select count(*)::int as parked from projection_dead_letters where projection_id = $1',
      [this.#model.id],
    );
    this.#parked = rows[0]?.parked ?? 0;
    if (this.#collections.length > 0) {
      const mongo = mongoOf(this.#engines);
      await turnReadersTo(mongo, this.#model.id, this.#generation);
      await delay(this.#options.graceMs ?? 10_000);
      await dropCopies(mongo, this.#collections, (copy) => copy !== this.#generation);
    }
    await this.#discard();
  }

  /** Best effort: the next rebuild begins with the same. */
  async #discard(): Promise<void> {
    await this.#shadow?.stop();
    await this.#shadowDb.end();
    await clearShadow(this.#engines.db, this.#schemas).catch(() => undefined);
  }
}

/**
 * Makes a read model anew while the live one goes on, and swaps them in one transaction. Works beside running copies of
 * the service and without any.
 * @throws AppError CONFLICT while another rebuild runs in this service or when it was stopped; SERVICE_UNAVAILABLE or
 * UPSTREAM_TIMEOUT when an engine is away. The live read model is untouched then, and it can be begun again.
 */
export const rebuildReadModel = async <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
  options: RebuildOptions,
): Promise<Rebuilt> =>
  withRebuildLock(engines.db, async (lost) => {
    const rebuild = await Rebuild.prepare(model, engines, options, lost);
    return rebuild.run();
  });
