// A read model in the making: empty tables or collections beside the live ones, and the projection that fills them.
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type Database, type DatabaseOptions } from '@parlance/postgres';
import { loadCheckpoint } from './checkpoints.js';
import { dropCopies } from './collections.js';
import type { Message } from './decider.js';
import { isQuiet } from './raw-reads.js';
import { follow, mongoOf, type ReadModel, type ReadModelEngines } from './read-model.js';
import { clearShadow, makeShadowTables, type Schemas, settleShadowTables } from './shadow-tables.js';
import type { Subscriber } from './subscriber.js';

/** The copy has not come as far as it should have in the time it was given. */
export class StillBehind extends Error {
  override readonly name = 'StillBehind';

  constructor() {
    super('the copy did not catch up with the live read model');
  }
}

export interface ShadowOptions {
  readonly database: DatabaseOptions;
  readonly schemas: Schemas;
  /** The number of the copy. */
  readonly generation: number;
  /** Told after each batch: events applied in all, and the position of the last one. */
  readonly onProgress: (events: number, position: bigint) => void;
  /** @throws the reason that keeps the work from going on */
  readonly throwIfStopped: () => void;
}

const batchSize = 500;
const pollMs = 200;
/** The pause between two looks while the live projection waits. */
const fastPollMs = 20;
/** The time limit of steps that take longer the more rows there are. */
const longStatementMs = 600_000;

export const tablesOf = <E extends Message>(model: ReadModel<E>): readonly string[] =>
  'tables' in model ? model.tables : [];

export const collectionNamesOf = <E extends Message>(model: ReadModel<E>): readonly string[] =>
  'collections' in model ? model.collections : [];

export class ShadowCopy<E extends Message> {
  readonly #model: ReadModel<E>;
  readonly #engines: ReadModelEngines;
  readonly #options: ShadowOptions;
  readonly #db: Database;
  #subscriber: Subscriber<E> | undefined;
  #events = 0;
  #position = -1n;

  constructor(model: ReadModel<E>, engines: ReadModelEngines, options: ShadowOptions) {
    this.#model = model;
    this.#engines = engines;
    this.#options = options;
    const { live, shadow } = options.schemas;
    this.#db = createDatabase({
      ...options.database,
      statementTimeoutMs: longStatementMs,
      searchPath: [shadow, live],
    });
  }

  /** Events that were applied. */
  get events(): number {
    return this.#events;
  }

  /** Makes empty tables and collections, even if an earlier rebuild has left some. */
  async make(): Promise<void> {
    const { schemas, generation } = this.#options;
    await clearShadow(this.#engines.db, schemas);
    await makeShadowTables(this.#engines.db, schemas, tablesOf(this.#model));
    await this.#db.query(
      'insert into projection_checkpoints (id, position, generation) values ($1, $2, $3)',
      [this.#model.id, '-1', generation],
    );
    const collections = collectionNamesOf(this.#model);
    if (collections.length > 0)
      await dropCopies(mongoOf(this.#engines), collections, (copy) => copy === generation);
  }

  /** The very projection that keeps the live one, in the other schema; goes on where it stopped. */
  follow(): void {
    this.#subscriber ??= follow(
      this.#model,
      { ...this.#engines, db: this.#db },
      {
        batchSize,
        onProgress: (events, position) => {
          this.#events += events;
          this.#position = position;
          this.#options.onProgress(this.#events, position);
        },
      },
    );
  }

  /** Waits until no event up to `target` is missing. @throws StillBehind after `withinMs`; NewerEvent */
  async reach(target: bigint, withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (let seen: bigint | undefined; ; seen = this.#position) {
      this.#options.throwIfStopped();
      if (this.#subscriber?.refused !== undefined) throw this.#subscriber.refused;
      if (this.#position >= target) return;
      // A copy may stand still because all events ahead belong to other categories: it hears of them only now and then.
      const span = { after: this.#position, upTo: target };
      if (this.#position === seen && (await isQuiet(this.#engines.eventStore, this.#model.category, span)))
        return;
      if (performance.now() >= deadline) throw new StillBehind();
      await delay(withinMs === Number.POSITIVE_INFINITY ? pollMs : fastPollMs);
    }
  }

  /** Lets the planner know the tables before any reader uses them. */
  settle(): Promise<void> {
    return settleShadowTables(this.#db, tablesOf(this.#model));
  }

  /** Lets the batch in hand finish. @returns the position of the copy */
  async stop(): Promise<bigint> {
    await this.#subscriber?.stop();
    this.#subscriber = undefined;
    return (await loadCheckpoint(this.#db, this.#model.id)).position;
  }

  /** Empties the shadow schema, as far as that is possible: the next copy begins with the same. */
  async discard(): Promise<void> {
    await this.#subscriber?.stop();
    await this.#db.end();
    await clearShadow(this.#engines.db, this.#options.schemas).catch(() => undefined);
  }
}
