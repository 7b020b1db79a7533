export { CannotOpen, decrypt, encrypt } from './aead.js';
export { equalSecrets, sha256 } from './hashing.js';
export { type KeyEncryptionKey, Keyring, keyringOf } from './keyring.js';
export {
  createPersonalData,
  opensSubjectKey,
  type PersonalData,
  type PersonalDataOptions,
  type SubjectKeyStore,
} from './personal-data.js';
export { pgSubjectKeys, type QueryPort } from './pg-subject-keys.js';
export {
  countByKek,
  type Rotated,
  type RotationOptions,
  rewrapAll,
  type Unopened,
  verifyAll,
} from './rotation.js';
export { type BoxUse, openWith, readBoxKey, sealFor } from './sealed-box.js';
export {
  personalKeys,
  type SealedColumn,
  type SealedRow,
  sealedDocument,
  sealedText,
} from './sealed-columns.js';
export { type SecretVersion, secretBinding } from './secret-versions.js';
export { keyManagementOf, unwrapKeks, wrapKek } from './unwrap-keks.js';
