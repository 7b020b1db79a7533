export { checkCompose } from './check.js';
export { imageOf, parseCompose, type Service } from './compose-file.js';
export { envExample } from './env-example.js';
export { composeWithDigest, natsConfigurationFile } from './nats-configuration.js';
export { ComposeEnv } from './other-variables.js';
export { migration, type Process, processes } from './processes.js';
export { checkTelephony } from './telephony.js';
export { allVariableNames, variableNamesFile } from './variable-names.js';
export { type Variable, variablesOf } from './variables.js';
