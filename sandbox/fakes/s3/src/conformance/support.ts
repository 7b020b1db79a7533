// The server that the conformance suite talks to: the one at CONFORMANCE_S3_URL, or the stand-in. The suite itself knows
// only a URL, a key and the official client. A real server (MinIO) must therefore pass it too.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { startS3 } from '../index.js';

export interface Account {
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface ConformanceTarget {
  readonly account: Account;
  /** As it comes: the checksums that the library chooses are on. */
  readonly client: S3Client;
  /** Made for this suite, and gone after it. */
  readonly bucket: string;
  close(): Promise<void>;
}

const env = process.env;
const nothing = (): void => undefined;
/** Tests provoke the library's warnings, so its logger is silent. */
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The official client; an answer is an answer, so nothing is tried twice. */
export const clientAt = ({ url, ...credentials }: Account, config: S3ClientConfig = {}): S3Client =>
  new S3Client({
    endpoint: url,
    region: env.CONFORMANCE_S3_REGION ?? 'us-east-1',
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
    logger: silent,
    ...config,
  });

export const put = (
  client: S3Client,
  Bucket: string,
  Key: string,
  Body: PutObjectCommandInput['Body'] = Key,
  more: Partial<PutObjectCommandInput> = {},
) => client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));

export const textOf = async (client: S3Client, Bucket: string, Key: string): Promise<string | undefined> => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
};

/** Every key of a bucket. */
export const keysIn = async (client: S3Client, Bucket: string): Promise<string[]> => {
  const keys: string[] = [];
  for (let token: string | undefined, more = true; more; more = token !== undefined) {
    const page: {
      Contents?: { Key?: string | undefined }[] | undefined;
      NextContinuationToken?: string | undefined;
    } = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken: token }));
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
    token = page.NextContinuationToken;
  }
  return keys;
};

/** The answer to a presigned URL: its status, and the code of the error if it is one. */
export const fetched = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
    text,
    headers: response.headers,
  };
};

const standIn = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-s3-'));
  const keys = { accessKeyId: 'conformance', secretAccessKey: 'a secret of the stand-in' };
  const server = await startS3({ dataDir, buckets: [], ...keys });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  };
  return { account: { url: server.url, ...keys }, stop };
};

const given = (url: string) => ({
  account: {
    url,
    accessKeyId: env.CONFORMANCE_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.CONFORMANCE_S3_SECRET_ACCESS_KEY ?? '',
  },
  stop: async () => undefined,
});

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const url = env.CONFORMANCE_S3_URL;
  const { account, stop } = url === undefined ? await standIn() : given(url);
  const client = clientAt(account);
  const Bucket = `parlance-conformance-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    account,
    client,
    bucket: Bucket,
    close: async () => {
      for (const Key of await keysIn(client, Bucket))
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      await client.send(new DeleteBucketCommand({ Bucket }));
      client.destroy();
      await stop();
    },
  };
};
