// HeadObject and GetObject.
import { pipeline } from 'node:stream/promises';
import { checkRead } from './conditions.js';
import { type Context, noSuchKey, type Operation, requireHeaderValue } from './operation.js';
import { S3Error } from './s3-error.js';
import type { StoredObject } from './store.js';

/** A presigned URL may set these headers of the answer for a browser's download. */
const overrides = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;
const parameters = overrides.map((header) => `response-${header}`);

interface Slice {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** The one range that is asked for; undefined for all of it. @throws S3Error InvalidRange */
const rangeOf = ({ request, response }: Context, object: StoredObject): Slice | undefined => {
  const given = request.header('range');
  const ifRange = request.header('if-range');
  if (given === undefined || (ifRange !== undefined && ifRange !== `"${object.etag}"`)) return undefined;
  const ranges = response.req.range(object.size);
  if (ranges === -1)
    throw new S3Error('InvalidRange', 'The requested range is not satisfiable', {
      RangeRequested: given,
      ActualObjectSize: String(object.size),
    });
  // A header that is no range is ignored, and several ranges are answered with everything.
  const [range, ...more] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  return more.length === 0 ? range : undefined;
};

/** Status and headers; the range is that of the body that goes with them. */
const answerHead = (context: Context, object: StoredObject): Slice => {
  const { request, response } = context;
  response.setHeader('etag', `"${object.etag}"`);
  response.setHeader('last-modified', new Date(object.modifiedAt).toUTCString());
  checkRead(request, object);
  const range = rangeOf(context, object);
  const all = { start: 0, end: object.size - 1 };
  const { start, end } = range ?? all;
  if (range) {
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${start}-${end}/${object.size}`);
  }
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-length', end - start + 1);
  for (const [name, value] of Object.entries(object.headers)) response.setHeader(name, value);
  for (const name of overrides) {
    const value = request.parameter(`response-${name}`);
    if (value !== undefined) response.setHeader(name, requireHeaderValue(name, value));
  }
  // A checksum is one of the whole; a client would hold a part against it.
  if (!range && request.header('x-amz-checksum-mode') === 'ENABLED')
    for (const [name, value] of Object.entries(object.checksums)) response.setHeader(name, value);
  return { start, end };
};

export const headObject: Operation = {
  target: 'head',
  parameters,
  run: (context) => {
    const { store, request, response } = context;
    store.requireBucket(request.bucket);
    const object = store.find(request.bucket, request.key);
    if (!object) throw noSuchKey(request.key);
    answerHead(context, object);
    response.end();
  },
};

export const getObject: Operation = {
  target: 'get',
  parameters,
  run: async (context) => {
    const { store, request, response } = context;
    store.requireBucket(request.bucket);
    const opened = await store.openContent(request.bucket, request.key);
    if (!opened) throw noSuchKey(request.key);
    try {
      const { start, end } = answerHead(context, opened.object);
      if (end < start) response.end();
      else await pipeline(opened.file.createReadStream({ start, end, autoClose: false }), response);
    } finally {
      await opened.file.close();
    }
  },
};
