export { connectTelephony, type Telephony, type TelephonyOptions } from './telephony.js';
export { telnyxClient } from './telnyx.js';
export { twilioClient } from './twilio.js';
