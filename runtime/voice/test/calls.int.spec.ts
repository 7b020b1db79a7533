// The runtime as a program joins the room of a preview on a real LiveKit, talks with a visitor, and hands the call over.
// Skipped where the runtime's own dependencies, or LiveKit's programs, are not installed.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AudioStream, dispose, Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { callContext, roomMetadataOf } from '@parlance/contracts';
import { findLiveKit, freePort, startLiveKitServer } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { AccessToken, RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import { agent, planted, source, startPlatform } from './testing/platform.js';

const folder = fileURLToPath(new URL('../', import.meta.url));
const isInstalled = existsSync(join(folder, 'node_modules', '@livekit', 'agents'));
const binaries = findLiveKit();
if (!isInstalled)
  process.stderr.write(
    'runtime/voice: its own packages are not installed (npm ci in that folder), so it takes no call\n',
  );
else if (binaries === undefined)
  process.stderr.write(
    'livekit-server, livekit-sip, redis-server: not all installed, so runtime/voice takes no call\n',
  );

/** Samples above this are a voice, not the noise of a codec. */
const audible = 500;
/** So many frames of 10 ms are at least half a second of voice. */
const wordOfVoice = 50;

/** The processes of calls, and the warm ones. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

const startRuntime = async (environment: Readonly<Record<string, string>>) => {
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const program = spawn(process.execPath, [join(folder, 'dist', 'program', 'livekit', 'main.js')], {
    cwd: folder,
    env: { ...process.env, ...environment, SPEECH_URL: process.env.SPEECH_URL ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  let said = '';
  program.stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  await eventually(() => expect(said).toContain('registered'));
  return {
    pid: program.pid as number,
    stop: async () => {
      program.kill('SIGTERM');
      await gone;
    },
  };
};

const startWorld = async (environment: Readonly<Record<string, string>> = {}) => {
  if (binaries === undefined) throw new Error('LiveKit is not installed');
  const directory = mkdtempSync(join(tmpdir(), 'parlance-voice-'));
  const platform = await startPlatform();
  const place = { port: await freePort(), apiKey: 'key', apiSecret: 'api-secret'.repeat(4) };
  const url = `http://127.0.0.1:${place.port}`;
  const liveKit = await startLiveKitServer({
    ...place,
    binaries,
    webhookUrl: 'http://127.0.0.1:9',
    dataDir: join(directory, 'livekit'),
    log: (program) => join(directory, `${program}.log`),
  });
  const opsPort = await freePort();
  const runtime = await startRuntime({
    LIVEKIT_URL: url,
    LIVEKIT_API_KEY: place.apiKey,
    LIVEKIT_API_SECRET: place.apiSecret,
    INTERNAL_API_KEY: planted.internalKey,
    PLATFORM_URL: platform.url,
    VOICE_AGENT_NAME: 'voice',
    OPS_PORT: String(opsPort),
    ...environment,
  });
  return {
    opsPort,
    platform,
    runtimePid: runtime.pid,
    runtime,
    rooms: new RoomServiceClient(url, place.apiKey, place.apiSecret, { failover: false }),
    /** Makes the room of a preview as the platform does, with a job for each dispatch, and a token for its visitor. */
    preview: async (dispatches = 1) => {
      const context = callContext({
        callId: randomUUID(),
        organizationId: agent.organizationId,
        agentId: agent.id,
        channel: 'preview',
        direction: 'inbound',
        systemPrompt: planted.promptOfCall,
        dynamicVariables: { secret: planted.variable },
        metadata: { note: planted.metadata },
      });
      const room = `pv_${context.callId}`;
      const rooms = new RoomServiceClient(url, place.apiKey, place.apiSecret, { failover: false });
      const metadata = JSON.stringify(context);
      await rooms.createRoom({
        name: room,
        metadata: JSON.stringify(roomMetadataOf(context)),
        agents: Array.from(
          { length: dispatches },
          () => new RoomAgentDispatch({ agentName: 'voice', metadata }),
        ),
      });
      const token = new AccessToken(place.apiKey, place.apiSecret, { identity: 'visitor' });
      token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
      return { room, url: url.replace(/^http/, 'ws'), token: await token.toJwt(), callId: context.callId };
    },
    stop: async () => {
      await runtime.stop();
      await liveKit.stop();
      await new Promise((resolve) => platform.server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** A visitor who types, listens, and keeps every text that is sent. */
const visit = async (url: string, token: string) => {
  const room = new Room();
  const sent: string[] = [];
  let voiced = 0;
  let isOver = false;
  room.on(RoomEvent.TrackSubscribed, async (track) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    for await (const { data } of new AudioStream(track, 16_000, 1))
      if (data.some((sample) => Math.abs(sample) > audible)) voiced += 1;
  });
  room.on(RoomEvent.ParticipantAttributesChanged, (attributes) => sent.push(JSON.stringify(attributes)));
  room.on(RoomEvent.RoomMetadataChanged, (metadata) => sent.push(metadata));
  room.on(RoomEvent.DataReceived, (payload) => sent.push(Buffer.from(payload).toString('utf8')));
  room.on(RoomEvent.Disconnected, () => {
    isOver = true;
  });
  /** The end of the room cuts off a text on its way. */
  const keep = (text: Promise<string>): Promise<unknown> => text.then((all) => sent.push(all)).catch(() => 0);
  room.registerTextStreamHandler('lk.transcription', (reader) => keep(reader.readAll()));
  // The framework tells the visitor of its session here.
  room.registerByteStreamHandler('lk.agent.session', (reader) =>
    keep(reader.readAll().then((parts) => Buffer.concat(parts).toString('utf8'))),
  );
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  return {
    type: (text: string) => room.localParticipant?.sendText(text, { topic: 'lk.chat' }),
    voiced: () => voiced,
    sent: () => sent.join('\n'),
    isOver: () => isOver,
    leave: () => room.disconnect(),
  };
};

(isInstalled && binaries !== undefined ? describe : describe.skip)('a call that the runtime takes', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());

  const toldOf = (callId: string, end: string) =>
    world.platform.told.filter(({ path }) => path.includes(callId) && path.endsWith(end));
  const liveText = (callId: string): string =>
    toldOf(callId, '/events')
      .map(({ body }) => JSON.stringify(body))
      .join('\n');

  it('is greeted, answered by a tool and from a document, told while it lasts, and handed over', async () => {
    const { room, url, token, callId } = await world.preview();
    const visitor = await visit(url, token);
    try {
      await eventually(() => expect(liveText(callId)).toContain('Good day, this is the practice.'));
      if (process.env.SPEECH_URL)
        await eventually(() => expect(visitor.voiced()).toBeGreaterThan(wordOfVoice));
      await visitor.type('Where is my order A-1001?');
      await eventually(() => expect(liveText(callId)).toContain('The system says: sent'));
      expect(toldOf(callId, '/tools/find_order').map(({ body }) => body)).toEqual([
        { arguments: { order: 'A-1001' } },
      ]);
      await visitor.type('How long does a refund take?');
      await eventually(() => expect(liveText(callId)).toContain('Our documents say: Five days.'));
      expect(toldOf(callId, '/knowledge')).toHaveLength(1);
      await visitor.type('That was all, goodbye.');
      await eventually(() => expect(visitor.isOver()).toBe(true));
      const call = await eventually(() => {
        const [found, ...more] = world.platform.handedOver.filter((one) => one.callId === callId);
        expect(more).toEqual([]);
        if (found === undefined) throw new Error('it is not handed over yet');
        return found;
      });
      expect(call).toMatchObject({ roomName: room, endedReason: 'agent_hangup', answeredBy: 'human' });
      const roles = call.transcript.map(({ role }) => role);
      expect(roles).toEqual(['agent', 'user', 'tool', 'agent', 'user', 'agent', 'user', 'agent']);
      expect(call.transcript.flatMap(({ sources = [] }) => sources)).toEqual([source]);
      const answers = call.transcript.filter(({ role }) => role === 'agent').slice(1);
      const timings = expect.objectContaining({ firstTokenMs: expect.any(Number) });
      const byRules = expect.objectContaining({ model: null, timings });
      expect(answers).toEqual(answers.map(() => byRules));
      // The visitor was sent the words of the agent, and nothing that is between platform and runtime.
      await eventually(() => expect(visitor.sent()).toContain('Our documents say: Five days.'));
      for (const [what, words] of Object.entries(planted))
        expect({ what, isSeen: visitor.sent().includes(words) }).toEqual({ what, isSeen: false });
    } finally {
      await visitor.leave();
    }
  });

  it('has one agent when its job is dispatched twice: the second one leaves, and the call goes on', async () => {
    const { room, url, token, callId } = await world.preview(2);
    const agents = async () =>
      (await world.rooms.listParticipants(room)).filter(({ identity }) => identity !== 'visitor');
    const seen = new Set<string>();
    await eventually(async () => {
      for (const { identity } of await agents()) seen.add(identity);
      expect(seen.size).toBe(2);
    });
    await eventually(async () => expect(await agents()).toHaveLength(1));
    const visitor = await visit(url, token);
    await eventually(() => expect(liveText(callId)).toContain('Good day'));
    await visitor.type('That was all, goodbye.');
    await eventually(() => expect(visitor.isOver()).toBe(true));
    await eventually(() =>
      expect(world.platform.handedOver.filter((call) => call.callId === callId)).toEqual([
        expect.objectContaining({ endedReason: 'agent_hangup' }),
      ]),
    );
    const [call] = world.platform.handedOver.filter((one) => one.callId === callId);
    expect(call?.transcript.filter(({ text }) => text.startsWith('Good day'))).toHaveLength(1);
  });

  it('ends when the visitor leaves, with this reason', async () => {
    const { url, token, callId } = await world.preview();
    const visitor = await visit(url, token);
    await eventually(() => expect(liveText(callId)).toContain('Good day'));
    await visitor.leave();
    await eventually(() =>
      expect(world.platform.handedOver.find((call) => call.callId === callId)?.endedReason).toBe(
        'user_hangup',
      ),
    );
  });

  it('is over for the caller when its process was killed, and handed over with its turns and this reason', async () => {
    const { url, token, callId } = await world.preview();
    const visitor = await visit(url, token);
    await eventually(() => expect(liveText(callId)).toContain('Good day'));
    await visitor.type('How long does a refund take?');
    await eventually(() => expect(liveText(callId)).toContain('Our documents say: Five days.'));
    const killedAt = Date.now();
    for (const pid of childrenOf(world.runtimePid)) process.kill(pid, 'SIGKILL');
    await eventually(() => expect(visitor.isOver()).toBe(true));
    const calls = await eventually(() => {
      const found = world.platform.handedOver.filter((one) => one.callId === callId);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(calls).toMatchObject([{ status: 'completed', endedReason: 'error_runtime', answeredBy: 'human' }]);
    expect(calls[0]?.transcript.map(({ role }) => role)).toEqual(['agent', 'user', 'agent']);
    const endedAt = Date.parse(calls[0]?.endedAt ?? '');
    expect(endedAt).toBeGreaterThanOrEqual(killedAt);
    await visitor.leave();
  });

  it('goes on after SIGTERM until it is over, while further calls are not taken', async () => {
    const opsUrl = `http://127.0.0.1:${world.opsPort}`;
    const readiness = async () => (await fetch(`${opsUrl}/readyz`)).json();
    await eventually(async () => expect(await readiness()).toEqual({ status: 'ready' }));
    const { url, token, callId } = await world.preview();
    const visitor = await visit(url, token);
    await eventually(() => expect(liveText(callId)).toContain('Good day'));
    expect(await (await fetch(`${opsUrl}/metrics`)).text()).toMatch(/^parlance_voice_calls(?:{[^}]*})? 1$/m);
    const stopped = world.runtime.stop();
    await eventually(async () =>
      expect(await readiness()).toEqual({ status: 'not ready', reasons: ['draining'] }),
    );
    const refused = await world.preview();
    await visitor.type('Where is my order A-1001?');
    await eventually(() => expect(liveText(callId)).toContain('The system says: sent'));
    expect(await world.rooms.listParticipants(refused.room)).toEqual([]);
    await visitor.type('That was all, goodbye.');
    await stopped;
    expect(world.platform.handedOver.find((call) => call.callId === callId)?.endedReason).toBe(
      'agent_hangup',
    );
    await visitor.leave();
  });
});

(isInstalled && binaries !== undefined ? describe : describe.skip)(
  'a call that outlasts the wait after SIGTERM',
  () => {
    let world: Awaited<ReturnType<typeof startWorld>>;
    beforeAll(async () => {
      world = await startWorld({ DRAIN_CALLS_SECONDS: '1' });
    });
    afterAll(async () => {
      await world?.stop();
      await dispose();
    });

    it('is ended and handed over', async () => {
      const { url, token, callId } = await world.preview();
      const visitor = await visit(url, token);
      await eventually(() => expect(visitor.sent()).toContain('Good day'));
      await world.runtime.stop();
      await eventually(() => expect(visitor.isOver()).toBe(true));
      expect(world.platform.handedOver.filter((call) => call.callId === callId)).toHaveLength(1);
      await visitor.leave();
    });
  },
);
