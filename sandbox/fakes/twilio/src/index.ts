export { createTwilioFaults, type TwilioFaults } from './faults.js';
export { type RunningTwilio, startTwilio, type TwilioCredentials, type TwilioOptions } from './server.js';
