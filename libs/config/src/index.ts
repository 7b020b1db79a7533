export {
  type CallerEnv,
  callerEnv,
  callerPrivateKey,
  callerPublicKeysOf,
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
  writtenKey,
} from './compared-keys.js';
export type { ConfigProblem, EnvSource } from './config-problem.js';
export {
  ConfigError,
  loadEnv,
  loadProcessEnv,
  refuseUnread,
} from './env.js';
export {
  baseEnv,
  cryptoEnv,
  cursorEnv,
  drainEnv,
  egressEnv,
  eventStoreEnv,
  livekitEnv,
  mcpOauthEnv,
  mongoEnv,
  natsEnv,
  objectStorageEnv,
  postgresEnv,
  secret,
  sipEnv,
  telephonyEnv,
  type VariableMeta,
  webhookEnv,
} from './fragments.js';
export { type OpsEnv, opsEnv } from './ops.js';
export { Secret } from './secret.js';
export { StartRefusal } from './start-refusal.js';
export { signalEnv, type TelemetryEnv, telemetryEnv } from './telemetry.js';
export { unreadVariables } from './unread-variables.js';
