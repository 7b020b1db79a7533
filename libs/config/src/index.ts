export { ConfigError, type ConfigProblem, type EnvSource, loadEnv } from './env.js';
export {
  baseEnv,
  cryptoEnv,
  cursorEnv,
  eventStoreEnv,
  livekitEnv,
  mongoEnv,
  natsEnv,
  objectStorageEnv,
  postgresEnv,
  secret,
  sipEnv,
  telemetryEnv,
  telephonyEnv,
  type VariableMeta,
} from './fragments.js';
export { Secret } from './secret.js';
