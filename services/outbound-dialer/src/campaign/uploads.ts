// Where files of campaigns are uploaded to: under a key of the organization, for a quarter of an hour. What was uploaded
// is kept for a day (expired-uploads.ts).
import { AppError, validationError } from '@parlance/errors';
import type { ObjectStorage, StoredObject } from '@parlance/object-storage';

/** How long an address takes an upload. */
export const uploadSeconds = 15 * 60;
/** How long a file can be made a campaign of. */
export const uploadLifeMs = 24 * 60 * 60_000;

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Windows calls every CSV file an Excel sheet where Excel is installed. */
const contentTypes: Readonly<Record<string, readonly string[]>> = {
  csv: ['text/csv', 'application/csv', 'text/plain', 'application/vnd.ms-excel'],
  xlsx: [xlsx],
};

/** Every key of an organization's uploads begins like this. */
export const uploadPrefix = (organizationId: string): string => `org/${organizationId}/batches/`;

/** What remains of a name that may be a path, or hold what an address cannot. */
const safeName = (fileName: string): string => {
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  const stem = name
    .slice(0, dot)
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return `${stem.replaceAll(/^-+|-+$/g, '').slice(0, 100) || 'file'}${name.slice(dot).toLowerCase()}`;
};

/** @throws AppError VALIDATION_ERROR for a content type that is not that of the file's extension */
export const checkContentType = (fileName: string, contentType: string): void => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const wanted = contentTypes[extension] ?? [];
  if (wanted.includes(type)) return;
  const message = `must be ${wanted.join(' or ')} for this file`;
  throw validationError([{ path: 'query.contentType', code: 'invalid_value', message }]);
};

/** @throws AppError STORAGE_UNAVAILABLE where none is configured */
export const storageOf = (storage: ObjectStorage | undefined): ObjectStorage => {
  if (storage === undefined) throw new AppError('STORAGE_UNAVAILABLE');
  return storage;
};

/** @throws AppError STORAGE_UNAVAILABLE: an address is only worth something when there is somebody behind it */
export const reachable = async (storage: ObjectStorage | undefined): Promise<ObjectStorage> => {
  const configured = storageOf(storage);
  try {
    await configured.ping();
  } catch (cause) {
    throw new AppError('STORAGE_UNAVAILABLE', { cause });
  }
  return configured;
};

/** @param id makes the key one of its own */
export const uploadKey = (organizationId: string, id: string, fileName: string): string =>
  `${uploadPrefix(organizationId)}${id}/${safeName(fileName)}`;

/**
 * The file that a campaign is to be made of.
 * @throws AppError UPLOAD_NOT_FOUND, also for another organization's; UPLOAD_EXPIRED; PAYLOAD_TOO_LARGE
 */
export const findUpload = async (
  storage: ObjectStorage,
  upload: { readonly organizationId: string; readonly key: string },
  limits: { readonly maxBytes: number; readonly now: Date },
): Promise<StoredObject> => {
  // Never asked for: the answer for what is somebody else's must not differ from that for what does not exist.
  const isOwn = upload.key.startsWith(uploadPrefix(upload.organizationId)) && !upload.key.includes('..');
  const found = isOwn ? await storage.head(upload.key) : undefined;
  if (found === undefined) throw new AppError('UPLOAD_NOT_FOUND');
  if (limits.now.getTime() - found.modifiedAt.getTime() > uploadLifeMs) throw new AppError('UPLOAD_EXPIRED');
  if (found.bytes > limits.maxBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxBytes: limits.maxBytes, bytes: found.bytes } });
  return found;
};
