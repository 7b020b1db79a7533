// The one bucket in which the platform keeps files: what operators upload, what agents know, what was recorded.
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Secret } from '@parlance/config';

/** What `objectStorageEnv` of `@parlance/config` reads. */
export interface ObjectStorageOptions {
  readonly OBJECT_STORAGE_URL?: string | undefined;
  readonly OBJECT_STORAGE_REGION: string;
  readonly OBJECT_STORAGE_BUCKET: string;
  readonly OBJECT_STORAGE_ACCESS_KEY_ID?: string | undefined;
  readonly OBJECT_STORAGE_SECRET_ACCESS_KEY?: Secret | undefined;
}

export interface ObjectStorage {
  /** Rejects when the bucket cannot be reached, or is not ours to use. */
  ping(): Promise<void>;
  close(): void;
}

const connectTimeoutMs = 1_000;
const requestTimeoutMs = 10_000;

/**
 * Undefined where no storage is configured: nothing that needs files works there. Without keys the SDK finds them as it
 * does on AWS, in the machine's role.
 */
export const connectObjectStorage = (options: ObjectStorageOptions): ObjectStorage | undefined => {
  const { OBJECT_STORAGE_URL: endpoint, OBJECT_STORAGE_BUCKET: Bucket } = options;
  const { OBJECT_STORAGE_ACCESS_KEY_ID: accessKeyId, OBJECT_STORAGE_SECRET_ACCESS_KEY: secret } = options;
  if (endpoint === undefined) return undefined;
  const client = new S3Client({
    endpoint,
    region: options.OBJECT_STORAGE_REGION,
    // MinIO and its like have no host name per bucket.
    forcePathStyle: true,
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
    ...(accessKeyId !== undefined && secret !== undefined
      ? { credentials: { accessKeyId, secretAccessKey: secret.reveal() } }
      : {}),
  });
  return {
    ping: async () => {
      await client.send(new HeadBucketCommand({ Bucket }));
    },
    close: () => client.destroy(),
  };
};
