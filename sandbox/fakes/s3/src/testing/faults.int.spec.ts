// Every fault on demand, as a client sees it, and its traces on disk.
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clientAt, fetched, keysIn, put, textOf } from '../conformance/support.js';
import { createS3Faults, type RunningS3, startS3 } from '../index.js';
import { contentFiles, keys, until } from './server-process.js';

const Bucket = 'faulty';
const Key = 'there';
const content = Buffer.alloc(2_000_000, 'content ');
const faults = createS3Faults();
let dataDir: string;
let server: RunningS3;
let client: S3Client;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
  server = await startS3({ dataDir, buckets: [Bucket], faults, ...keys });
  client = clientAt({ url: server.url, ...keys });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  faults.clear();
  for (const key of await keysIn(client, Bucket))
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
});

const streamed = () =>
  put(client, Bucket, Key, Readable.from([content.subarray(0, 900_000), content.subarray(900_000)]), {
    ContentLength: content.length,
  });
const isThere = async () => (await keysIn(client, Bucket)).includes(Key);

const lost = { message: expect.stringMatching(/ECONNRESET|EPIPE|socket hang up/) };
const answers: [mode: string, error: object, done: boolean][] = [
  ['4xx', { name: 'InvalidRequest', $metadata: { httpStatusCode: 400 } }, false],
  ['429', { name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, false],
  ['5xx-before', { name: 'InternalError', $metadata: { httpStatusCode: 500 } }, false],
  ['5xx-after', { name: 'InternalError', $metadata: { httpStatusCode: 500 } }, true],
  ['refuse', lost, false],
  ['reset-before', lost, false],
  ['reset-after', lost, true],
];

describe('a fault', () => {
  it.each(answers)('%s while putting a stream leaves as much as its name says', async (mode, error, done) => {
    faults.set({ target: 'put', mode, times: 1 });
    await expect(streamed()).rejects.toMatchObject(error);
    expect(await isThere()).toBe(done);
    expect(contentFiles(dataDir)).toHaveLength(done ? 1 : 0);
    await streamed();
    expect(await textOf(client, Bucket, Key)).toBe(content.toString());
  });

  it.each(answers)('%s while getting gives nothing of the object', async (mode, error, _done) => {
    await streamed();
    faults.set({ target: 'get', mode, times: 1 });
    await expect(textOf(client, Bucket, Key)).rejects.toMatchObject(error);
    expect(await textOf(client, Bucket, Key)).toBe(content.toString());
  });

  it.each(answers)('%s while deleting leaves as much as its name says', async (mode, error, done) => {
    await streamed();
    faults.set({ target: 'delete', mode, times: 1 });
    await expect(client.send(new DeleteObjectCommand({ Bucket, Key }))).rejects.toMatchObject(error);
    expect(await isThere()).toBe(!done);
  });

  it('hang-after does the work and never answers', async () => {
    faults.set({ target: 'put', mode: 'hang-after', times: 1 });
    const leaving = new AbortController();
    const body = Readable.from([content]);
    const hanging = client.send(
      new PutObjectCommand({ Bucket, Key, Body: body, ContentLength: content.length }),
      { abortSignal: leaving.signal },
    );
    await until(isThere);
    leaving.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    expect(await textOf(client, Bucket, Key)).toBe(content.toString());
  });

  it('hang-after while getting keeps no file open once the client has left', async () => {
    await streamed();
    faults.set({ target: 'get', mode: 'hang-after', times: 1 });
    const leaving = new AbortController();
    const hanging = client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal: leaving.signal });
    await until(() => faults.list().every(({ mode }) => mode === 'ok'));
    leaving.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => openContent() === 0);
  });

  it('slow is late, and then right', async () => {
    faults.set({ target: 'put', mode: 'slow', ms: 150, times: 1 });
    const start = performance.now();
    await streamed();
    expect(performance.now() - start).toBeGreaterThanOrEqual(149);
    expect(await textOf(client, Bucket, Key)).toBe(content.toString());
  });

  it.each(['head', 'list'])('can hit %s', async (target) => {
    faults.set({ target, mode: '429', times: 1 });
    const asked =
      target === 'head' ? client.send(new HeadObjectCommand({ Bucket, Key })) : keysIn(client, Bucket);
    await expect(asked).rejects.toMatchObject({ $response: { statusCode: 503 } });
  });

  it('429 is SlowDown in XML with status 503, without a time to wait, and without a body for HEAD', async () => {
    await streamed();
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }));
    faults.set({ target: 'get', mode: '429', times: 1, retryAfter: 7 });
    const answer = await fetched(url);
    expect(answer).toMatchObject({ status: 503, code: 'SlowDown' });
    expect(answer.text).toMatch(
      /^<\?xml .*<Error><Code>SlowDown<\/Code><Message>Please reduce your request rate\./s,
    );
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(answer.headers.get('retry-after')).toBeNull();
    faults.set({ target: 'head', mode: '429', times: 1 });
    const headUrl = await getSignedUrl(client, new HeadObjectCommand({ Bucket, Key }));
    expect(await fetched(headUrl, { method: 'HEAD' })).toMatchObject({ status: 503, text: '' });
  });
});

/** The number of contents that this process has open; only Linux tells. */
const openContent = (): number =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd').filter((fd) =>
        linkOf(`/proc/self/fd/${fd}`).startsWith(join(dataDir, 'content/')),
      ).length
    : 0;
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
