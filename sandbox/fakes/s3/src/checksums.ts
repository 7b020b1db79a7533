// The checksums that S3 knows, computed while content passes by.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Crc32c, Crc64Nvme } from '@aws-sdk/checksums/crc';
import { S3Error } from './s3-error.js';

interface Digest {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array | Promise<Uint8Array>;
}

const crc32Digest = (): Digest => {
  let value = 0;
  return {
    update: (data) => {
      value = crc32(data, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
};

const makers: Readonly<Record<string, { readonly bytes: number; make(): Digest }>> = {
  crc32: { bytes: 4, make: crc32Digest },
  crc32c: { bytes: 4, make: () => new Crc32c() },
  crc64nvme: { bytes: 8, make: () => new Crc64Nvme() },
  sha1: { bytes: 20, make: () => createHash('sha1') },
  sha256: { bytes: 32, make: () => createHash('sha256') },
};

const checksumPrefix = 'x-amz-checksum-';
const algorithmOf = (header: string): string => header.slice(checksumPrefix.length);

/** Headers and trailers, such as `x-amz-checksum-crc32`, that hold a checksum of content. */
export const isChecksumHeader = (name: string): boolean =>
  name.startsWith(checksumPrefix) && Object.hasOwn(makers, algorithmOf(name));

/** @throws S3Error InvalidRequest when it cannot be such a checksum */
export const requireChecksum = (header: string, value: string): void => {
  if (Buffer.from(value, 'base64').length !== makers[algorithmOf(header)]?.bytes)
    throw new S3Error('InvalidRequest', `Value for ${header} header is invalid.`);
};

/** Computes the checksums that a client claims for its content, by the named headers. */
export class Checksums {
  readonly #digests: ReadonlyMap<string, Digest>;

  constructor(headers: readonly string[]) {
    this.#digests = new Map(
      headers.flatMap((header) => {
        const made = makers[algorithmOf(header)]?.make();
        return made ? [[header, made] as const] : [];
      }),
    );
  }

  update(data: Buffer): void {
    for (const digest of this.#digests.values()) digest.update(data);
  }

  /** The checksums by their header, in base64. @throws S3Error BadDigest when one differs from the client's claim */
  async verified(claimed: ReadonlyMap<string, string>): Promise<Record<string, string>> {
    const computed: Record<string, string> = {};
    for (const [header, digest] of this.#digests) {
      const value = Buffer.from(await digest.digest()).toString('base64');
      if (claimed.get(header) !== value)
        throw new S3Error(
          'BadDigest',
          `The ${algorithmOf(header).toUpperCase()} you specified did not match the calculated checksum.`,
        );
      computed[header] = value;
    }
    return computed;
  }
}
