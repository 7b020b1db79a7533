// Requests about the service and about buckets: making, finding and listing them, and deleting many objects at once.
import { Body } from './body.js';
import { parseDelete } from './delete-request.js';
import { behind, type ListingQuery, listPage, parseToken } from './listing.js';
import { type Operation, requireKey } from './operation.js';
import { notImplemented, S3Error, sendXml } from './s3-error.js';
import { encodePath, type S3Request } from './s3-request.js';
import { element, xmlDocument } from './xml.js';

const largestPage = 1000;
const largestXml = 2 * 1024 * 1024;
const owner = { ID: 'sandbox', DisplayName: 'sandbox' };

/** @throws S3Error InvalidBucketName */
export const requireBucketName = (name: string): void => {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..') || /^\d+(\.\d+){3}$/.test(name))
    throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.', { BucketName: name });
};

export const listBuckets: Operation = {
  target: 'list',
  run: ({ store, response }) => {
    const Bucket = store
      .buckets()
      .map(({ name, createdAt }) => ({ Name: name, CreationDate: new Date(createdAt).toISOString() }));
    sendXml(response, xmlDocument('ListAllMyBucketsResult', element({ Owner: owner, Buckets: { Bucket } })));
  },
};

export const createBucket: Operation = {
  target: 'put',
  run: async ({ store, request, response, payloadHash }) => {
    requireBucketName(request.bucket);
    // A region may be asked for; there is only this one, under any name.
    await new Body(request, payloadHash).text(largestXml);
    if (!(await store.createBucket(request.bucket)))
      throw new S3Error(
        'BucketAlreadyOwnedByYou',
        'Your previous request to create the named bucket succeeded and you already own it.',
        { BucketName: request.bucket },
      );
    response.setHeader('location', `/${request.bucket}`);
    response.end();
  },
};

export const headBucket: Operation = {
  target: 'head',
  run: ({ store, request, response }) => {
    store.requireBucket(request.bucket);
    response.end();
  },
};

export const deleteBucket: Operation = {
  target: 'delete',
  run: async ({ store, request, response }) => {
    await store.deleteBucket(request.bucket);
    response.statusCode = 204;
    response.end();
  },
};

const listingParameters = [
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
] as const;

const listingQuery = (request: S3Request): ListingQuery => {
  const asked = request.parameter('max-keys') ?? String(largestPage);
  if (!/^\d{1,9}$/.test(asked))
    throw new S3Error('InvalidArgument', 'Provided max-keys not an integer or within integer range', {
      ArgumentName: 'max-keys',
      ArgumentValue: asked,
    });
  const token = request.parameter('continuation-token');
  const startAfter = request.parameter('start-after') ?? '';
  return {
    bucket: request.bucket,
    prefix: request.parameter('prefix') ?? '',
    delimiter: request.parameter('delimiter') ?? '',
    from:
      token === undefined ? (startAfter === '' ? Buffer.alloc(0) : behind(startAfter)) : parseToken(token),
    maxKeys: Math.min(Number(asked), largestPage),
  };
};

export const listObjects: Operation = {
  target: 'list',
  parameters: listingParameters,
  run: ({ store, request, response }) => {
    if (request.parameter('list-type') !== '2') throw notImplemented('Listing in any way but list-type=2');
    store.requireBucket(request.bucket);
    const encoding = request.parameter('encoding-type');
    if (encoding !== undefined && encoding !== 'url')
      throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
    const encoded = (text: string) => (encoding === 'url' ? encodePath(text) : text);
    const given = (name: (typeof listingParameters)[number]) => {
      const value = request.parameter(name);
      return value === undefined ? undefined : encoded(value);
    };
    const query = listingQuery(request);
    const page = listPage(store, query);
    const body = element({
      Name: request.bucket,
      Prefix: encoded(query.prefix),
      Delimiter: given('delimiter'),
      StartAfter: given('start-after'),
      ContinuationToken: request.parameter('continuation-token'),
      NextContinuationToken: page.next,
      KeyCount: page.objects.length + page.prefixes.length,
      MaxKeys: query.maxKeys,
      EncodingType: encoding,
      IsTruncated: page.next !== undefined,
      Contents: page.objects.map(({ key, object }) => ({
        Key: encoded(key),
        LastModified: new Date(object.modifiedAt).toISOString(),
        ETag: `"${object.etag}"`,
        Size: object.size,
        StorageClass: 'STANDARD',
      })),
      CommonPrefixes: page.prefixes.map((prefix) => ({ Prefix: encoded(prefix) })),
    });
    sendXml(response, xmlDocument('ListBucketResult', body));
  },
};

export const deleteObjects: Operation = {
  target: 'delete',
  parameters: ['delete'],
  run: async ({ store, request, response, payloadHash }) => {
    store.requireBucket(request.bucket);
    const { keys, quiet } = parseDelete(await new Body(request, payloadHash).text(largestXml));
    for (const key of keys) requireKey(key);
    await store.delete(request.bucket, keys);
    const Deleted = quiet ? [] : keys.map((Key) => ({ Key }));
    sendXml(response, xmlDocument('DeleteResult', element({ Deleted })));
  },
};
