// Uploaded documents. A file is kept while a source has it, because sources are read again. Any other file is kept for
// a day.
import type { contract, Data, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  admitUpload,
  deleteUnusedUploads,
  fileCounts,
  findUpload,
  type ObjectStorage,
  offerUpload,
  storageOf,
  type UploadOffers,
  uploadKey,
  uploadPrefix,
} from '@parlance/object-storage';
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { RpcRequest } from '@parlance/rpc';
import { limits } from '../reading/limits.js';
import { isFileUsed } from './sources-repository.js';

type UploadUrl = (typeof contract)['knowledgeUploadUrl'];
type AdmitUpload = (typeof serviceRequests)['knowledgeAdmitUpload'];

/** The kind of these uploads, as in their keys. */
const kind = 'knowledge';

export const documentsOf = (organizationId: string): string => uploadPrefix(organizationId, kind);

/** The files of sources, from the address for the upload to the source that takes it. */
export class Documents {
  readonly #uploads: UploadOffers;
  readonly #ids: Ids;

  constructor(uploads: UploadOffers, ids: Ids) {
    this.#uploads = uploads;
    this.#ids = ids;
  }

  /** @throws AppError PAYLOAD_TOO_LARGE; QUOTA_REACHED; STORAGE_UNAVAILABLE */
  async offer(
    organizationId: string,
    { fileName, contentType, bytes }: RpcRequest<UploadUrl>['query'],
  ): Promise<Data<UploadUrl>> {
    const key = uploadKey(documentsOf(organizationId), this.#ids.next(), fileName);
    const offer = await offerUpload(this.#uploads, { organizationId, key, contentType, bytes });
    return { ...offer, fileKey: key, maxBytes: this.#uploads.maxBytes };
  }

  admit(upload: RpcRequest<AdmitUpload>['body']): Promise<Data<AdmitUpload>> {
    return admitUpload(this.#uploads, upload);
  }

  /** @throws AppError UPLOAD_NOT_FOUND, also for another organization's; UPLOAD_EXPIRED; PAYLOAD_TOO_LARGE; STORAGE_UNAVAILABLE */
  async check(organizationId: string, key: string): Promise<void> {
    const { db, storage, clock } = this.#uploads;
    const upload = { prefix: documentsOf(organizationId), key };
    try {
      await findUpload(storageOf(storage), upload, { maxBytes: limits.fileBytes, now: clock.now() });
    } catch (error) {
      const isOld = error instanceof AppError && error.code === 'UPLOAD_EXPIRED';
      if (!isOld || !(await isFileUsed(db, organizationId, key))) throw error;
    }
  }
}

/** @returns the number of deleted files */
export const deleteUnusedDocuments = ({
  db,
  storage,
  clock,
}: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
}): Promise<number> =>
  deleteUnusedUploads({
    storage,
    clock,
    kind,
    counts: fileCounts(db),
    isUsed: ({ organizationId, key }) => isFileUsed(db, organizationId, key),
  });
