// A real LiveKit, telephones and the voice runtime, with a small HTTP server in the place of the platform.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallContext, callContext, roomMetadataOf } from '@parlance/contracts';
import {
  findLiveKit,
  freePort,
  type LiveKitBinaries,
  type LiveKitServer,
  startLiveKitServer,
} from '@parlance/engines';
import { findTelephones, startTelephones, type Telephones } from '@parlance/telephones';
import { RoomAgentDispatch, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { startVoiceRuntime, type VoiceRuntime } from '../runtime.js';
import { agent, type HandedOver, planted, startPlatform, type Told } from './platform.js';
import { endWitnesses, visitorToken, type Witness, witness } from './witness.js';

/** Undefined, after one line on standard error, where a program is missing. */
export const findPrograms = (): LiveKitBinaries | undefined => {
  const liveKit = findLiveKit();
  if (liveKit !== undefined && findTelephones() !== undefined) return liveKit;
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server, sipp: not all installed, the voice runtime takes no real call\n',
  );
  return undefined;
};

export interface MediaWorld {
  readonly liveKit: LiveKitServer;
  readonly telephones: Telephones;
  readonly rooms: RoomServiceClient;
  readonly sip: SipClient;
  readonly agentId: string;
  /** Questions for a configuration that the platform was asked, by path. */
  readonly asked: readonly string[];
  readonly handedOver: readonly HandedOver[];
  /** Requests with the token of a call. */
  readonly told: readonly Told[];
  /** Makes the room of an outbound call and dials; resolves with the room's name when the telephone has answered. */
  dial(number: string): Promise<string>;
  /** Makes the room of a preview; resolves with the room's name. */
  preview(): Promise<string>;
  /** Joins a room as the visitor of a website would, and keeps everything that a participant is sent. */
  watch(room: string): Promise<Witness>;
  stop(): Promise<void>;
}

const agentName = 'voice';

export const startMediaWorld = async (binaries: LiveKitBinaries): Promise<MediaWorld> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-voice-runtime-'));
  const platform = await startPlatform();
  const place = { port: await freePort(), apiKey: 'key', apiSecret: 'secret'.repeat(6) };
  const liveKitUrl = `http://127.0.0.1:${place.port}`;
  const liveKit = await startLiveKitServer({
    ...place,
    binaries,
    webhookUrl: 'http://127.0.0.1:9',
    dataDir: join(directory, 'livekit'),
    log: (program) => join(directory, `${program}.log`),
  });
  const telephones = await startTelephones({
    dataDir: join(directory, 'telephones'),
    logFile: join(directory, 'sipp.log'),
  });
  const client = [liveKitUrl, place.apiKey, place.apiSecret] as const;
  const rooms = new RoomServiceClient(...client, { failover: false });
  const sip = new SipClient(...client, { failover: false });
  const { sipTrunkId } = await sip.createSipOutboundTrunk('carrier', telephones.address, ['*']);
  const runtime: VoiceRuntime = startVoiceRuntime({
    ...place,
    liveKitUrl,
    agentName,
    platformUrl: platform.url,
    internalKey: planted.internalKey,
    log: () => undefined,
  });
  await runtime.registered;
  /** As the platform makes it: the context goes with the dispatch, and the room has the metadata for its record. */
  const makeRoom = async (name: string, call: Partial<CallContext>): Promise<void> => {
    const context = callContext({
      callId: randomUUID(),
      organizationId: agent.organizationId,
      agentId: agent.id,
      channel: 'phone',
      direction: 'outbound',
      systemPrompt: planted.promptOfCall,
      dynamicVariables: { secret: planted.variable },
      metadata: { note: planted.metadata },
      ...call,
    });
    await rooms.createRoom({
      name,
      metadata: JSON.stringify(roomMetadataOf(context)),
      agents: [new RoomAgentDispatch({ agentName, metadata: JSON.stringify(context) })],
    });
  };
  return {
    liveKit,
    telephones,
    rooms,
    sip,
    agentId: agent.id,
    asked: platform.asked,
    handedOver: platform.handedOver,
    told: platform.told,
    dial: async (number) => {
      const attemptId = randomUUID();
      const room = `ob_${attemptId}`;
      await makeRoom(room, { toNumber: number });
      await sip.createSipParticipant(sipTrunkId, number, room, {
        participantIdentity: `pstn_${attemptId}`,
        headers: { 'X-Attempt-Id': attemptId },
        waitUntilAnswered: true,
        timeout: 40,
      });
      return room;
    },
    preview: async () => {
      const room = `pv_${randomUUID()}`;
      await makeRoom(room, { channel: 'preview', direction: 'inbound' });
      return room;
    },
    watch: async (room) =>
      witness(liveKitUrl.replace(/^http/, 'ws'), {
        room: await visitorToken(place, room),
        signalling: await visitorToken(place, room),
      }),
    stop: async () => {
      runtime.stop();
      await telephones.stop();
      await liveKit.stop();
      await new Promise((resolve) => platform.server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
      await endWitnesses();
    },
  };
};
