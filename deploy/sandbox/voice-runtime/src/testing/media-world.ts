// A real LiveKit, telephones and the voice runtime, with a small HTTP server in the place of the platform.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { callContext, roomMetadataOf } from '@parlance/contracts';
import {
  findLiveKit,
  freePort,
  type LiveKitBinaries,
  type LiveKitServer,
  startLiveKitServer,
} from '@parlance/sandbox-engines';
import { runtimeConfig } from '@parlance/sandbox-livekit/testing';
import { findTelephones, startTelephones, type Telephones } from '@parlance/sandbox-telephones';
import { RoomAgentDispatch, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { startVoiceRuntime, type VoiceRuntime } from '../runtime.js';

/** Undefined, after one line on standard error, where a program is missing. */
export const findPrograms = (): LiveKitBinaries | undefined => {
  const liveKit = findLiveKit();
  if (liveKit !== undefined && findTelephones() !== undefined) return liveKit;
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server, sipp: not all installed, the voice runtime takes no real call\n',
  );
  return undefined;
};

/** The members of a handed-over call that these tests look at. */
export interface HandedOver {
  readonly callId: string;
  readonly roomName: string;
  readonly endedReason: string;
  readonly answeredBy: string;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly answeredAt: string;
  readonly endedAt: string;
  readonly transcript: readonly { readonly role: string; readonly text: string }[];
}

export interface MediaWorld {
  readonly liveKit: LiveKitServer;
  readonly telephones: Telephones;
  readonly rooms: RoomServiceClient;
  readonly sip: SipClient;
  readonly agentId: string;
  /** Questions for a configuration that the platform was asked, by path. */
  readonly asked: readonly string[];
  readonly handedOver: readonly HandedOver[];
  /** Makes the room of an outbound call and dials; resolves with the room's name when the telephone has answered. */
  dial(number: string): Promise<string>;
  stop(): Promise<void>;
}

const agentName = 'voice';
const found = runtimeConfig({ agent_language: 'en', firstMessage: 'Good day, this is the practice.' });
const { agent } = found;

const startPlatform = async () => {
  const asked: string[] = [];
  const handedOver: HandedOver[] = [];
  const server = createServer(async (request, response) => {
    const url = request.url ?? '';
    let body = '';
    for await (const part of request) body += part;
    if (request.method === 'POST') handedOver.push(JSON.parse(body) as HandedOver);
    else asked.push(url.split('?')[0] ?? '');
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ success: true, data: found }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, asked, handedOver, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

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
    internalKey: 'internal',
    log: () => undefined,
  });
  await runtime.registered;
  return {
    liveKit,
    telephones,
    rooms,
    sip,
    agentId: agent.id,
    asked: platform.asked,
    handedOver: platform.handedOver,
    dial: async (number) => {
      const attemptId = randomUUID();
      const room = `ob_${attemptId}`;
      const context = callContext({
        callId: randomUUID(),
        organizationId: agent.organizationId,
        agentId: agent.id,
        channel: 'phone',
        direction: 'outbound',
        toNumber: number,
      });
      await rooms.createRoom({
        name: room,
        metadata: JSON.stringify(roomMetadataOf(context)),
        agents: [new RoomAgentDispatch({ agentName, metadata: JSON.stringify(context) })],
      });
      await sip.createSipParticipant(sipTrunkId, number, room, {
        participantIdentity: `pstn_${attemptId}`,
        headers: { 'X-Attempt-Id': attemptId },
        waitUntilAnswered: true,
        timeout: 40,
      });
      return room;
    },
    stop: async () => {
      runtime.stop();
      await telephones.stop();
      await liveKit.stop();
      await new Promise((resolve) => platform.server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
      // The library's threads would keep the process of the tests alive.
      await dispose();
    },
  };
};
