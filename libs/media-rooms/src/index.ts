export {
  createMediaRooms,
  dialMarginSeconds,
  type MediaRoomsContext,
  type MediaRoomsEnv,
} from './livekit-rooms.js';
export type {
  BrowserToken,
  CreateRoom,
  Dial,
  DialOutcome,
  InboundCredentials,
  InboundRoute,
  MediaRooms,
  Participant,
  Room,
  RoutedNumber,
} from './media-rooms.js';
export {
  createOutboundTrunks,
  type OutboundTrunk,
  type OutboundTrunks,
  type SipTransport,
  type TrunkRoute,
  type WantedTrunk,
} from './outbound-trunks.js';
export { roomOfCall } from './room-of-call.js';
export { startTelephonyWatch, telephonyTrouble } from './telephony-watch.js';
export { createWebhookVerifier } from './webhook.js';
