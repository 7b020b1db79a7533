// PutObject, DeleteObject.
import { Body } from './body.js';
import { writePrecondition } from './conditions.js';
import { type Context, type Operation, requireHeaderValue } from './operation.js';
import { notImplemented, S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import type { StoredObject } from './store.js';

const keptHeaders = ['cache-control', 'content-disposition', 'content-language', 'expires'] as const;
const largestMetadata = 2048;

/** The headers of answers to reads of the object. @throws S3Error MetadataTooLarge, InvalidArgument */
const headersOf = (request: S3Request): Record<string, string> => {
  const headers: Record<string, string> = {
    'content-type': request.header('content-type') ?? 'binary/octet-stream',
  };
  // `aws-chunked` describes the transfer of the content, not the content.
  const encoding = (request.header('content-encoding') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked');
  if (encoding.length > 0) headers['content-encoding'] = encoding.join(', ');
  const metadata = request.amzHeaderNames().filter((name) => name.startsWith('x-amz-meta-'));
  for (const name of [...keptHeaders, ...metadata]) {
    const value = request.header(name);
    if (value !== undefined) headers[name] = requireHeaderValue(name, value);
  }
  const bytes = metadata.reduce(
    (sum, name) => sum + Buffer.byteLength(name.slice('x-amz-meta-'.length) + headers[name]),
    0,
  );
  if (bytes > largestMetadata)
    throw new S3Error('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size');
  return headers;
};

const put = async ({ store, request, payloadHash, response }: Context): Promise<void> => {
  const { bucket, key } = request;
  store.requireBucket(bucket);
  const allow = writePrecondition(request);
  const body = new Body(request, payloadHash);
  const headers = headersOf(request);
  const contentId = await store.writeContent(body.content());
  const { size, md5, checksums } = body.facts;
  const object: StoredObject = { contentId, size, etag: md5, modifiedAt: Date.now(), headers, checksums };
  await store.put(bucket, key, object, allow);
  response.setHeader('etag', `"${md5}"`);
  for (const [name, value] of Object.entries(checksums)) response.setHeader(name, value);
  response.end();
};

export const putObject: Operation = {
  target: 'put',
  run: put,
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
