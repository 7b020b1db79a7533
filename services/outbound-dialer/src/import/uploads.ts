// The uploads of campaign files: under a key of the organization, for a quarter of an hour. An uploaded file is kept
// for a day (expired-uploads.ts).
import { validationError } from '@parlance/errors';
import type { ObjectStorage, StoredObject } from '@parlance/object-storage';
import * as uploads from '@parlance/object-storage';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Windows calls every CSV file an Excel sheet where Excel is installed. */
const contentTypes: Readonly<Record<string, readonly string[]>> = {
  csv: ['text/csv', 'application/csv', 'text/plain', 'application/vnd.ms-excel'],
  xlsx: [xlsx],
};

/** The kind of these uploads, as in their keys. */
export const uploadKind = 'batches';
/** Every key of an organization's uploads begins like this. */
export const uploadPrefix = (organizationId: string): string =>
  uploads.uploadPrefix(organizationId, uploadKind);

/** @throws AppError VALIDATION_ERROR for a content type that is not that of the file's extension */
export const checkContentType = (fileName: string, contentType: string): void => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const wanted = contentTypes[extension] ?? [];
  if (wanted.includes(type)) return;
  const message = `must be ${wanted.join(' or ')} for this file`;
  throw validationError([{ path: 'query.contentType', code: 'invalid_value', message }]);
};

/** @param id makes the key one of its own */
export const uploadKey = (organizationId: string, id: string, fileName: string): string =>
  uploads.uploadKey(uploadPrefix(organizationId), id, fileName);

/**
 * The file that a campaign is to be made of.
 * @throws AppError UPLOAD_NOT_FOUND, also for another organization's; UPLOAD_EXPIRED; PAYLOAD_TOO_LARGE
 */
export const findUpload = (
  storage: ObjectStorage,
  upload: { readonly organizationId: string; readonly key: string },
  limits: { readonly maxBytes: number; readonly now: Date },
): Promise<StoredObject> =>
  uploads.findUpload(storage, { prefix: uploadPrefix(upload.organizationId), key: upload.key }, limits);
