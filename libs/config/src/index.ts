export { ConfigError, type ConfigProblem, type EnvSource, loadEnv } from './env.js';
export {
  baseEnv,
  cryptoEnv,
  cursorEnv,
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
  telemetryEnv,
  telephonyEnv,
  type VariableMeta,
  webhookEnv,
} from './fragments.js';
export { Secret } from './secret.js';
