// How far a subscriber has come, in the service's own Postgres: moved by compare-and-set, so that of two copies that
// both believe to be the active one, only one gets on.
import type { Database, Tx } from '@parlance/persistence';

/** Somebody else moved the checkpoint: this copy is not the active one (any more). */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';

  constructor(readonly projection: string) {
    super('another copy of this projection has moved its checkpoint');
  }
}

const beforeTheFirst = -1n;

/** Positions are decimal strings in storage: as numbers they would lose digits. */
export class Checkpoint {
  #position: bigint;

  private constructor(
    readonly projection: string,
    position: bigint,
  ) {
    this.#position = position;
  }

  /** The stored checkpoint; made on first use, before the first event. */
  static async load(db: Database, projection: string): Promise<Checkpoint> {
    await db.query(
      'insert into projection_checkpoints (id, position) values ($1, $2) on conflict do nothing',
      [projection, beforeTheFirst.toString()],
    );
    const { rows } = await db.query<{ position: string }>(
      'select position from projection_checkpoints where id = $1',
      [projection],
    );
    return new Checkpoint(projection, BigInt(rows[0]?.position ?? beforeTheFirst));
  }

  /** Position of the last event that was dealt with; -1 before the first. */
  get position(): bigint {
    return this.#position;
  }

  /**
   * Writes the new position in `tx`. Call `moved` once the transaction has been committed.
   * @throws CheckpointMoved, which must roll the transaction back
   */
  async move(tx: Tx, to: bigint): Promise<void> {
    const { rowCount } = await tx.query({
      name: 'projection-checkpoint-move',
      text: `update projection_checkpoints set position = $3, updated_at = now()
             where id = $1 and position = $2`,
      values: [this.projection, this.#position.toString(), to.toString()],
    });
    if (rowCount !== 1) throw new CheckpointMoved(this.projection);
  }

  moved(to: bigint): void {
    this.#position = to;
  }
}
