// Objects: put, read in whole and in part, described, replaced under conditions, deleted.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ChecksumAlgorithm,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, conformanceTarget, keysIn, put, textOf } from './support.js';

let target: ConformanceTarget;
beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(() => target.close());

const stored = (Key: string, body?: PutObjectCommandInput['Body'], more?: Partial<PutObjectCommandInput>) =>
  put(target.client, target.bucket, Key, body, more);
const read = (Key: string, more = {}) =>
  target.client.send(new GetObjectCommand({ Bucket: target.bucket, Key, ...more }));
const head = (Key: string, more = {}) =>
  target.client.send(new HeadObjectCommand({ Bucket: target.bucket, Key, ...more }));
const remove = (Key: string) => target.client.send(new DeleteObjectCommand({ Bucket: target.bucket, Key }));
const error = (name: string, httpStatusCode: number) => ({ name, $metadata: { httpStatusCode } });

describe('an object', () => {
  it('is read as it was put, and replaced as a whole', async () => {
    const first = await stored('whole', 'first');
    const second = await stored('whole', 'the second');
    expect(second.ETag).not.toBe(first.ETag);
    const found = await read('whole');
    expect(found).toMatchObject({ ContentLength: 10, ETag: second.ETag, AcceptRanges: 'bytes' });
    expect(await found.Body?.transformToString()).toBe('the second');
  });

  it('may be empty', async () => {
    await stored('empty', '', { ContentLength: 0 });
    expect(await head('empty')).toMatchObject({
      ContentLength: 0,
      ETag: '"d41d8cd98f00b204e9800998ecf8427e"',
    });
    expect(await textOf(target.client, target.bucket, 'empty')).toBe('');
  });

  it('keeps its type, its headers and its metadata', async () => {
    const facts = {
      ContentType: 'text/csv',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="a b.csv"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'de',
      Metadata: { campaign: 'spring', 'with-dash': 'a, b = c' },
    };
    await stored('described', 'x', facts);
    expect(await head('described')).toMatchObject(facts);
    expect(await read('described')).toMatchObject(facts);
  });

  it('that is not there is NoSuchKey, in a bucket that is not there NoSuchBucket', async () => {
    await expect(read('missing')).rejects.toMatchObject(error('NoSuchKey', 404));
    await expect(head('missing')).rejects.toMatchObject(error('NotFound', 404));
    const Bucket = `${target.bucket}-not`;
    await expect(put(target.client, Bucket, 'x')).rejects.toMatchObject(error('NoSuchBucket', 404));
    await expect(textOf(target.client, Bucket, 'x')).rejects.toMatchObject(error('NoSuchBucket', 404));
  });

  it('is gone after it was deleted, however often', async () => {
    await stored('deleted');
    expect(await remove('deleted')).toMatchObject({ $metadata: { httpStatusCode: 204 } });
    await expect(read('deleted')).rejects.toMatchObject(error('NoSuchKey', 404));
    expect(await remove('deleted')).toMatchObject({ $metadata: { httpStatusCode: 204 } });
  });

  it.each([
    'a space/and another',
    'ünïcødé/日本語/😀',
    'per%cent/%20/%2F',
    'a+b&c=d?e#f',
    `<xml> & "quotes" 'too'`,
    "!*'();:@$,~_-.",
    'dots..dots/...',
    'folder/',
  ])('may be called %s', async (key) => {
    await stored(key, `content of ${key}`);
    expect(await textOf(target.client, target.bucket, key)).toBe(`content of ${key}`);
    expect(await keysIn(target.client, target.bucket)).toContain(key);
    await remove(key);
    expect(await keysIn(target.client, target.bucket)).not.toContain(key);
  });

  it('cannot have a key of more than 1024 bytes', async () => {
    await expect(stored('k'.repeat(1025))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
  });
});

describe('a range', () => {
  beforeAll(() => stored('ranged', '0123456789'));

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ])('%s is that part', async (Range, text, ContentRange) => {
    const found = await read('ranged', { Range });
    expect(found).toMatchObject({
      ContentRange,
      ContentLength: text.length,
      $metadata: { httpStatusCode: 206 },
    });
    expect(await found.Body?.transformToString()).toBe(text);
    expect(await head('ranged', { Range })).toMatchObject({ ContentRange, ContentLength: text.length });
  });

  it('behind the end is 416', async () => {
    await expect(read('ranged', { Range: 'bytes=10-' })).rejects.toMatchObject(error('InvalidRange', 416));
  });
});

describe('a condition', () => {
  it('of not being there lets one writer of many through', async () => {
    const bodies = ['a', 'b', 'c', 'd', 'e'];
    const puts = await Promise.allSettled(bodies.map((body) => stored('once', body, { IfNoneMatch: '*' })));
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = puts.findIndex(({ status }) => status === 'fulfilled');
    expect(await textOf(target.client, target.bucket, 'once')).toBe(bodies[winner]);
    await expect(stored('once', 'f', { IfNoneMatch: '*' })).rejects.toMatchObject(
      error('PreconditionFailed', 412),
    );
    await remove('once');
    await stored('once', 'g', { IfNoneMatch: '*' });
  });

  it('of being unchanged lets a writer through that knows the last version', async () => {
    const { ETag } = await stored('versioned', '1');
    await stored('versioned', '2', { IfMatch: ETag });
    await expect(stored('versioned', '3', { IfMatch: ETag })).rejects.toMatchObject(
      error('PreconditionFailed', 412),
    );
    expect(await textOf(target.client, target.bucket, 'versioned')).toBe('2');
  });

  it('saves a read that has nothing new', async () => {
    const { ETag } = await stored('cached', 'x');
    const { LastModified = new Date(0) } = await head('cached');
    const before = new Date(LastModified.getTime() - 60_000);
    const status = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
    await expect(read('cached', { IfNoneMatch: ETag })).rejects.toMatchObject(status(304));
    await expect(read('cached', { IfModifiedSince: LastModified })).rejects.toMatchObject(status(304));
    await expect(read('cached', { IfMatch: '"other"' })).rejects.toMatchObject(status(412));
    await expect(read('cached', { IfUnmodifiedSince: before })).rejects.toMatchObject(status(412));
    expect(await read('cached', { IfMatch: ETag, IfModifiedSince: before })).toMatchObject(status(200));
  });
});

describe('content', () => {
  it('comes through as a stream, checked by the library as it goes', async () => {
    const content = randomBytes(3_000_000);
    const pieces = Array.from({ length: 100 }, (_, n) => content.subarray(n * 30_000, (n + 1) * 30_000));
    await stored('streamed', Readable.from(pieces), { ContentLength: content.length });
    const found = await read('streamed', { ChecksumMode: 'ENABLED' });
    expect(found.ContentEncoding).toBeUndefined();
    expect(found.ChecksumCRC32).toBeDefined();
    expect(Buffer.compare(Buffer.from((await found.Body?.transformToByteArray()) ?? []), content)).toBe(0);
  });

  it.each([
    ChecksumAlgorithm.CRC32,
    ChecksumAlgorithm.CRC32C,
    ChecksumAlgorithm.CRC64NVME,
    ChecksumAlgorithm.SHA1,
    ChecksumAlgorithm.SHA256,
  ])('keeps a checksum of kind %s, sent ahead or behind', async (algorithm) => {
    const body = Buffer.from('123456789');
    const facts = { ChecksumAlgorithm: algorithm, ContentLength: body.length };
    const ahead = await stored(`ahead-${algorithm}`, body, facts);
    await stored(`behind-${algorithm}`, Readable.from([body]), facts);
    const name = `Checksum${algorithm}` as const;
    expect(ahead[name]).toMatch(/^[\w+/]+=*$/);
    expect((await head(`behind-${algorithm}`, { ChecksumMode: 'ENABLED' }))[name]).toBe(ahead[name]);
  });

  it('that is not what its checksum says is refused, and nothing changes', async () => {
    await stored('damaged', 'as it was');
    const refused = { name: expect.stringMatching(/^(BadDigest|XAmzContentChecksumMismatch)$/) };
    await expect(stored('damaged', 'x', { ChecksumCRC32: 'AAAAAA==' })).rejects.toMatchObject(refused);
    await expect(stored('damaged', 'x', { ContentMD5: '1B2M2Y8AsgTpgAmY7PhCfg==' })).rejects.toMatchObject(
      error('BadDigest', 400),
    );
    expect(await textOf(target.client, target.bucket, 'damaged')).toBe('as it was');
  });
});

describe('deleting many objects', () => {
  const keys = ['many/1', 'many/ü & <2>', 'many/&#65;', 'many/missing'];
  const deleteAll = (Quiet?: boolean) =>
    target.client.send(
      new DeleteObjectsCommand({
        Bucket: target.bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet },
      }),
    );

  it('tells of each, those included that were not there, unless it shall be quiet', async () => {
    for (const key of keys.slice(0, 3)) await stored(key);
    await stored('many/other');
    const { Deleted, Errors } = await deleteAll();
    expect(Errors).toBeUndefined();
    expect(Deleted?.map(({ Key }) => Key).sort()).toEqual([...keys].sort());
    const left = await keysIn(target.client, target.bucket);
    expect(left.filter((key) => key.startsWith('many/'))).toEqual(['many/other']);
    expect((await deleteAll(true)).Deleted).toBeUndefined();
  });
});
