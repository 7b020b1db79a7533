// The official clients as the accounts configure them, for the conformance suites of the stand-ins. The index does not export them,
// because each of them loads an SDK.
export { telnyxClient } from './telnyx.js';
export { twilioClient } from './twilio.js';
