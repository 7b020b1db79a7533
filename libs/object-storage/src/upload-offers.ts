// Addresses that take one upload. A request that says how many bytes it will send gets an address at the storage, signed for exactly
// so many. A request that does not gets an address at the gateway, which learns the size from the upload's own header: no address
// takes more than was counted for it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { ObjectStorage } from './object-storage.js';
import { reserveFile, type StorageQuota } from './stored-files.js';
import { reachable, uploadSeconds } from './uploads.js';

/** Under this path the gateway takes uploads, followed by the service that admits them and a ticket. */
export const uploadsPath = '/uploads';

/** The gateway's own request to the storage starts at once. */
const admittedSeconds = 60;

interface Ticket {
  readonly organizationId: string;
  readonly key: string;
  readonly contentType: string;
  readonly expiresAt: Date;
}

const macBytes = 32;

/** Signed, so that the service needs no row for an address that may never be used. */
export class UploadTickets {
  readonly #key: Buffer;

  constructor(secret: Secret) {
    this.#key = createHmac('sha256', secret.reveal()).update('parlance upload ticket 1').digest();
  }

  issue({ organizationId, key, contentType, expiresAt }: Ticket): string {
    const payload = Buffer.from(JSON.stringify([organizationId, key, contentType, expiresAt.getTime()]));
    return Buffer.concat([this.#mac(payload), payload]).toString('base64url');
  }

  /** Undefined for a text that this service did not issue. */
  read(text: string): Ticket | undefined {
    const bytes = Buffer.from(text, 'base64url');
    const payload = bytes.subarray(macBytes);
    if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, macBytes), this.#mac(payload)))
      return undefined;
    const [organizationId, key, contentType, expiresAt] = JSON.parse(payload.toString()) as [
      ...[string, string, string, number],
    ];
    return { organizationId, key, contentType, expiresAt: new Date(expiresAt) };
  }

  #mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}

export interface UploadOffers {
  readonly db: Database;
  /** Undefined where none is configured. */
  readonly storage: ObjectStorage | undefined;
  readonly clock: Clock;
  readonly tickets: UploadTickets;
  /** Scheme, host and port under which clients reach the gateway, and the name of this service there. */
  readonly door: { readonly publicUrl: string; readonly service: string };
  readonly quota: StorageQuota;
  /** Of one file. */
  readonly maxBytes: number;
}

const refuseTooLarge = (bytes: number, maxBytes: number): void => {
  if (bytes > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxBytes, bytes } });
};

/** @throws AppError PAYLOAD_TOO_LARGE; QUOTA_REACHED; STORAGE_UNAVAILABLE */
export const offerUpload = async (
  { db, storage, clock, tickets, door, quota, maxBytes }: UploadOffers,
  upload: {
    readonly organizationId: string;
    readonly key: string;
    readonly contentType: string;
    readonly bytes: number | undefined;
  },
): Promise<{ readonly uploadUrl: string; readonly expiresAt: string }> => {
  const { organizationId, key, contentType, bytes } = upload;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + uploadSeconds * 1_000);
  const reached = await reachable(storage);
  refuseTooLarge(bytes ?? 0, maxBytes);
  const file = { organizationId, key, bytes: bytes ?? 0, openUntil: expiresAt };
  await db.transaction((tx) => reserveFile(tx, file, { quota, now }));
  const uploadUrl =
    bytes === undefined
      ? new URL(
          `${uploadsPath}/${door.service}/${tickets.issue({ organizationId, key, contentType, expiresAt })}`,
          door.publicUrl,
        ).href
      : await reached.presignPut(key, { contentType, bytes, expiresInSeconds: uploadSeconds });
  return { uploadUrl, expiresAt: expiresAt.toISOString() };
};

/**
 * Where the gateway sends an upload on to. May be repeated: the size of the last one counts.
 * @throws AppError NOT_FOUND for a ticket that is not ours; UPLOAD_EXPIRED; UNSUPPORTED_MEDIA_TYPE; PAYLOAD_TOO_LARGE;
 * QUOTA_REACHED; STORAGE_UNAVAILABLE
 */
export const admitUpload = async (
  { db, storage, clock, tickets, quota, maxBytes }: UploadOffers,
  upload: { readonly ticket: string; readonly contentType: string; readonly bytes: number },
): Promise<{ readonly url: string }> => {
  const { contentType, bytes } = upload;
  const ticket = tickets.read(upload.ticket);
  const now = clock.now();
  if (ticket === undefined) throw new AppError('NOT_FOUND');
  if (ticket.expiresAt <= now) throw new AppError('UPLOAD_EXPIRED');
  if (ticket.contentType !== contentType) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  refuseTooLarge(bytes, maxBytes);
  const reached = await reachable(storage);
  const { organizationId, key, expiresAt: openUntil } = ticket;
  await db.transaction((tx) => reserveFile(tx, { organizationId, key, bytes, openUntil }, { quota, now }));
  const url = await reached.presignPut(key, {
    contentType,
    bytes,
    expiresInSeconds: admittedSeconds,
    from: 'platform',
  });
  return { url };
};
