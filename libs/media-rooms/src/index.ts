export {
  createMediaRooms,
  dialMarginSeconds,
  type MediaRoomsContext,
  type MediaRoomsEnv,
} from './livekit-rooms.js';
export type {
  CreateRoom,
  Dial,
  DialOutcome,
  MediaRooms,
  Participant,
  PreviewToken,
  Room,
} from './media-rooms.js';
export { createWebhookVerifier } from './webhook.js';
