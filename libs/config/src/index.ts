export {
  type CallerEnv,
  callerEnv,
  callerPrivateKey,
  callerPublicKeysOf,
  derivedCallerKey,
  newCallerPrivateKey,
  readCallerEnv,
  readPrivateKey,
} from './caller-keys.js';
export {
  type AcceptKeysEnv,
  acceptKeysEnv,
  comparedKeys,
  type Fingerprint,
  fingerprintsOf,
  keyRefusal,
  keyRefusals,
  sealingKekId,
  writtenKey,
} from './compared-keys.js';
export type { ConfigProblem, EnvSource } from './config-problem.js';
export {
  type Credential,
  credentialsOf,
  type Derivation,
  derivationOf,
  derivedPassword,
} from './derivation.js';
export {
  ConfigError,
  derivedVariables,
  environmentOfProcess,
  loadEnv,
  loadProcessEnv,
  refuseUnread,
} from './env.js';
export {
  baseEnv,
  callRetentionEnv,
  cursorEnv,
  derivedDatabasePassword,
  drainEnv,
  egressEnv,
  erasureLogEnv,
  eventStoreEnv,
  livekitEnv,
  mcpOauthEnv,
  modelsEnv,
  mongoEnv,
  natsEnv,
  objectStorageEnv,
  ownAccount,
  platformKeys,
  postgresEnv,
  prefixOf,
  secret,
  sipEnv,
  speechKeyEnv,
  storageQuota,
  telephonyEnv,
  uploadsEnv,
  webhookEnv,
  wholeNumber,
} from './fragments.js';
export {
  checkedKekId,
  ciphertextOf,
  cryptoEnv,
  fitsCheckValue,
  isWrapped,
  type KekEnv,
  type KmsEnv,
  wrappedKey,
  writtenKeks,
} from './key-encryption.js';
export { awsRegionOf, isAwsKms } from './kms-url.js';
export { type OpsEnv, opsEnv } from './ops.js';
export { newRootSecret, RootSecret, readRootSecret, rootSecretEnv } from './root-secret.js';
export { Secret } from './secret.js';
export { StartRefusal } from './start-refusal.js';
export { signalEnv, type TelemetryEnv, telemetryEnv } from './telemetry.js';
export { unreadVariables } from './unread-variables.js';
export type { VariableMeta } from './variable-meta.js';
