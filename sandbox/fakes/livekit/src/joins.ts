// Joins with a token as a browser does, as far as signalling goes. The answer holds the room and all its participants,
// as LiveKit's JoinResponse does. No media flows.
import { TokenVerifier } from 'livekit-server-sdk';
import { participantJson, roomJson } from './room-model.js';
import type { Rooms } from './rooms.js';
import { TwirpError } from './twirp.js';

export interface Joined {
  readonly room: ReturnType<typeof roomJson>;
  readonly participant: ReturnType<typeof participantJson>;
  readonly otherParticipants: readonly ReturnType<typeof participantJson>[];
}

/** @throws TwirpError unauthenticated for a bad token, not_found for a room that is gone: joining makes no room */
export const joinWith = async (
  {
    rooms,
    apiKey,
    apiSecret,
  }: { readonly rooms: Rooms; readonly apiKey: string; readonly apiSecret: string },
  authorization: string,
): Promise<Joined> => {
  const token = authorization.replace(/^Bearer /, '');
  const claims = await new TokenVerifier(apiKey, apiSecret).verify(token).catch(() => undefined);
  const { room: name, roomJoin } = claims?.video ?? {};
  if (claims?.sub === undefined || name === undefined || roomJoin !== true)
    throw new TwirpError('unauthenticated', 'permissions denied');
  const room = rooms.get(name);
  const otherParticipants = [...room.participants.values()]
    .filter(({ identity }) => identity !== claims.sub)
    .map(participantJson);
  const participant = rooms.join(room, {
    identity: claims.sub,
    kind: 'STANDARD',
    metadata: claims.metadata ?? '',
    attributes: claims.attributes ?? {},
    onRemoved: () => undefined,
  });
  return { room: roomJson(room), participant: participantJson(participant), otherParticipants };
};
