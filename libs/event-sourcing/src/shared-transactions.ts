// Followers of one database that have something to write at the same moment write it in one transaction: the fixed cost of
// a transaction is most of the cost of a small batch. A transaction that fails is repeated for each follower by itself, so
// that a fault of one of them stays its own.
import type { Database, Tx } from '@parlance/postgres';
import { type CheckpointMove, moveTogether } from './checkpoints.js';

export interface SharedWrite {
  readonly move: CheckpointMove;
  /** Makes that move in a transaction of its own. */
  readonly advance: (tx: Tx) => Promise<void>;
  /** May be run again after a rollback. */
  readonly write: (tx: Tx) => Promise<void>;
}

interface Waiting {
  readonly shared: SharedWrite;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds in which the other followers of the same events get as far. */
const gatherMs = 4;
/** A follower whose writes take longer delays the others. It writes by itself until it is faster. */
const slowMs = 500;

export class SharedTransactions {
  readonly #db: Database;
  /** Followers that have written here. */
  readonly #followers = new Set<string>();
  /** Followers that failed, or were slow, when they wrote last. */
  readonly #apart = new Set<string>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when the checkpoint is moved and the rows are written, both or neither. @throws as the write does */
  commit(shared: SharedWrite): Promise<void> {
    const { projection } = shared.move;
    this.#followers.add(projection);
    if (this.#followers.size === 1 || this.#apart.has(projection)) return this.#alone(shared);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ shared, resolve, reject });
      if (this.#waiting.length + this.#apart.size >= this.#followers.size) this.#begin();
      else this.#timer ??= setTimeout(() => this.#begin(), gatherMs);
    });
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#waiting;
    this.#waiting = [];
    void this.#together(gathered);
  }

  async #together(gathered: readonly Waiting[]): Promise<void> {
    const [only] = gathered;
    if (gathered.length === 1 && only !== undefined) return this.#settleAlone(only);
    try {
      await this.#db.transaction(async (tx) => {
        await moveTogether(
          tx,
          gathered.map(({ shared }) => shared.move),
        );
        for (const { shared } of gathered) await this.#timed(shared, tx);
      });
    } catch {
      // Where the commit has happened after all, each finds its checkpoint moved, and resumes from there.
      await Promise.all(gathered.map((one) => this.#settleAlone(one)));
      return;
    }
    for (const { resolve } of gathered) resolve();
  }

  #settleAlone({ shared, resolve, reject }: Waiting): Promise<void> {
    return this.#alone(shared).then(resolve, reject);
  }

  async #alone({ move: { projection }, advance, write }: SharedWrite): Promise<void> {
    this.#apart.add(projection);
    const began = performance.now();
    await this.#db.transaction(async (tx) => {
      await advance(tx);
      await write(tx);
    });
    if (performance.now() - began < slowMs) this.#apart.delete(projection);
  }

  async #timed({ move, write }: SharedWrite, tx: Tx): Promise<void> {
    const began = performance.now();
    await write(tx);
    if (performance.now() - began >= slowMs) this.#apart.add(move.projection);
  }
}

const ofDatabases = new WeakMap<Database, SharedTransactions>();

/** The transactions that the followers of a database share. */
export const sharedTransactions = (db: Database): SharedTransactions => {
  const known = ofDatabases.get(db);
  if (known !== undefined) return known;
  const made = new SharedTransactions(db);
  ofDatabases.set(db, made);
  return made;
};
