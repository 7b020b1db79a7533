export { deleteUnusedUploads, startUploadExpiry, type UploadExpiry } from './expiry.js';
export {
  connectObjectStorage,
  type ObjectStorage,
  type ObjectStorageOptions,
  type StoredObject,
} from './object-storage.js';
export {
  inheritQuotas,
  type Quota,
  type QuotaName,
  type QuotasOfService,
  type QuotaUse,
  quotasSet,
  quotaUse,
  setQuota,
  usedBytes,
} from './quotas.js';
export {
  type FileCounts,
  fileCounts,
  forgetFiles,
  type OfferedFile,
  reserveFile,
  type StorageQuota,
} from './stored-files.js';
export { admitUpload, offerUpload, type UploadOffers, UploadTickets, uploadsPath } from './upload-offers.js';
export {
  findUpload,
  organizationPrefix,
  reachable,
  storageOf,
  uploadKey,
  uploadLifeMs,
  uploadPrefix,
  uploadSeconds,
} from './uploads.js';
