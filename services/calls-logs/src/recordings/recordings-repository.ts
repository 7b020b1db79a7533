// The files of recordings, each with the moment from which it is to be deleted.
import { JobQueue } from '@parlance/jobs';
import type { Tx } from '@parlance/postgres';

/** The days after which a file without a handed-over call is deleted. */
const unusedDays = 7;
const dayMs = 24 * 60 * 60 * 1_000;

export interface RecordingFile {
  readonly storageKey: string;
  readonly organizationId: string;
  readonly callId: string;
}

/** Call this before the address is given out. */
export const noteOffered = async (
  tx: Tx,
  { storageKey, organizationId, callId, uploadableUntil }: RecordingFile & { readonly uploadableUntil: Date },
): Promise<void> => {
  await tx.query({
    name: 'recording-offered',
    text: `insert into recordings as r (storage_key, organization_id, call_id, uploadable_until, delete_at)
           values ($1, $2, $3, $4, $5)
           on conflict (storage_key) do update set uploadable_until = excluded.uploadable_until,
             delete_at = case when r.is_kept then r.delete_at else excluded.delete_at end`,
    values: [
      ...[storageKey, organizationId, callId, uploadableUntil],
      new Date(uploadableUntil.getTime() + unusedDays * dayMs),
    ],
  });
};

/** @param deleteAt null: the file stays until its call is deleted */
export const noteKept = async (
  tx: Tx,
  { storageKey, organizationId, callId, deleteAt }: RecordingFile & { readonly deleteAt: Date | null },
): Promise<void> => {
  await tx.query({
    name: 'recording-kept',
    text: `insert into recordings (storage_key, organization_id, call_id, delete_at, is_kept)
           values ($1, $2, $3, $4, true)
           on conflict (storage_key) do update set delete_at = excluded.delete_at, is_kept = true, tries = 0`,
    values: [storageKey, organizationId, callId, deleteAt],
  });
};

/** The files of a call that was deleted are due at once. */
export const noteUnwanted = async (
  tx: Tx,
  { organizationId, callId }: Pick<RecordingFile, 'organizationId' | 'callId'>,
  now: Date,
): Promise<void> => {
  await tx.query({
    name: 'recording-unwanted',
    text: `update recordings set delete_at = $3, tries = 0
           where organization_id = $1 and call_id = $2 and (delete_at is null or delete_at > $3)`,
    values: [organizationId, callId, now],
  });
};

export const dueRecordings = new JobQueue<RecordingFile>({
  name: 'recordings',
  table: 'recordings',
  key: ['storage_key'],
  columns: 'storage_key as "storageKey", organization_id as "organizationId", call_id as "callId"',
  dueAt: 'delete_at',
  attempts: 'tries',
  leaseMs: { firstMs: 5 * 60_000, longestMs: dayMs },
});

/** An upload that began while its address was good may take so long. */
const longestUploadMs = 60 * 60_000;

/**
 * Notes that the file is gone. While an upload may still bring it back the row stays, and the file is deleted once more
 * afterwards.
 */
export const noteDeleted = async (tx: Tx, storageKey: string): Promise<void> => {
  const { rowCount } = await tx.query({
    name: 'recording-gone',
    text: `delete from recordings
           where storage_key = $1 and (uploadable_until is null or uploadable_until <= now() - $2 * interval '1 millisecond')`,
    values: [storageKey, longestUploadMs],
  });
  if (rowCount === 0)
    await tx.query({
      name: 'recording-once-more',
      // The file is gone, so it does not count towards the quota while its row waits.
      text: `with gone as (delete from stored_files where storage_key = $1)
             update recordings set tries = 0, delete_at = uploadable_until + $2 * interval '1 millisecond'
             where storage_key = $1`,
      values: [storageKey, longestUploadMs],
    });
};
