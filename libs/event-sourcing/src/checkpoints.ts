// The position of a subscriber, in the service's own Postgres. It is moved by compare-and-set: of two copies that both
// believe to be the active one, only one gets on.
import type { Database, Tx } from '@parlance/postgres';

/**
 * Another process moved the checkpoint, or put another read model behind it: the memory of this copy is out of date.
 */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';

  constructor(readonly projection: string) {
    super('another process has touched the checkpoint of this projection');
  }
}

const beforeTheFirst = -1n;

interface Row {
  readonly position: string;
  readonly generation: number;
  readonly fence: number;
}

export interface CheckpointState {
  /** Position of the last event that was dealt with; -1 before the first. */
  readonly position: bigint;
  /** The number of the copy of the read model's collections that is read. */
  readonly generation: number;
  /** Changes whenever a process other than the projection touches the rows that the projection keeps in memory. */
  readonly fence: number;
}

const select = 'select position, generation, fence from projection_checkpoints where id = $1';

const stateIn = (row: Row | undefined): CheckpointState => ({
  position: BigInt(row?.position ?? beforeTheFirst),
  generation: row?.generation ?? 0,
  fence: row?.fence ?? 0,
});

/** The stored checkpoint; made on first use, before the first event. */
export const loadCheckpoint = async (db: Database, projection: string): Promise<CheckpointState> => {
  await db.query('insert into projection_checkpoints (id, position) values ($1, $2) on conflict do nothing', [
    projection,
    beforeTheFirst.toString(),
  ]);
  const { rows } = await db.query<Row>(select, [projection]);
  return stateIn(rows[0]);
};

/** The stored checkpoint, which no other transaction can move until `tx` has ended. */
export const lockCheckpoint = async (tx: Tx, projection: string): Promise<CheckpointState> => {
  const { rows } = await tx.query<Row>(`${select} for update`, [projection]);
  return stateIn(rows[0]);
};

/** Makes running copies of the projection read their memory again. */
export const fenceOff = async (tx: Tx, projection: string): Promise<void> => {
  await tx.query('update projection_checkpoints set fence = fence + 1 where id = $1', [projection]);
};

/** A move of a checkpoint by the copy that has it in memory. */
export interface CheckpointMove {
  readonly projection: string;
  readonly from: bigint;
  readonly to: bigint;
  readonly fence: number;
}

/**
 * Moves several checkpoints in `tx`. A checkpoint that another transaction holds, such as the swap of a rebuilt read model,
 * is not waited for.
 * @throws Error when one of them cannot be moved; roll the transaction back
 */
export const moveTogether = async (tx: Tx, moves: readonly CheckpointMove[]): Promise<void> => {
  const { rowCount } = await tx.query({
    name: 'projection-checkpoints-move',
    text: `with free as (
             select c.id, m.moved_to from projection_checkpoints c
             join unnest($1::text[], $2::text[], $3::text[], $4::int[]) as m (id, moved_from, moved_to, fence)
               on c.id = m.id and c.position = m.moved_from and c.fence = m.fence
             for update of c skip locked)
           update projection_checkpoints c set position = free.moved_to, updated_at = now()
           from free where c.id = free.id`,
    values: [
      moves.map(({ projection }) => projection),
      moves.map(({ from }) => from.toString()),
      moves.map(({ to }) => to.toString()),
      moves.map(({ fence }) => fence),
    ],
  });
  if (rowCount !== moves.length) throw new Error('a checkpoint is held or was moved by another process');
};

/** Positions are decimal strings in storage: as numbers they would lose digits. */
export class Checkpoint {
  readonly generation: number;
  readonly #fence: number;
  #position: bigint;
  #stored: bigint;
  #aheadSince: number | undefined;

  private constructor(
    readonly projection: string,
    { position, generation, fence }: CheckpointState,
  ) {
    this.#position = position;
    this.#stored = position;
    this.generation = generation;
    this.#fence = fence;
  }

  static async load(db: Database, projection: string): Promise<Checkpoint> {
    return new Checkpoint(projection, await loadCheckpoint(db, projection));
  }

  /** Position of the last event that was dealt with; -1 before the first. */
  get position(): bigint {
    return this.#position;
  }

  /** Milliseconds since the position has passed the stored one; undefined while it is the stored one. */
  get aheadMs(): number | undefined {
    return this.#aheadSince === undefined ? undefined : performance.now() - this.#aheadSince;
  }

  /** The move to this position, for a transaction that moves other checkpoints, too. */
  moveTo(to: bigint): CheckpointMove {
    return { projection: this.projection, from: this.#stored, to, fence: this.#fence };
  }

  /**
   * Writes the new position in `tx`, which holds the checkpoint until it ends. Do this first, so that a swap of the read
   * model waits for the writes and does not fall between them. Call `moved` once the transaction has been committed.
   * @throws CheckpointMoved, which must roll the transaction back
   */
  async move(tx: Tx, to: bigint): Promise<void> {
    const { rowCount } = await tx.query({
      name: 'projection-checkpoint-move',
      text: `update projection_checkpoints set position = $3, updated_at = now()
             where id = $1 and position = $2 and fence = $4`,
      values: [this.projection, this.#stored.toString(), to.toString(), this.#fence],
    });
    if (rowCount !== 1) throw new CheckpointMoved(this.projection);
  }

  moved(to: bigint): void {
    this.#position = to;
    this.#stored = to;
    this.#aheadSince = undefined;
  }

  /** Nothing had to be done up to this position. A copy that begins at the stored one finds the same. */
  passed(to: bigint): void {
    this.#position = to;
    this.#aheadSince ??= performance.now();
  }
}
