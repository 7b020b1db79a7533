// A visitor of a website in a room of a real LiveKit. The runtime hears the visitor and reads typed words. It shows
// captions and its state as LiveKit's framework for agents does.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callContext, roomMetadataOf } from '@parlance/contracts';
import { findLiveKitRooms, freePort, type LiveKitRooms, startLiveKitRooms } from '@parlance/engines';
import { pressed } from '@parlance/fake-kit/tones';
import { eventually } from '@parlance/fixtures';
import { RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import { startVoiceRuntime, type VoiceRuntime } from '../runtime.js';
import { agent, planted, startPlatform } from './platform.js';
import { joinAsVisitor, type TestVisitor } from './visitor.js';
import { endWitnesses } from './witness.js';

const server = findLiveKitRooms();
if (server === undefined)
  process.stderr.write('livekit-server: not installed, the voice runtime meets no visitor of a website\n');

(server === undefined ? describe.skip : describe)('a visitor of a website', () => {
  const place = { apiKey: 'key', apiSecret: 'secret'.repeat(6) };
  let directory: string;
  let port: number;
  let liveKit: LiveKitRooms;
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  let runtime: VoiceRuntime;
  let rooms: RoomServiceClient;
  let room: string;
  let visitor: TestVisitor;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parlance-visitors-'));
    port = await freePort();
    platform = await startPlatform();
    const log = (program: string): string => join(directory, `${program}.log`);
    const dataDir = join(directory, 'livekit');
    liveKit = await startLiveKitRooms({
      ...{ ...place, port, dataDir, log, webhookUrl: 'http://127.0.0.1:9', server: server ?? '' },
    });
    const liveKitUrl = `http://127.0.0.1:${port}`;
    rooms = new RoomServiceClient(liveKitUrl, place.apiKey, place.apiSecret, { failover: false });
    runtime = startVoiceRuntime({
      ...{ ...place, liveKitUrl, agentName: 'voice', platformUrl: platform.url },
      internalKey: planted.internalKey,
      log: () => undefined,
    });
    await runtime.registered;
  });
  afterAll(async () => {
    runtime?.stop();
    await liveKit?.stop();
    await new Promise((resolve) => platform?.server.close(resolve));
    rmSync(directory, { recursive: true, force: true });
    await endWitnesses();
  });

  const open = async (maxDurationSeconds: number): Promise<void> => {
    room = `wg_${randomUUID()}`;
    const context = callContext({
      ...{ callId: randomUUID(), organizationId: agent.organizationId, agentId: agent.id },
      ...{ channel: 'widget', direction: 'inbound', maxDurationSeconds },
    });
    await rooms.createRoom({
      name: room,
      metadata: JSON.stringify(roomMetadataOf(context)),
      agents: [new RoomAgentDispatch({ agentName: 'voice', metadata: JSON.stringify(context) })],
    });
    visitor = await joinAsVisitor({ ...place, url: `ws://127.0.0.1:${port}`, room });
  };
  beforeEach(() => open(600));
  afterEach(() => visitor.leave());

  const greeting = 'Good day, this is the practice.';
  const handedOver = () =>
    eventually(() => {
      const call = platform.handedOver.find(({ roomName }) => roomName === room);
      if (call === undefined) throw new Error('it is not handed over yet');
      return call;
    });
  const greeted = () =>
    eventually(() => expect(visitor.captions()).toContainEqual(expect.objectContaining({ text: greeting })));

  it('reads each sentence of the agent while it sounds, whole at its end, under the id of the agent’s track', async () => {
    await greeted();
    await eventually(() => expect(visitor.captions().filter(({ isFinal }) => isFinal)).not.toHaveLength(0));
    const [spoken, whole] = visitor.captions();
    expect([spoken, whole]).toEqual([
      expect.objectContaining({ text: greeting, isFinal: false, track: visitor.agentTrack() }),
      { ...spoken, isFinal: true, pieces: 1 },
    ]);
    expect(spoken?.pieces).toBeGreaterThan(1);
    expect(visitor.states()).toContain('speaking');
    await eventually(() => expect(visitor.states().at(-1)).toBe('listening'));
  });

  it('is heard: keys that the microphone hears are shown as the visitor’s words, and in the transcript', async () => {
    await greeted();
    await visitor.play(pressed('1207'));
    await eventually(() =>
      expect(visitor.captions()).toContainEqual(
        expect.objectContaining({ text: '1 2 0 7', from: visitor.identity, track: visitor.track() }),
      ),
    );
    await visitor.leave();
    const { transcript, endedReason } = await handedOver();
    expect([endedReason, transcript.filter(({ role }) => role === 'user').map(({ text }) => text)]).toEqual([
      'user_hangup',
      ['1 2 0 7'],
    ]);
  });

  it('is answered when they type, and the conversation ends with them', async () => {
    await greeted();
    const before = visitor.captions().length;
    await visitor.type('Where is my order?');
    await eventually(() => expect(visitor.captions().length).toBeGreaterThan(before));
    await visitor.leave();
    const { transcript } = await handedOver();
    const [, asked, answer] = transcript;
    expect([asked?.text, answer?.role]).toEqual(['Where is my order?', 'agent']);
  });

  it('who may stay for two seconds is let go then, with this reason', async () => {
    await visitor.leave();
    await open(2);
    expect((await handedOver()).endedReason).toBe('max_duration_reached');
    await eventually(async () => expect(await rooms.listRooms([room])).toEqual([]));
  });
});
