// The one bucket in which the platform keeps files: uploads of operators, knowledge of agents, and recordings.
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Secret } from '@parlance/config';
import { isMissing, storageError } from './storage-errors.js';

/** The variables that `objectStorageEnv` of `@parlance/config` reads. */
export interface ObjectStorageOptions {
  readonly OBJECT_STORAGE_URL?: string | undefined;
  /** The address at which browsers reach the storage, if it is another one. */
  readonly OBJECT_STORAGE_PUBLIC_URL?: string | undefined;
  readonly OBJECT_STORAGE_REGION: string;
  readonly OBJECT_STORAGE_BUCKET: string;
  readonly OBJECT_STORAGE_ACCESS_KEY_ID?: string | undefined;
  readonly OBJECT_STORAGE_SECRET_ACCESS_KEY?: Secret | undefined;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** All but `ping` and `close` throw AppError STORAGE_UNAVAILABLE when the storage does not answer or refuses. */
export interface ObjectStorage {
  /**
   * An address that takes a PUT of this content type and of exactly this many bytes. It is good for `expiresInSeconds`, and needs no
   * credential.
   */
  presignPut(
    key: string,
    options: {
      readonly contentType: string;
      readonly bytes: number;
      readonly expiresInSeconds: number;
      /** Who uploads: browsers and other clients (the default), or a process of the platform. */
      readonly from?: 'outside' | 'platform';
    },
  ): Promise<string>;
  /**
   * An address that answers a GET. It is good for `expiresInSeconds`, and needs no credential. The storage answers with
   * these headers, not with those of the upload.
   */
  presignGet(
    key: string,
    options: {
      readonly contentType: string;
      readonly contentDisposition: string;
      readonly expiresInSeconds: number;
    },
  ): Promise<string>;
  /** Undefined when there is no such object. */
  head(key: string): Promise<StoredObject | undefined>;
  /** The content from its beginning; undefined when there is no such object. Errors later end the stream. */
  open(key: string, signal?: AbortSignal): Promise<Readable | undefined>;
  /** Deletes an object; an absent one is no error. */
  delete(key: string): Promise<void>;
  /** Writes a small object of the platform's own; what was there under the key is replaced. */
  put(key: string, content: string): Promise<void>;
  /** Every object whose key begins like this, in the order of their keys. @param after lists only the keys behind this one */
  list(prefix: string, options?: { readonly after?: string }): AsyncIterable<StoredObject>;
  /**
   * The folders in a folder, `a/b/` in `a/`, with slashes at their ends. The storage skips their contents, so the number of
   * objects does not matter.
   */
  folders(parent: string): AsyncIterable<string>;
  /** Rejects when the bucket cannot be reached, or the credentials may not use it. */
  ping(): Promise<void>;
  close(): void;
}

const connectTimeoutMs = 1_000;
const requestTimeoutMs = 10_000;
/** The SDK waits longer before each next try, and longest where S3 asks it to slow down: some two seconds in all. */
const maxAttempts = 3;

const clientOf = (options: ObjectStorageOptions, endpoint: string): S3Client => {
  const { OBJECT_STORAGE_ACCESS_KEY_ID: accessKeyId, OBJECT_STORAGE_SECRET_ACCESS_KEY: secret } = options;
  return new S3Client({
    endpoint,
    region: options.OBJECT_STORAGE_REGION,
    // VersityGW and its like have no host name per bucket.
    forcePathStyle: true,
    // By default, the checksum of an empty body becomes part of an address that a file is uploaded to.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
    ...(accessKeyId !== undefined && secret !== undefined
      ? { credentials: { accessKeyId, secretAccessKey: secret.reveal() } }
      : {}),
  });
};

class S3Storage implements ObjectStorage {
  readonly #client: S3Client;
  readonly #signer: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, signer: S3Client, bucket: string) {
    this.#client = client;
    this.#signer = signer;
    this.#bucket = bucket;
  }

  presignPut: ObjectStorage['presignPut'] = (
    key,
    { contentType, bytes, expiresInSeconds, from = 'outside' },
  ) =>
    getSignedUrl(
      from === 'outside' ? this.#signer : this.#client,
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        ContentType: contentType,
        ContentLength: bytes,
      }),
      {
        expiresIn: expiresInSeconds,
        signableHeaders: new Set(['content-type', 'content-length', 'host']),
      },
    ).catch(storageError);

  presignGet: ObjectStorage['presignGet'] = (key, { contentType, contentDisposition, expiresInSeconds }) =>
    getSignedUrl(
      this.#signer,
      new GetObjectCommand({
        ...{ Bucket: this.#bucket, Key: key },
        ...{ ResponseContentType: contentType, ResponseContentDisposition: contentDisposition },
      }),
      { expiresIn: expiresInSeconds },
    ).catch(storageError);

  head: ObjectStorage['head'] = async (key) => {
    const found = await this.#find(() =>
      this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })),
    );
    return found && { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
  };

  open: ObjectStorage['open'] = async (key, signal) => {
    const found = await this.#find(() =>
      this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
        signal === undefined ? {} : { abortSignal: signal },
      ),
    );
    if (found === undefined) return undefined;
    if (found.Body instanceof Readable) return found.Body;
    throw new Error('the storage answered without a body');
  };

  delete: ObjectStorage['delete'] = async (key) => {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })).catch(storageError);
  };

  put: ObjectStorage['put'] = async (key, content) => {
    await this.#client
      .send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: content }))
      .catch(storageError);
  };

  async *list(prefix: string, { after }: { readonly after?: string } = {}): AsyncIterable<StoredObject> {
    for await (const page of this.#pages({ Prefix: prefix, StartAfter: after }))
      for (const { Key: key, Size: bytes = 0, LastModified: modifiedAt } of page.Contents ?? [])
        if (key !== undefined && modifiedAt !== undefined) yield { key, bytes, modifiedAt };
  }

  async *folders(parent: string): AsyncIterable<string> {
    for await (const page of this.#pages({ Prefix: parent, Delimiter: '/' }))
      for (const { Prefix: folder } of page.CommonPrefixes ?? []) if (folder !== undefined) yield folder;
  }

  async *#pages(
    asked: Pick<ListObjectsV2CommandInput, 'Prefix' | 'Delimiter' | 'StartAfter'>,
  ): AsyncIterable<ListObjectsV2CommandOutput> {
    for (let after: string | undefined; ; ) {
      const page = await this.#client
        .send(new ListObjectsV2Command({ Bucket: this.#bucket, ...asked, ContinuationToken: after }))
        .catch(storageError);
      yield page;
      after = page.NextContinuationToken;
      if (after === undefined) return;
    }
  }

  ping: ObjectStorage['ping'] = async () => {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
  };

  close: ObjectStorage['close'] = () => {
    this.#client.destroy();
    this.#signer.destroy();
  };

  async #find<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      return isMissing(error) ? undefined : storageError(error);
    }
  }
}

/**
 * Undefined where no storage is configured: nothing that needs files works there. Without keys the SDK finds them as it
 * does on AWS, in the machine's role.
 */
export const connectObjectStorage = (options: ObjectStorageOptions): ObjectStorage | undefined => {
  const { OBJECT_STORAGE_URL: endpoint, OBJECT_STORAGE_PUBLIC_URL: publicEndpoint = endpoint } = options;
  if (endpoint === undefined || publicEndpoint === undefined) return undefined;
  return new S3Storage(
    clientOf(options, endpoint),
    clientOf(options, publicEndpoint),
    options.OBJECT_STORAGE_BUCKET,
  );
};
