// Makes a read model start over from the first event.
import { AppError } from '@parlance/errors';
import type { Database } from '@parlance/persistence';
import { lockOf } from './subscriber.js';

/**
 * Empties a read model with `clear` and forgets how far its projection had come and what it had set aside, while no copy
 * of the projection is active; the next one to start makes it again.
 * @throws AppError CONFLICT while a copy is active
 */
export const resetProjection = async (
  db: Database,
  id: string,
  clear: () => Promise<void>,
): Promise<void> => {
  const lock = await db.tryLock(lockOf(id));
  if (lock === undefined) throw new AppError('CONFLICT', { details: { activeProjection: id } });
  try {
    await clear();
    await db.transaction(async (tx) => {
      await tx.query('delete from projection_checkpoints where id = $1', [id]);
      await tx.query('delete from projection_dead_letters where projection_id = $1', [id]);
    });
  } finally {
    await lock.release();
  }
};
