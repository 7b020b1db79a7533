export { CannotOpen, decrypt, encrypt } from './aead.js';
export { equalSecrets, sha256 } from './hashing.js';
export { type KeyEncryptionKey, Keyring } from './keyring.js';
export {
  createPersonalData,
  opensSubjectKey,
  type PersonalData,
  type PersonalDataOptions,
  type SubjectKeyStore,
} from './personal-data.js';
export { pgSubjectKeys, type QueryPort } from './pg-subject-keys.js';
export { type BoxUse, openWith, readBoxKey, sealFor } from './sealed-box.js';
export { type SecretVersion, secretBinding } from './secret-versions.js';
