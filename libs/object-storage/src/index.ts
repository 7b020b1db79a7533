export { deleteUnusedUploads, startUploadExpiry, type UploadExpiry } from './expiry.js';
export {
  connectObjectStorage,
  type ObjectStorage,
  type ObjectStorageOptions,
  type StoredObject,
} from './object-storage.js';
export {
  findUpload,
  reachable,
  storageOf,
  uploadKey,
  uploadLifeMs,
  uploadPrefix,
  uploadSeconds,
} from './uploads.js';
