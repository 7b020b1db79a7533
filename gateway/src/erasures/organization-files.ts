// The files of a removed organization, of whatever kind. Each service deletes its own; this finds what arrived afterwards, and
// the kinds that no service deletes.
import { type ObjectStorage, organizationPrefix, uploadSeconds } from '@parlance/object-storage';

const filesAtOnce = 500;

/** @returns false when there may be more */
export const deleteFilesOf = async (
  storage: Pick<ObjectStorage, 'list' | 'delete'>,
  organizationId: string,
): Promise<boolean> => {
  let deleted = 0;
  for await (const { key } of storage.list(organizationPrefix(organizationId))) {
    if (deleted === filesAtOnce) return false;
    await storage.delete(key);
    deleted += 1;
  }
  return true;
};

/** The time from which no upload can arrive any more whose address was made before the removal. */
export const noUploadsAfter = (removedAt: Date): Date =>
  new Date(removedAt.getTime() + (uploadSeconds + 60) * 1_000);
