export { installationName, markerOf, purchaseOf } from './marker.js';
export type {
  BuyOutcome,
  NumberOffer,
  NumberProvider,
  NumberSearch,
  OwnedNumber,
  Purchase,
  SipCredential,
  SipTarget,
  Termination,
} from './number-provider.js';
export { ProviderFailure } from './provider-failure.js';
export { newSipCredential } from './sip-credential.js';
export { connectTelephony, type TelephonyOptions } from './telephony.js';
