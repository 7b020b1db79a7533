// LiveKit behind the port. Requests that may be repeated use one client, the dial uses another that never repeats.
import type { Secret } from '@parlance/config';
import { stringifyJson } from '@parlance/json';
import type { Logger } from '@parlance/observability';
import {
  AccessToken,
  type ParticipantInfo,
  RoomAgentDispatch,
  type RoomServiceClient,
  type SipClient,
  TrackSource,
} from 'livekit-server-sdk';
import { createDialling } from './dialling.js';
import { guarded, isNotFound } from './guarded.js';
import { inboundRoutes } from './inbound-routes.js';
import type { DialOutcome, MediaRooms, Participant } from './media-rooms.js';
import { RoomClient, TelephonyClient } from './request-tokens.js';
import { participantKind } from './webhook.js';

export interface MediaRoomsEnv {
  readonly LIVEKIT_URL: string;
  readonly LIVEKIT_API_KEY: string;
  readonly LIVEKIT_API_SECRET: Secret;
  readonly VOICE_AGENT_NAME: string;
}

export interface MediaRoomsContext {
  readonly logger: Logger;
  /** Seconds for which a dial is waited for beyond its ringing time; 10 by default. */
  readonly dialMarginSeconds?: number;
}

const requestTimeoutSeconds = 5;
/** The server may work this much longer than the phone rings. */
export const dialMarginSeconds = 10;

const toParticipant = (info: ParticipantInfo): Participant => ({
  identity: info.identity,
  kind: participantKind(info.kind),
  attributes: info.attributes,
  sipCallStatus: info.attributes['sip.callStatus'],
  sipCallId: info.attributes['sip.callID'],
});

/**
 * The dial has a client of its own. None of the clients repeats a request by itself, because a repeated dial rings twice.
 * After a time limit, the server may or may not have received the first request.
 */
export const livekitClients = (env: MediaRoomsEnv): { rooms: RoomServiceClient; sip: SipClient } => {
  const credentials = [env.LIVEKIT_URL, env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal()] as const;
  const options = { failover: false, requestTimeout: requestTimeoutSeconds };
  return {
    rooms: new RoomClient(...credentials, options),
    sip: new TelephonyClient(...credentials, options),
  };
};

const describe = (outcome: DialOutcome): object =>
  outcome.kind === 'inDoubt' ? { kind: outcome.kind, err: outcome.cause } : outcome;

/** The port on a LiveKit server. */
export const createMediaRooms = (
  env: MediaRoomsEnv,
  { logger, dialMarginSeconds: marginSeconds = dialMarginSeconds }: MediaRoomsContext,
): MediaRooms => {
  const { rooms, sip } = livekitClients(env);
  const agent = (metadata: object): RoomAgentDispatch =>
    new RoomAgentDispatch({ agentName: env.VOICE_AGENT_NAME, metadata: stringifyJson(metadata) });

  const participant: MediaRooms['participant'] = async (room, identity) => {
    try {
      return toParticipant(await guarded(rooms.getParticipant(room, identity)));
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  };
  const dial = createDialling(sip, participant, marginSeconds);

  return {
    createRoom: async (room) => {
      await guarded(
        rooms.createRoom({
          name: room.name,
          metadata: stringifyJson(room.metadata),
          emptyTimeout: room.emptyTimeoutSeconds,
          ...(room.maxParticipants === undefined ? {} : { maxParticipants: room.maxParticipants }),
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
    participant,
    dial: async (wanted) => {
      const outcome = await dial(wanted);
      logger.info({ attemptId: wanted.attemptId, outcome: describe(outcome) }, 'dialled');
      return outcome;
    },
    ...inboundRoutes(sip, () => agent({})),
    browserToken: async (wanted) => {
      const token = new AccessToken(env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal(), {
        identity: wanted.identity,
        ttl: wanted.ttlSeconds,
      });
      token.addGrant({
        room: wanted.room,
        roomJoin: true,
        canPublish: true,
        // A visitor talks and writes. Video or a shared screen would cost bandwidth and recordings.
        canPublishSources: [TrackSource.MICROPHONE],
        canSubscribe: true,
        canPublishData: true,
      });
      return token.toJwt();
    },
    ping: async () => {
      await guarded(rooms.listRooms(['parlance-ping']));
    },
  };
};
