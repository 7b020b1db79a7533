export { installationName, markerOf, purchaseOf } from './marker.js';
export type {
  BuyOutcome,
  NumberOffer,
  NumberProvider,
  NumberSearch,
  OwnedNumber,
  Purchase,
  SipTarget,
} from './number-provider.js';
export { ProviderFailure } from './provider-failure.js';
export { connectTelephony, type TelephonyOptions } from './telephony.js';
export { telnyxClient } from './telnyx.js';
export { twilioClient } from './twilio.js';
