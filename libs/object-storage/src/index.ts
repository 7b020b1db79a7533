export { connectObjectStorage, type ObjectStorage, type ObjectStorageOptions } from './object-storage.js';
