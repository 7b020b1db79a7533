export {
  CredentialsEnv,
  callerKeys,
  composeCredentials,
  natsPasswords,
  SecretsEnv,
} from './credentials-env.js';
export { HealthEnv, MigrateAllEnv, ProvisionEnv, rolePasswords, WaitEnv } from './env.js';
export { type HealthOptions, reasonNotReady } from './health.js';
export { provision } from './provision.js';
export { writeSecrets } from './secrets.js';
export { waitUntilPrepared } from './wait.js';
