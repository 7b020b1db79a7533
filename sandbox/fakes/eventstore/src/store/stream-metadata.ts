// A stream's metadata: it decides which of the stream's events readers may see.

type Metadata = Readonly<Record<string, unknown>>;

/** `$tb` of a soft-deleted stream: the largest revision there can be. Beyond JavaScript's integers, so kept as text. */
const DELETED_TRUNCATE_BEFORE = '9223372036854775807';

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;

export function isSoftDeleted(metadata: Metadata): boolean {
  return (count(metadata.$tb) ?? 0) > Number.MAX_SAFE_INTEGER;
}

/** The oldest revision that `$tb` and `$maxCount` leave visible in a stream that ends at `last`. */
export function firstVisible(metadata: Metadata, last: number): number {
  const maxCount = count(metadata.$maxCount);
  return Math.max(0, count(metadata.$tb) ?? 0, maxCount === undefined ? 0 : last + 1 - maxCount);
}

/** The greatest age of a visible event; Infinity without `$maxAge` (which is in seconds). */
export function maxAgeMs(metadata: Metadata): number {
  const seconds = count(metadata.$maxAge);
  return seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
}

/** The metadata, as JSON, that soft-deletes a stream: it replaces every other setting, as in EventStoreDB. */
export const SOFT_DELETED_METADATA = `{"$tb":${DELETED_TRUNCATE_BEFORE}}`;

/** The metadata, as JSON, under which a soft-deleted stream goes on with revision `next`. */
export function undeletedMetadata(metadata: Metadata, next: number): string {
  return JSON.stringify({ ...metadata, $tb: next });
}
