// The data of a call that the media server gets. Everybody in a room can read the metadata of the room. Only the
// agent's job reads the metadata of its dispatch. So the room gets the ids of the call, and the dispatch gets the whole
// call.
import { type CallContext, roomMetadataOf } from '@parlance/contracts';
import type { CreateRoom } from './media-rooms.js';

export const roomOfCall = (call: CallContext): Pick<CreateRoom, 'metadata' | 'agent'> => ({
  metadata: roomMetadataOf(call),
  agent: { metadata: call },
});
