// What the media server is told of a call. Everybody in a room can read its metadata, and only the agent's job reads the
// metadata of its dispatch: the room gets the ids of the call, and the dispatch all of it.
import { type CallContext, roomMetadataOf } from '@parlance/contracts';
import type { CreateRoom } from './media-rooms.js';

export const roomOfCall = (call: CallContext): Pick<CreateRoom, 'metadata' | 'agent'> => ({
  metadata: roomMetadataOf(call),
  agent: { metadata: call },
});
