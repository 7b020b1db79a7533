// One page of a bucket's listing: keys in order, those that share a prefix up to the delimiter told as one.
import { S3Error } from './s3-error.js';
import type { ObjectStore, StoredObject } from './store.js';

export interface ListingQuery {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  /** Keys before these bytes are left out. */
  readonly from: Buffer;
  readonly maxKeys: number;
}

export interface ListingPage {
  readonly objects: { readonly key: string; readonly object: StoredObject }[];
  readonly prefixes: string[];
  /** Where the next page begins; undefined when there is none. */
  readonly next?: string;
}

/** The smallest bytes behind a key. */
export const behind = (key: string): Buffer => Buffer.from(`${key}\0`);
/** The smallest bytes behind every key with a prefix: UTF-8 has no 0xff. */
const behindPrefix = (prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), Buffer.from([0xff])]);

/** A continuation token says where a page begins. @throws S3Error InvalidArgument */
export const parseToken = (token: string): Buffer => {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length === 0 || bytes.toString('base64url') !== token)
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return bytes;
};

const commonPrefix = (key: string, { prefix, delimiter }: ListingQuery): string | undefined => {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
};

export const listPage = (store: ObjectStore, query: ListingQuery): ListingPage => {
  const page = { objects: [] as ListingPage['objects'], prefixes: [] as string[] };
  if (query.maxKeys === 0) return page;
  let from: Buffer | undefined = query.from;
  while (from) {
    const start: Buffer = from;
    from = undefined;
    for (const { key, object } of store.scan(query.bucket, query.prefix, start)) {
      if (page.objects.length + page.prefixes.length === query.maxKeys)
        return { ...page, next: Buffer.from(key).toString('base64url') };
      const common = commonPrefix(key, query);
      if (common !== undefined) {
        page.prefixes.push(common);
        // All other keys with this prefix are folded into it: go on behind it instead of reading through them.
        from = behindPrefix(common);
        break;
      }
      page.objects.push({ key, object });
    }
  }
  return page;
};
