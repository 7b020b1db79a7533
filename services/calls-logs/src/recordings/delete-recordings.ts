// Deletes recordings that are due: first the file, then the event of its call, then the row. A process that dies in between does no
// harm, because each step can be done again.

import type { ObjectStorage } from '@parlance/object-storage';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type Calls, reportedBy } from '../call/call-repository.js';
import { noteDeleted, type RecordingFile, takeDue } from './recordings-repository.js';

export interface DeletingOptions {
  readonly db: Database;
  readonly storage: Pick<ObjectStorage, 'delete'>;
  readonly calls: Pick<Calls, 'handle'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const filesAtOnce = 100;
/** Requests to the storage at the same time. */
const abreast = 10;
const everyMs = 10_000;

const deleteFile = async (
  { db, storage, calls, clock }: DeletingOptions,
  { storageKey, organizationId, callId }: RecordingFile,
): Promise<void> => {
  await storage.delete(storageKey);
  const now = clock.now().toISOString();
  await calls.handle(
    callId,
    { type: 'RecordRecordingDeleted', now, organizationId, storageKey },
    reportedBy('calls-logs', { factId: `recording-deleted:${storageKey}`, organizationId, occurredAt: now }),
  );
  await noteDeleted(db, storageKey, clock.now());
};

/**
 * Deletes some of the files that are due. A file that cannot be deleted now is logged, and tried again later.
 * @returns the number of files that were taken, and of those that are gone
 */
export const deleteDueRecordings = async (
  options: DeletingOptions,
): Promise<{ readonly taken: number; readonly deleted: number }> => {
  const due = await takeDue(options.db, options.clock.now(), filesAtOnce);
  const waiting = [...due];
  let deleted = 0;
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      try {
        await deleteFile(options, file);
        deleted += 1;
      } catch (err) {
        options.logger.warn({ err, callId: file.callId }, 'a recording could not be deleted yet');
      }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return { taken: due.length, deleted };
};

/** Starts at once. */
export const startDeletingRecordings = (options: DeletingOptions): RunningPart =>
  startRounds({
    name: 'deletion of recordings',
    everyMs,
    logger: options.logger,
    round: async (stopping) => {
      let total = 0;
      for (let more = true; more && !stopping.aborted; ) {
        const { taken, deleted } = await deleteDueRecordings(options);
        total += deleted;
        // A storage that is away is left alone until the next round.
        more = taken === filesAtOnce && deleted > 0;
      }
      if (total > 0) options.logger.info({ deleted: total }, 'recordings were deleted');
    },
  });
