// The features of this stand-in alone: the data that a restart keeps, its refusals, web pages of other origins.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientAt, fetched, keysIn, put, textOf } from '../conformance/support.js';
import { type RunningS3, startS3 } from '../index.js';
import { contentFiles, keys } from './server-process.js';

const Bucket = 'uploads';
const origin = 'https://app.example.com';
let dataDir: string;
let server: RunningS3;
let client: S3Client;

const start = () => startS3({ dataDir, buckets: [Bucket], corsOrigins: [origin], ...keys });
const clientOf = ({ url }: RunningS3) =>
  clientAt({ url, ...keys }, { requestChecksumCalculation: 'WHEN_REQUIRED' });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
  server = await start();
  client = clientOf(server);
});
afterEach(async () => {
  client.destroy();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const signedPut = (Key: string, more: Partial<PutObjectCommandInput> = {}) =>
  getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ...more }));

describe('a restart', () => {
  it('keeps what was there and removes what nothing refers to', async () => {
    await put(client, Bucket, 'kept', 'content', { Metadata: { a: 'b' } });
    await server.stop();
    const orphan = join(dataDir, 'content', randomUUID());
    writeFileSync(orphan, 'half');
    server = await start();
    const { Metadata, Body } = await clientOf(server).send(new GetObjectCommand({ Bucket, Key: 'kept' }));
    expect(Metadata).toEqual({ a: 'b' });
    expect(await Body?.transformToString()).toBe('content');
    expect(existsSync(orphan)).toBe(false);
  });

  it('fences off a process that still has the directory open', async () => {
    const newer = await start();
    const stale = put(client, Bucket, 'stale', 'x');
    await expect(stale).rejects.toMatchObject({ name: 'InternalError' });
    await put(clientOf(newer), Bucket, 'fresh', 'y');
    expect(await keysIn(clientOf(newer), Bucket)).toEqual(['fresh']);
    expect(contentFiles(dataDir).map((name) => readFileSync(join(dataDir, 'content', name), 'utf8'))).toEqual(
      ['y'],
    );
    await newer.stop();
  });
});

describe('what it does not have', () => {
  const Key = 'there';
  const putWith = (more: Partial<PutObjectCommandInput>) => put(client, Bucket, Key, 'x', more);

  it.each([
    ['copying', () => client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/other` }))],
    ['uploads in parts', () => client.send(new CreateMultipartUploadCommand({ Bucket, Key }))],
    ['versions', () => client.send(new GetObjectCommand({ Bucket, Key, VersionId: '1' }))],
    ['the older listing', () => client.send(new ListObjectsCommand({ Bucket }))],
    ['settings of buckets', () => client.send(new GetBucketLocationCommand({ Bucket }))],
    ['public objects', () => putWith({ ACL: 'public-read' })],
    ['encryption', () => putWith({ ServerSideEncryption: 'AES256' })],
    ['tags', () => putWith({ Tagging: 'a=b' })],
    ['other storage classes', () => putWith({ StorageClass: 'GLACIER' })],
    ['other checksums', () => putWith({ ChecksumSHA512: 'AAAA' })],
    ['conditions on deletion', () => client.send(new DeleteObjectCommand({ Bucket, Key, IfMatch: '"x"' }))],
  ])('is refused and not ignored: %s', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ name: 'NotImplemented', $metadata: { httpStatusCode: 501 } });
    expect(await keysIn(client, Bucket)).toEqual([]);
  });

  it('answers other methods, paths that are none, and headers that cannot be, as S3 does', async () => {
    const signed = await signedPut(Key, { Metadata: { a: '\u{1f600}' } });
    expect(await fetched(signed, { method: 'PUT', body: 'x' })).toMatchObject({
      status: 400,
      code: 'InvalidArgument',
    });
    expect(await fetched(`${server.url}/${Bucket}/%zz`)).toMatchObject({ status: 400, code: 'InvalidURI' });
    await expect(textOf(client, Bucket, 'k'.repeat(3000))).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });
});

describe('a web page of another origin', () => {
  const preflight = async (from: string, method = 'PUT') =>
    fetched(await signedPut('page'), {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    });

  it('may upload and read the answer when its origin is allowed', async () => {
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': 'content-type',
    });
    const put = await fetched(await signedPut('page'), { method: 'PUT', body: 'x', headers: { origin } });
    expect(put.headers.get('access-control-allow-origin')).toBe(origin);
    expect(put.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  it('may not when it is another, or wants more', async () => {
    expect(await preflight('https://evil.example.com')).toMatchObject({
      status: 403,
      code: 'AccessForbidden',
    });
    expect(await preflight(origin, 'DELETE')).toMatchObject({ status: 403, code: 'AccessForbidden' });
  });
});
