export { createTelnyxFaults, type TelnyxFaults } from './faults.js';
export { type RunningTelnyx, startTelnyx, type TelnyxCredentials, type TelnyxOptions } from './server.js';
