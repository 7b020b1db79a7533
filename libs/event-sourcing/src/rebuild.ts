// Makes a read model anew from the first event, beside the one that is being read, and puts it in its place. Reads and
// the live projection go on meanwhile, and a failure before the swap changes nothing for them.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { DatabaseOptions, Tx } from '@parlance/postgres';
import { loadCheckpoint, lockCheckpoint } from './checkpoints.js';
import { dropCopies, turnReadersTo } from './collections.js';
import { countDeadLetters } from './dead-letters.js';
import type { Message } from './decider.js';
import { headOf } from './raw-reads.js';
import { mongoOf, type ReadModel, type ReadModelEngines } from './read-model.js';
import { withRebuildLock } from './rebuild-lock.js';
import { collectionNamesOf, ShadowCopy, StillBehind, tablesOf } from './shadow-copy.js';
import { lockTables, migrationsMark, type Schemas, schemasOf, swapTables } from './shadow-tables.js';

export interface RebuildProgress {
  /** Events of the read model's category that were applied. */
  readonly events: number;
  /** Position of the last one, and where the store ended when the rebuild began. */
  readonly position: bigint;
  readonly head: bigint;
}

export interface RebuildOptions {
  /** The options of the service's Postgres; a second pool writes the copy. */
  readonly database: DatabaseOptions;
  /** Told after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops it; the live read model stays as it is. */
  readonly signal?: AbortSignal;
  /** The time for which readers may go on with the collections that were replaced, in milliseconds (10 s). */
  readonly graceMs?: number;
}

export interface Rebuilt {
  readonly events: number;
  /** Events that the new read model has set aside. */
  readonly parked: number;
  /** The time until the swap. */
  readonly seconds: number;
}

const swapTries = 10;
const swapPauseMs = 50;
const swapLimitMs = 10_000;
/** The longest stop of the live projection until the copy has its last events, in milliseconds. */
const lastEventsMs = 2_000;

/** The circumstances in which the rebuild began. */
interface Ground<E extends Message> {
  readonly model: ReadModel<E>;
  readonly engines: ReadModelEngines;
  readonly schemas: Schemas;
  readonly migrations: string;
  readonly generation: number;
}

const refuseOldShape = async (tx: Tx, migrations: string): Promise<void> => {
  if ((await migrationsMark(tx)) === migrations) return;
  throw new AppError('CONFLICT', { cause: new Error('a migration has changed the tables meanwhile') });
};

/**
 * The live projection takes its checkpoint first in every transaction. The lock on it holds the live read model still, so
 * that the copy can come up to the same event.
 */
const swap = <E extends Message>(ground: Ground<E>, copy: ShadowCopy<E>): Promise<void> => {
  const { model, engines, schemas, migrations, generation } = ground;
  return engines.db.transaction(
    async (tx) => {
      await tx.query(`set local lock_timeout = '2s'`);
      const live = await lockCheckpoint(tx, model.id);
      await copy.reach(live.position, lastEventsMs);
      // Before the tables are locked: from then on readers wait.
      const position = await copy.stop();
      await lockTables(tx, schemas, tablesOf(model));
      await refuseOldShape(tx, migrations);
      await swapTables(tx, schemas, model.id, tablesOf(model));
      await tx.query(
        `update projection_checkpoints
         set position = $2, generation = $3, fence = fence + 1, updated_at = now() where id = $1`,
        [model.id, String(position > live.position ? position : live.position), generation],
      );
    },
    { timeoutMs: swapLimitMs },
  );
};

/** A reader that takes long, or events that come fast, may keep it from happening at once. */
const swapAtLast = async <E extends Message>(ground: Ground<E>, copy: ShadowCopy<E>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await swap(ground, copy);
      return;
    } catch (error) {
      const isInTheWay = error instanceof AppError && error.code === 'UPSTREAM_TIMEOUT';
      if (!(isInTheWay || error instanceof StillBehind) || attempt === swapTries) throw error;
      copy.follow();
      await delay(swapPauseMs * attempt);
    }
  }
};

/** Turns readers of documents to the new copy, and removes the other copies once no reader can use them. */
const retireOldCopies = async <E extends Message>(
  { model, engines, generation }: Ground<E>,
  graceMs: number,
): Promise<void> => {
  const collections = collectionNamesOf(model);
  if (collections.length === 0) return;
  const mongo = mongoOf(engines);
  await turnReadersTo(mongo, model.id, generation);
  await delay(graceMs);
  await dropCopies(mongo, collections, (copy) => copy !== generation);
};

const stopCheck =
  (lost: AbortSignal, signal: AbortSignal | undefined): (() => void) =>
  () => {
    if (signal?.aborted) throw new AppError('CONFLICT', { cause: signal.reason });
    if (lost.aborted)
      throw new AppError('SERVICE_UNAVAILABLE', { cause: new Error('the lock of the rebuild was lost') });
  };

const rebuildAlone = async <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
  options: RebuildOptions,
  lost: AbortSignal,
): Promise<Rebuilt> => {
  const started = performance.now();
  const { db, eventStore } = engines;
  const schemas = await schemasOf(db);
  const generation = (await loadCheckpoint(db, model.id)).generation + 1;
  const [head, migrations] = await Promise.all([headOf(eventStore), migrationsMark(db)]);
  const ground: Ground<E> = { model, engines, schemas, migrations, generation };
  const copy = new ShadowCopy(model, engines, {
    ...{ database: options.database, schemas, generation },
    onProgress: (events, position) => options.onProgress?.({ events, position, head }),
    throwIfStopped: stopCheck(lost, options.signal),
  });
  try {
    await copy.make();
    copy.follow();
    await copy.reach(head);
    await copy.settle();
    await swapAtLast(ground, copy);
    const seconds = (performance.now() - started) / 1_000;
    await retireOldCopies(ground, options.graceMs ?? 10_000);
    return { events: copy.events, parked: await countDeadLetters(db, model.id), seconds };
  } finally {
    await copy.discard();
  }
};

/**
 * Makes a read model anew while the live one goes on, and swaps them in one transaction. Works beside running copies of
 * the service and without any.
 * @throws AppError CONFLICT while another rebuild runs in this service or when it was stopped. SERVICE_UNAVAILABLE or
 * UPSTREAM_TIMEOUT when an engine is away. The live read model is untouched then, and it can be begun again.
 */
export const rebuildReadModel = async <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
  options: RebuildOptions,
): Promise<Rebuilt> => withRebuildLock(engines.db, (lost) => rebuildAlone(model, engines, options, lost));
