// Ids of live events: the place in the stream of the broker, sealed for one organization. An id tells its reader
// nothing about the activity of other organizations, and another organization cannot use it.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { CannotOpen, decrypt, encrypt } from '@parlance/crypto';

const sequenceBytes = 8;
const keyBytes = 32;

/** Ids of one organization, in one stream of the broker. */
export interface EventIds {
  of(sequence: number): string;
  /** Undefined for a text that is no id of this organization and this stream. */
  read(id: string): number | undefined;
}

/** @param epoch names the stream: a stream that was made anew counts from the beginning */
export const eventIds = (secret: Secret, organizationId: string, epoch: string): EventIds => {
  const derived = hkdfSync('sha256', secret.reveal(), '', `live event ids|${organizationId}`, keyBytes);
  const key = Buffer.from(derived);
  return {
    of: (sequence) => {
      const plain = Buffer.alloc(sequenceBytes);
      plain.writeBigUInt64BE(BigInt(sequence));
      return encrypt(key, plain, epoch).toString('base64url');
    },
    read: (id) => {
      try {
        const plain = decrypt(key, Buffer.from(id, 'base64url'), epoch);
        return plain.length === sequenceBytes ? Number(plain.readBigUInt64BE()) : undefined;
      } catch (error) {
        if (error instanceof CannotOpen) return undefined;
        throw error;
      }
    },
  };
};
