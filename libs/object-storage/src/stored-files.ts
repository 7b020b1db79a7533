// What organizations store, against the operator's quota. Each file has a row from before its address is given out, and a trigger
// keeps the sum of an organization (libs/postgres/migrations/0008_stored_files.sql), so a check costs the same however much is stored.
import { AppError } from '@parlance/errors';
import { counter, quotaRefusals } from '@parlance/metrics';
import { type Database, deleteOfOrganization, type Tx } from '@parlance/postgres';
import type { StoredObject } from './object-storage.js';

export interface StorageQuota {
  /** Labels the metric of refusals. */
  readonly kind: 'knowledge' | 'campaigns' | 'recordings';
  /** Of one organization, unless the operator set another one for it. 0: nothing may be stored. */
  readonly bytes: number;
  /** Bytes that addresses accept at the same time, of one organization. */
  readonly openBytes: number;
}

export interface OfferedFile {
  readonly organizationId: string;
  readonly key: string;
  readonly bytes: number;
  readonly openUntil: Date;
}

const refusals = counter(quotaRefusals);

const refuse = (
  { kind }: StorageQuota,
  quota: 'bytes' | 'openBytes',
  figures: { readonly limit: number; readonly used: number },
): never => {
  refusals.add({ 'parlance.storage.kind': kind });
  throw new AppError('QUOTA_REACHED', { details: { quota, ...figures } });
};

/**
 * Counts a file before its address is given out. A second offer of the same key replaces the first.
 * @throws AppError QUOTA_REACHED with the quota, its limit and what is used without this file
 */
export const reserveFile = async (
  tx: Tx,
  { organizationId, key, bytes, openUntil }: OfferedFile,
  { quota, now }: { readonly quota: StorageQuota; readonly now: Date },
): Promise<void> => {
  // Locks the sum, so that two offers at the same time see each other.
  await tx.query({
    name: 'storage_usage_lock',
    text: `insert into storage_usage as u (organization_id) values ($1)
           on conflict (organization_id) do update set bytes = u.bytes`,
    values: [organizationId],
  });
  const { rows } = await tx.query<{ used: string; open: string; most: string | null }>({
    name: 'storage_usage_read',
    text: `select (select most from storage_quotas where organization_id = $1 and quota = 'bytes') as most,
             u.bytes - coalesce(f.bytes, 0) as used,
             (select coalesce(sum(bytes), 0) from stored_files
              where organization_id = $1 and open_until > $3 and storage_key <> $2) as open
           from storage_usage u left join stored_files f on f.organization_id = $1 and f.storage_key = $2
           where u.organization_id = $1`,
    values: [organizationId, key, now],
  });
  const [used, open] = [Number(rows[0]?.used ?? 0), Number(rows[0]?.open ?? 0)];
  const limit = Number(rows[0]?.most ?? quota.bytes);
  if (used + bytes > limit || limit === 0) refuse(quota, 'bytes', { limit, used });
  if (open + bytes > quota.openBytes) refuse(quota, 'openBytes', { limit: quota.openBytes, used: open });
  await tx.query({
    name: 'stored_file_offered',
    text: `insert into stored_files (organization_id, storage_key, bytes, open_until) values ($1, $2, $3, $4)
           on conflict (organization_id, storage_key) do update
           set bytes = excluded.bytes, open_until = excluded.open_until`,
    values: [organizationId, key, bytes, openUntil],
  });
};

/** Ends the counts of an organization whose files are deleted. */
export const forgetFiles = async (db: Database, organizationId: string): Promise<void> => {
  await deleteOfOrganization(db, organizationId, ['stored_files', 'storage_usage']);
};

/** Compares the counted files with those of the storage. */
export interface FileCounts {
  /** Organizations that have something counted. */
  organizations(): Promise<readonly string[]>;
  /**
   * Counts the files that are there with their sizes, and no others but those whose address is still open.
   * @param prefix of the keys that were listed
   * @param listedAt from before the list was read
   */
  reconcile(
    organizationId: string,
    prefix: string,
    listed: readonly Pick<StoredObject, 'key' | 'bytes'>[],
    listedAt: Date,
  ): Promise<void>;
}

export const fileCounts = (db: Database): FileCounts => ({
  organizations: async () => {
    const { rows } = await db.query<{ organization_id: string }>('select organization_id from storage_usage');
    return rows.map(({ organization_id: id }) => id);
  },
  reconcile: async (organizationId, prefix, listed, listedAt) => {
    const keys = listed.map(({ key }) => key);
    await db.transaction(async (tx) => {
      await tx.query(
        `insert into stored_files as f (organization_id, storage_key, bytes, open_until)
         select $1, key, bytes, $4 from unnest($2::text[], $3::bigint[]) as listed (key, bytes)
         on conflict (organization_id, storage_key) do update set bytes = excluded.bytes
         where f.bytes <> excluded.bytes and f.open_until <= $4`,
        [organizationId, keys, listed.map(({ bytes }) => bytes), listedAt],
      );
      await tx.query(
        `delete from stored_files
         where organization_id = $1 and starts_with(storage_key, $2) and open_until <= $3 and storage_key <> all ($4::text[])`,
        [organizationId, prefix, listedAt, keys],
      );
      await tx.query('delete from storage_usage where organization_id = $1 and files = 0', [organizationId]);
    });
  },
});
