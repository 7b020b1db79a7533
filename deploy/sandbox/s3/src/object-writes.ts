// PutObject, CopyObject, DeleteObject.
import { Body } from './body.js';
import { writePrecondition } from './conditions.js';
import { type Context, noSuchKey, type Operation } from './operation.js';
import { notImplemented, S3Error, sendXml } from './s3-error.js';
import { decodeUri, type S3Request } from './s3-request.js';
import type { StoredObject } from './store.js';
import { element, xmlDocument } from './xml.js';

const keptHeaders = ['cache-control', 'content-disposition', 'content-language', 'expires'] as const;
const longestKey = 1024;
const largestMetadata = 2048;

const requireKey = ({ key }: S3Request): void => {
  const bytes = Buffer.byteLength(key);
  if (bytes > longestKey)
    throw new S3Error('KeyTooLongError', 'Your key is too long', {
      Size: String(bytes),
      MaxSizeAllowed: String(longestKey),
    });
};

/** What reads of the object will answer with. @throws S3Error MetadataTooLarge */
const headersOf = (request: S3Request): Record<string, string> => {
  const headers: Record<string, string> = {
    'content-type': request.header('content-type') ?? 'binary/octet-stream',
  };
  // `aws-chunked` is how the content was sent, not what it is.
  const encoding = (request.header('content-encoding') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked');
  if (encoding.length > 0) headers['content-encoding'] = encoding.join(', ');
  const metadata = request.amzHeaderNames().filter((name) => name.startsWith('x-amz-meta-'));
  for (const name of [...keptHeaders, ...metadata]) {
    const value = request.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const bytes = metadata.reduce(
    (sum, name) => sum + Buffer.byteLength(name.slice('x-amz-meta-'.length) + headers[name]),
    0,
  );
  if (bytes > largestMetadata)
    throw new S3Error('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size');
  return headers;
};

const put = async ({ store, request, authenticated, response }: Context): Promise<void> => {
  const { bucket, key } = request;
  const allow = writePrecondition(request);
  const body = new Body(request, authenticated);
  const headers = headersOf(request);
  const contentId = await store.writeContent(body.content());
  const { size, md5, checksums } = body.facts;
  const object: StoredObject = { contentId, size, etag: md5, modifiedAt: Date.now(), headers, checksums };
  await store.put(bucket, key, object, allow);
  response.setHeader('etag', `"${md5}"`);
  for (const [name, value] of Object.entries(checksums)) response.setHeader(name, value);
  response.end();
};

/** `/bucket/key` or `bucket/key`, encoded as in a URL. */
const sourceOf = (text: string): { bucket: string; key: string } => {
  if (text.includes('?')) throw notImplemented('A version of the source');
  const [, bucket = '', key = ''] = /^\/?([^/]*)\/(.*)$/s.exec(decodeUri(text)) ?? [];
  if (bucket === '' || key === '')
    throw new S3Error(
      'InvalidArgument',
      'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    );
  return { bucket, key };
};

const copy = async ({ store, request, response }: Context): Promise<void> => {
  const source = sourceOf(request.header('x-amz-copy-source') ?? '');
  store.requireBucket(source.bucket);
  const found = store.find(source.bucket, source.key);
  if (!found) throw noSuchKey(source.key);
  const replace = request.header('x-amz-metadata-directive') === 'REPLACE';
  if (!replace && source.bucket === request.bucket && source.key === request.key)
    throw new S3Error(
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.',
    );
  const headers = replace ? headersOf(request) : found.headers;
  const allow = writePrecondition(request);
  const contentId = await store.shareContent(found);
  const object = { ...found, contentId, headers, modifiedAt: Date.now() };
  await store.put(request.bucket, request.key, object, allow);
  const LastModified = new Date(object.modifiedAt).toISOString();
  sendXml(response, xmlDocument('CopyObjectResult', element({ LastModified, ETag: `"${found.etag}"` })));
};

export const putObject: Operation = {
  target: 'put',
  run: async (context) => {
    requireKey(context.request);
    context.store.requireBucket(context.request.bucket);
    await (context.request.header('x-amz-copy-source') === undefined ? put(context) : copy(context));
  },
};

export const deleteObject: Operation = {
  target: 'delete',
  run: async ({ store, request, response }) => {
    if (request.header('if-match') !== undefined) throw notImplemented('If-Match on a deletion');
    await store.delete(request.bucket, [request.key]);
    response.statusCode = 204;
    response.end();
  },
};
