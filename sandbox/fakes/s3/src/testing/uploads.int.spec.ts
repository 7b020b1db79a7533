// The fate of sent content: its place, the reads meanwhile, and bodies that differ from their claims.
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientAt, fetched, keysIn, put, textOf } from '../conformance/support.js';
import { type RunningS3, startS3 } from '../index.js';
import { contentFiles, keys, until } from './server-process.js';

const Bucket = 'uploads';
let parentDir: string;
let dataDir: string;
let server: RunningS3;
let client: S3Client;

const start = () => startS3({ dataDir, buckets: [Bucket], ...keys });
const clientOf = ({ url }: RunningS3) =>
  clientAt({ url, ...keys }, { requestChecksumCalculation: 'WHEN_REQUIRED' });

beforeEach(async () => {
  parentDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
  dataDir = join(parentDir, 'data');
  server = await start();
  client = clientOf(server);
});
afterEach(async () => {
  client.destroy();
  await server.stop();
  await rm(parentDir, { recursive: true, force: true });
});

const signedPut = (Key: string, more: Partial<PutObjectCommandInput> = {}) =>
  getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ...more }));

describe('an upload that breaks off', () => {
  it('leaves nothing, and what was there as it was', async () => {
    await put(client, Bucket, 'kept', 'as it was');
    for (const key of ['kept', 'new']) {
      const upload = request(await signedPut(key), {
        method: 'PUT',
        headers: { 'content-length': 10_000_000 },
      });
      upload.on('error', () => undefined);
      upload.write(Buffer.alloc(500_000));
      await until(() =>
        contentFiles(dataDir).some((name) => statSync(join(dataDir, 'content', name)).size > 1000),
      );
      upload.destroy();
      await until(() => contentFiles(dataDir).length === 1);
    }
    expect(await keysIn(client, Bucket)).toEqual(['kept']);
    expect(await textOf(client, Bucket, 'kept')).toBe('as it was');
  });
});

describe('a key', () => {
  it.each([
    '../../escaped',
    '..',
    '.',
    '/leading',
    '//two',
    'a/../../../escaped',
    'a/./b',
    '..\\..\\escaped',
    '%2e%2e/escaped',
    'content',
  ])('such as %s is a name and never a path', async (key) => {
    await put(client, Bucket, key, `content of ${key}`);
    expect(await textOf(client, Bucket, key)).toBe(`content of ${key}`);
    expect(await keysIn(client, Bucket)).toEqual([key]);
    expect(readdirSync(parentDir)).toEqual(['data']);
    expect(readdirSync(dataDir).sort()).toEqual(['content', 'index']);
    expect(contentFiles(dataDir)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});

describe('many writers of one key', () => {
  it('are read one at a time, whole', async () => {
    const letters = [...'abcdefgh'];
    const bodyOf = (letter: string) => letter.repeat(20_000 + 10_000 * letters.indexOf(letter));
    await put(client, Bucket, 'one', bodyOf('a'));
    let writing = true;
    const read = async () => {
      const seen = new Set<string>();
      while (writing) {
        const text = (await textOf(client, Bucket, 'one')) ?? '';
        expect(text === bodyOf(text.slice(0, 1))).toBe(true);
        seen.add(text.slice(0, 1));
      }
      return seen;
    };
    const readers = [read(), read(), read(), read()];
    await Promise.all(
      letters.map(async (letter) => {
        for (let n = 0; n < 12; n += 1) await put(client, Bucket, 'one', bodyOf(letter));
      }),
    ).finally(() => {
      writing = false;
    });
    const seen = await Promise.all(readers);
    expect(Math.max(...seen.map(({ size }) => size))).toBeGreaterThan(1);
    await until(() => contentFiles(dataDir).length === 1);
  });
});

describe('a body', () => {
  /** Signs as for a good body and sends another one. */
  const sendInstead = (sent: string, body: PutObjectCommandInput['Body'], ContentLength = 5) => {
    const cheat = clientAt({ url: server.url, ...keys });
    cheat.middlewareStack.add(
      (next) => (args) => {
        const signed = args.request as { body: unknown; headers: Record<string, string> }; // unknown to the library
        signed.body = Readable.from([Buffer.from(sent)]);
        return next(args);
      },
      { step: 'deserialize', priority: 'low' },
    );
    return put(cheat, Bucket, 'cheated', body, { ContentLength });
  };
  const trailer = 'x-amz-checksum-crc32:NhCmhg==';

  it.each([
    ['BadDigest', '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
    ['MalformedTrailerError', '5\r\nhello\r\n0\r\n\r\n'],
    ['IncompleteBody', `4\r\nhell\r\n0\r\n${trailer}\r\n\r\n`],
    ['IncompleteBody', `6\r\nhello!\r\n0\r\n${trailer}\r\n\r\n`],
    ['IncompleteBody', '5\r\nhel'],
    ['IncompleteBody', 'hello'],
  ])('in chunks that is not what was announced is %s', async (name, sent) => {
    await expect(sendInstead(sent, Readable.from([Buffer.from('hello')]))).rejects.toMatchObject({ name });
    expect(await keysIn(client, Bucket)).toEqual([]);
    expect(contentFiles(dataDir)).toEqual([]);
  });

  it('in chunks that is what was announced is taken', async () => {
    await sendInstead(
      `2\r\nhe\r\n3\r\nllo\r\n0\r\n${trailer}\r\n\r\n`,
      Readable.from([Buffer.from('hello')]),
    );
    expect(await textOf(client, Bucket, 'cheated')).toBe('hello');
  });

  it('that is not what was signed is refused', async () => {
    await expect(sendInstead('jello', 'hello')).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' });
    expect(contentFiles(dataDir)).toEqual([]);
  });

  it('of unknown length is refused', async () => {
    const upload = request(await signedPut('unknown'), { method: 'PUT' });
    upload.write('x');
    upload.end();
    const [{ statusCode }] = await once(upload, 'response');
    expect(statusCode).toBe(411);
    upload.destroy();
  });

  it('is not held against the checksum of no body at all, which the library puts into URLs unless told not to', async () => {
    const careless = clientAt({ url: server.url, ...keys });
    const url = await getSignedUrl(careless, new PutObjectCommand({ Bucket, Key: 'careless' }));
    expect(url).toContain('x-amz-checksum-crc32=AAAAAA');
    expect(await fetched(url, { method: 'PUT', body: 'something' })).toMatchObject({ status: 200 });
  });
});
