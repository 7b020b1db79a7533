// A rebuild or replay works on the read models of a service from outside, and only one at a time.
import { AppError } from '@parlance/errors';
import type { Database } from '@parlance/postgres';

/** @throws AppError CONFLICT while another process works on the read models of this service */
export const withRebuildLock = async <T>(
  db: Database,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> => {
  const lock = await db.tryLock('rebuild');
  if (lock === undefined)
    throw new AppError('CONFLICT', {
      cause: new Error('another rebuild or replay runs in this service: wait until it has ended'),
    });
  try {
    return await work(lock.lost);
  } finally {
    await lock.release();
  }
};
