// LiveKit behind the port. Requests that may be repeated use one client, the dial uses another that never repeats.
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import {
  AccessToken,
  type ParticipantInfo,
  RoomAgentDispatch,
  RoomConfiguration,
  RoomServiceClient,
  ServerError,
  SipClient,
} from 'livekit-server-sdk';
import { dialFailure } from './dial-outcome.js';
import type { Dial, DialOutcome, MediaRooms, Participant } from './media-rooms.js';
import { participantKind } from './webhook.js';

export interface MediaRoomsEnv {
  readonly LIVEKIT_URL: string;
  readonly LIVEKIT_API_KEY: string;
  readonly LIVEKIT_API_SECRET: Secret;
  readonly VOICE_AGENT_NAME: string;
}

const requestTimeoutSeconds = 5;
/** The server may work this much longer than the phone rings. */
const dialMarginSeconds = 10;

const isNotFound = (error: unknown): boolean =>
  error instanceof ServerError && (error.status === 404 || error.code === 'not_found');

/** A read or a repeatable write that failed: the server is not well, which is nobody's bug. */
const guarded = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (isNotFound(cause)) throw cause;
    throw new AppError('PROVIDER_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
  }
};

const toParticipant = (info: ParticipantInfo): Participant => ({
  identity: info.identity,
  kind: participantKind(info.kind),
  attributes: info.attributes,
  sipCallStatus: info.attributes['sip.callStatus'],
  sipCallId: info.attributes['sip.callID'],
});

const never = { failover: false } as const;

const dialOnce = async (sip: SipClient, dial: Dial): Promise<DialOutcome> => {
  try {
    const info = await sip.createSipParticipant(dial.trunkId, dial.to, dial.room, {
      fromNumber: dial.from,
      participantIdentity: dial.identity,
      participantAttributes: { 'parlance.attemptId': dial.attemptId },
      headers: { 'X-Attempt-Id': dial.attemptId },
      ringingTimeout: dial.ringingTimeoutSeconds,
      waitUntilAnswered: true,
      timeout: dial.ringingTimeoutSeconds + dialMarginSeconds,
    });
    return { kind: 'answered', sipCallId: info.sipCallId };
  } catch (error) {
    return dialFailure(error);
  }
};

export const createMediaRooms = (env: MediaRoomsEnv, _context: { readonly logger: Logger }): MediaRooms => {
  const credentials = [env.LIVEKIT_URL, env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal()] as const;
  const rooms = new RoomServiceClient(...credentials, { ...never, requestTimeout: requestTimeoutSeconds });
  const sip = new SipClient(...credentials, never);
  const agent = (metadata: object): RoomAgentDispatch =>
    new RoomAgentDispatch({ agentName: env.VOICE_AGENT_NAME, metadata: JSON.stringify(metadata) });

  return {
    createRoom: async (room) => {
      await guarded(
        rooms.createRoom({
          name: room.name,
          metadata: JSON.stringify(room.metadata),
          emptyTimeout: room.emptyTimeoutSeconds,
          ...(room.agent ? { agents: [agent(room.agent.metadata)] } : {}),
        }),
      );
    },
    deleteRoom: async (name) => {
      try {
        await guarded(rooms.deleteRoom(name));
        return 'deleted';
      } catch (error) {
        if (isNotFound(error)) return 'absent';
        throw error;
      }
    },
    rooms: async (names) => {
      const found = await guarded(rooms.listRooms(names ? [...names] : undefined));
      return found.map(({ name, sid, metadata, numParticipants }) => ({
        name,
        sid,
        metadata,
        participants: numParticipants,
      }));
    },
    participants: async (room) => {
      try {
        return (await guarded(rooms.listParticipants(room))).map(toParticipant);
      } catch (error) {
        if (isNotFound(error)) return [];
        throw error;
      }
    },
    participant: async (room, identity) => {
      try {
        return toParticipant(await guarded(rooms.getParticipant(room, identity)));
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    dial: (dial) => dialOnce(sip, dial),
    previewToken: async (wanted) => {
      const token = new AccessToken(env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal(), {
        identity: wanted.identity,
        ttl: wanted.ttlSeconds,
      });
      token.addGrant({
        room: wanted.room,
        roomJoin: true,
        canPublish: true,
        canSubscribe: true,
        canPublishData: true,
      });
      token.roomConfig = new RoomConfiguration({
        name: wanted.room,
        metadata: JSON.stringify(wanted.metadata),
        emptyTimeout: wanted.ttlSeconds,
        maxParticipants: 3,
        agents: [agent(wanted.agentMetadata)],
      });
      return token.toJwt();
    },
    ping: async () => {
      await guarded(rooms.listRooms(['parlance-ping']));
    },
  };
};
