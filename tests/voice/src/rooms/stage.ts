// A real LiveKit, the voice runtime as a program, and a stand-in of the platform. Calls are previews: a caller joins the room.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { callContext, roomMetadataOf } from '@parlance/contracts';
import { findLiveKitRooms, freePort, startLiveKitRooms } from '@parlance/engines';
import { AccessToken, RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import { internalKey, type StandInOptions, startStandIn } from '../setting/platform.js';
import { agentName, missingOfRuntime, recordOf, startRuntime } from '../setting/runtime.js';
import { Caller } from './caller.js';

/** What is missing for a call, as a sentence; undefined where nothing is. */
export const missingForCalls = (): string | undefined => {
  const missing = missingOfRuntime();
  if (missing !== undefined) return missing;
  if (findLiveKitRooms() === undefined) return 'livekit-server is not installed';
  return undefined;
};

export interface StageOptions extends Pick<StandInOptions, 'config' | 'modelsFor'> {
  /** Variables of the voice runtime, such as `SPEECH_URL`. */
  readonly environment?: Readonly<Record<string, string>>;
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

export const startStage = async ({ environment = {}, ...agent }: StageOptions = {}) => {
  const server = findLiveKitRooms();
  if (server === undefined) throw new Error('livekit-server is not installed');
  const directory = mkdtempSync(join(tmpdir(), 'parlance-voice-'));
  const platform = await startStandIn(agent);
  const place = { port: await freePort(), apiKey: 'key', apiSecret: 'api-secret'.repeat(4) };
  const url = `http://127.0.0.1:${place.port}`;
  const liveKit = await startLiveKitRooms({
    ...place,
    server,
    webhookUrl: 'http://127.0.0.1:9',
    dataDir: join(directory, 'livekit'),
    log: (program) => join(directory, `${program}.log`),
  });
  const program = await startRuntime({
    LIVEKIT_URL: url,
    LIVEKIT_API_KEY: place.apiKey,
    LIVEKIT_API_SECRET: place.apiSecret,
    INTERNAL_API_KEY: internalKey,
    PLATFORM_URL: platform.url,
    VOICE_AGENT_NAME: agentName,
    NODE_ENV: 'production',
    ...environment,
  });
  const rooms = new RoomServiceClient(url, place.apiKey, place.apiSecret, { failover: false });

  /**
   * Makes the room of a preview; its agent joins, and prepares its greeting.
   * @param config changes to the configuration of the agent for this call
   */
  const ring = async (config: object = {}) => {
    const context = callContext({
      callId: randomUUID(),
      organizationId: platform.agent.organizationId,
      agentId: platform.agent.id,
      channel: 'preview',
      direction: 'inbound',
      dynamicVariables: {},
      metadata: {},
    });
    platform.configurations.set(context.callId, config);
    const room = `pv_${context.callId}`;
    await rooms.createRoom({
      name: room,
      metadata: JSON.stringify(roomMetadataOf(context)),
      agents: [new RoomAgentDispatch({ agentName, metadata: JSON.stringify(context) })],
    });
    const token = new AccessToken(place.apiKey, place.apiSecret, { identity: 'caller' });
    token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
    const jwt = await token.toJwt();
    return {
      callId: context.callId,
      room,
      hasAgent: async () => (await rooms.listParticipants(room)).length > 0,
      answer: () => Caller.join(url.replace(/^http/, 'ws'), jwt),
    };
  };

  return {
    platform,
    ring,
    record: (callId: string) => recordOf(platform, (call) => call.callId === callId),
    runtimePid: program.pid,
    output: program.output,
    stop: async () => {
      await program.stop();
      await liveKit.stop();
      await platform.stop();
      rmSync(directory, { recursive: true, force: true });
      await dispose();
    },
  };
};
