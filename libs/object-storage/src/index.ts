export {
  connectObjectStorage,
  type ObjectStorage,
  type ObjectStorageOptions,
  type StoredObject,
} from './object-storage.js';
