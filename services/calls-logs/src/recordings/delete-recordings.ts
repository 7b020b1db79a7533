// Deletes recordings that are due: first the file, then the event of its call, then the row. A process that dies in between does no
// harm, because each step can be done again.
import { type Iteration, runDue, startJobs } from '@parlance/jobs';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type Calls, reportedBy } from '../call/call-repository.js';
import { dueRecordings, noteDeleted, type RecordingFile } from './recordings-repository.js';

export interface DeletingOptions {
  readonly db: Database;
  readonly storage: Pick<ObjectStorage, 'delete'>;
  readonly calls: Pick<Calls, 'handle'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

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
  await noteDeleted(db, storageKey);
};

const workOf = (options: DeletingOptions) => ({
  db: options.db,
  queue: dueRecordings,
  logger: options.logger,
  atOnce: 100,
  abreast: 10,
  // While the storage is down, the rest of the batch waits for the next iteration.
  needsTheSame: true,
  perform: (file: RecordingFile) => deleteFile(options, file),
  describe: ({ callId }: RecordingFile) => ({ callId }),
});

/** Deletes the files that are due. A file that cannot be deleted now is logged, and is due again later. */
export const deleteDueRecordings = (options: DeletingOptions): Promise<Iteration> => runDue(workOf(options));

/** Starts at once. */
export const startDeletingRecordings = (options: DeletingOptions): RunningPart =>
  startJobs({
    ...workOf(options),
    name: 'deletion of recordings',
    everyMs,
    afterwards: ({ succeeded }) => {
      if (succeeded > 0) options.logger.info({ deleted: succeeded }, 'recordings were deleted');
    },
  });
