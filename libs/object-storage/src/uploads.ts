// Files that a person uploads by a signed address: their keys, and the checks of a file after its upload.
import { AppError } from '@parlance/errors';
import type { ObjectStorage, StoredObject } from './object-storage.js';

/** The lifetime of a signed address for an upload, in seconds. */
export const uploadSeconds = 15 * 60;
/** The greatest age of an unused file that can still be taken into use, in milliseconds. */
export const uploadLifeMs = 24 * 60 * 60_000;

/** Holds a folder for each organization. */
export const organizationsFolder = 'org/';

/** The beginning of the keys of all uploads of one kind in an organization. */
export const uploadPrefix = (organizationId: string, kind: string): string =>
  `${organizationPrefix(organizationId)}${kind}/`;

/** The beginning of the keys of everything that the platform keeps for one organization. */
export const organizationPrefix = (organizationId: string): string =>
  `${organizationsFolder}${organizationId}/`;

/** The last part of a name that may be a path, without the characters that an address cannot hold. */
const safeName = (fileName: string): string => {
  const name = fileName.split(/[/\\]/).at(-1) ?? '';
  const at = name.lastIndexOf('.');
  const dot = at === -1 ? name.length : at;
  const plain = (text: string): string => text.normalize('NFKD').replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  const stem = plain(name.slice(0, dot)).replaceAll(/^-+|-+$/g, '');
  const extension = plain(name.slice(dot + 1))
    .toLowerCase()
    .slice(0, 16);
  return `${stem.slice(0, 100) || 'file'}${extension === '' ? '' : `.${extension}`}`;
};

/** @param id makes the key unique */
export const uploadKey = (prefix: string, id: string, fileName: string): string =>
  `${prefix}${id}/${safeName(fileName)}`;

/** @throws AppError STORAGE_UNAVAILABLE where no storage is configured */
export const storageOf = (storage: ObjectStorage | undefined): ObjectStorage => {
  if (storage === undefined) throw new AppError('STORAGE_UNAVAILABLE');
  return storage;
};

/** @throws AppError STORAGE_UNAVAILABLE, because an address is useless while the storage does not answer */
export const reachable = async (storage: ObjectStorage | undefined): Promise<ObjectStorage> => {
  const configured = storageOf(storage);
  try {
    await configured.ping();
  } catch (cause) {
    throw new AppError('STORAGE_UNAVAILABLE', { cause });
  }
  return configured;
};

/**
 * A file that was uploaded under a prefix.
 * @throws AppError UPLOAD_NOT_FOUND, also for another organization's; UPLOAD_EXPIRED; PAYLOAD_TOO_LARGE
 */
export const findUpload = async (
  storage: ObjectStorage,
  upload: { readonly prefix: string; readonly key: string },
  limits: { readonly maxBytes: number; readonly now: Date },
): Promise<StoredObject> => {
  // The storage is not asked for a file of another organization: the answer must be the same as for a missing file.
  const isOwn = upload.key.startsWith(upload.prefix) && !upload.key.includes('..');
  const found = isOwn ? await storage.head(upload.key) : undefined;
  if (found === undefined) throw new AppError('UPLOAD_NOT_FOUND');
  if (limits.now.getTime() - found.modifiedAt.getTime() > uploadLifeMs) throw new AppError('UPLOAD_EXPIRED');
  if (found.bytes > limits.maxBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxBytes: limits.maxBytes, bytes: found.bytes } });
  return found;
};
