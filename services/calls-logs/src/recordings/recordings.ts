// The links to the recording of a call for its readers, and the address to which the voice runtime uploads one. No
// address is kept: each is signed when a request asks for it, and ends by itself.
import type { CallLog, RecordingUpload, RecordingUploadInput } from '@parlance/contracts';
import {
  type ObjectStorage,
  reachable,
  reserveFile,
  type StorageQuota,
  uploadSeconds,
} from '@parlance/object-storage';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Call } from '../call/call-state.js';
import { headersOf, keyOfRecording } from '../call/recording-keys.js';
import { noteOffered } from './recordings-repository.js';

/** The lifetime of an address that a recording is played from, in seconds. */
const linkSeconds = 15 * 60;
const msOfSecond = 1_000;

export interface RecordingsOptions {
  readonly db: Database;
  /** Undefined where no storage is configured. */
  readonly storage: ObjectStorage | undefined;
  readonly clock: Clock;
  readonly quota: StorageQuota;
}

export class Recordings {
  readonly #options: RecordingsOptions;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  /** The quota of every organization, in bytes. */
  get usualQuota(): number {
    return this.#options.quota.bytes;
  }

  /** The log with a link that is good for some minutes, where the recording may be given to this reader. */
  async withLink(log: CallLog, call: Call): Promise<CallLog> {
    const { storage, clock } = this.#options;
    const key = call.ingested?.data.recording?.storageKey;
    const { organizationId } = call.description;
    if (!log.recording.available || storage === undefined || key === undefined) return this.listed(log);
    const now = clock.now().getTime();
    const url = await storage.presignGet(key, {
      ...headersOf(organizationId, log.id, key),
      expiresInSeconds: linkSeconds,
    });
    const urlExpiresAt = new Date(now + linkSeconds * msOfSecond).toISOString();
    return { ...log, recording: { ...log.recording, url, urlExpiresAt } };
  }

  /** The log without a link: a list says only whether there is a recording. */
  listed(log: CallLog): CallLog {
    if (!log.recording.available || this.#options.storage !== undefined) return log;
    return { ...log, recording: { ...log.recording, available: false } };
  }

  /** @throws AppError STORAGE_UNAVAILABLE; QUOTA_REACHED: the call is not recorded, and no older recording makes room */
  async offerUpload(
    of: { readonly organizationId: string; readonly callId: string },
    { contentType, bytes }: RecordingUploadInput,
  ): Promise<RecordingUpload> {
    const { db, clock, quota } = this.#options;
    const storage = await reachable(this.#options.storage);
    const storageKey = keyOfRecording(of.organizationId, of.callId, contentType);
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + uploadSeconds * msOfSecond);
    const { organizationId } = of;
    // First the note, then the address: no file can come into being that nothing would ever delete.
    await db.transaction(async (tx) => {
      await reserveFile(tx, { organizationId, key: storageKey, bytes, openUntil: expiresAt }, { quota, now });
      await noteOffered(tx, { ...of, storageKey, uploadableUntil: expiresAt });
    });
    const uploadUrl = await storage.presignPut(storageKey, {
      contentType,
      bytes,
      expiresInSeconds: uploadSeconds,
    });
    return { storageKey, uploadUrl, contentType, expiresAt: expiresAt.toISOString() };
  }
}
