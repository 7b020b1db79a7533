// Calls from people to one of the platform's numbers, and faults of everything but dialling.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RoomAgentDispatch, RoomConfiguration } from '@livekit/protocol';
import { clientsAt } from '../conformance/support.js';
import { createLiveKitFaults, type LiveKitOptions, type RunningLiveKit, startLiveKit } from '../index.js';
import { agent, deafNumber, type FakePlatform, startFakePlatform, until } from '../testing/fake-platform.js';

const apiKey = 'APItest';
const apiSecret = 'a-secret-of-at-least-thirty-two-bytes';
const ours = '+14155550142';
const unanswered = '+14155550143';
const faults = createLiveKitFaults();
const directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-'));
let options: LiveKitOptions;
let platform: FakePlatform;
let livekit: RunningLiveKit;
let clients: ReturnType<typeof clientsAt>;

const ruleFor = async (number: string, agentName: string): Promise<void> => {
  const trunk = await clients.sip.createSipInboundTrunk(number, [number]);
  await clients.sip.createSipDispatchRule(
    { type: 'individual', roomPrefix: 'in' },
    {
      trunkIds: [trunk.sipTrunkId],
      roomConfig: new RoomConfiguration({ agents: [new RoomAgentDispatch({ agentName })] }),
    },
  );
};

beforeAll(async () => {
  platform = await startFakePlatform(apiKey, apiSecret);
  options = {
    dataDir: directory,
    apiKey,
    apiSecret,
    webhookUrl: `${platform.url}/hooks/livekit`,
    platformUrl: platform.url,
    internalKey: 'internal',
    agentName: 'parlance-voice',
    timeScale: 50,
    faults,
  };
  livekit = await startLiveKit(options);
  clients = clientsAt(livekit.url, apiKey, apiSecret);
  await ruleFor(ours, 'parlance-voice');
  await ruleFor(deafNumber, 'parlance-voice');
  await ruleFor(unanswered, 'somebody-else');
});
afterEach(() => faults.clear());
afterAll(async () => {
  await livekit.stop();
  await platform.close();
  rmSync(directory, { recursive: true, force: true });
});

const call = async (to: string, token = apiSecret) => {
  const response = await fetch(`${livekit.url}/sandbox/inbound-calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '+12125550123', to }),
  });
  const body = (await response.json()) as Record<string, string>; // strings only
  return { status: response.status, body, roomName: body.roomName ?? '' };
};
const eventsOf = (roomName: string) => platform.webhooks.filter(({ room }) => room?.name === roomName);
const finished = (roomName: string) =>
  until(() => eventsOf(roomName).find(({ event }) => event === 'room_finished'));

describe('a person who calls', () => {
  it('talks to the agent of the number, and the call is handed over', async () => {
    const { status, roomName, body } = await call(ours);
    expect(status).toBe(201);
    expect(roomName).toMatch(/^in_\+12125550123_/);
    const handed = await until(() => platform.ingested.find((ingest) => ingest.roomName === roomName));
    expect(handed).toMatchObject({
      organizationId: agent.organizationId,
      agentId: agent.id,
      configVersion: 3,
      channel: 'phone',
      direction: 'inbound',
      fromNumber: '+12125550123',
      toNumber: ours,
      status: 'completed',
      answeredBy: 'human',
    });
    expect(handed.transcript).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ seq: 0, role: 'agent', text: 'Hi there!' }),
        expect.objectContaining({ seq: 1, role: 'user', text: expect.stringContaining('invoices') }),
      ]),
    );
    await finished(roomName);
    const story = eventsOf(roomName);
    expect(story.map(({ event }) => event)).toEqual([
      'room_started',
      'participant_joined',
      'participant_joined',
      'participant_left',
      'participant_left',
      'room_finished',
    ]);
    expect(story[1]?.participant?.attributes).toMatchObject({
      'sip.callID': body.sipCallId,
      'sip.phoneNumber': '+12125550123',
      'sip.trunkPhoneNumber': ours,
      'sip.ruleID': body.sipDispatchRuleId,
    });
    // From the moment on that the agent is there, the room says which call it is.
    expect(JSON.parse(story[2]?.room?.metadata ?? '{}')).toMatchObject({
      callId: handed.callId,
      direction: 'inbound',
    });
  });

  it('hears nothing from an agent that takes no calls', async () => {
    const { roomName } = await call(deafNumber);
    await finished(roomName);
    expect(platform.ingested.find((ingest) => ingest.roomName === roomName)).toBeUndefined();
  });

  it('hangs up when nobody answers', async () => {
    const { roomName } = await call(unanswered);
    await finished(roomName);
    const left = eventsOf(roomName).find(({ event }) => event === 'participant_left');
    expect(left?.participant?.attributes).toMatchObject({ 'sip.callStatus': 'ringing' });
  });

  it('is not put through to a number that has no rule', async () => {
    expect(await call('+14155550177')).toMatchObject({ status: 422, body: { refused: expect.any(String) } });
  });

  it('is simulated for requests with the secret alone', async () => {
    expect(await call(ours, 'guess')).toMatchObject({ status: 401 });
  });
});

describe('trunks and rules', () => {
  it('survive a restart, and rooms do not', async () => {
    await clients.rooms.createRoom({ name: 'before', emptyTimeout: 60 });
    const before = await clients.sip.listSipDispatchRule();
    await livekit.stop();
    livekit = await startLiveKit({ ...options, port: livekit.port });
    expect(await clients.sip.listSipDispatchRule()).toEqual(before);
    expect(await clients.rooms.listRooms(['before'])).toEqual([]);
  });
});

describe('a fault', () => {
  it.each([
    ['4xx', { status: 400 }, 0],
    ['429', { status: 429 }, 0],
    ['5xx-before', { status: 500 }, 0],
    ['5xx-after', { status: 500 }, 1],
    ['reset-before', { name: 'TypeError' }, 0],
    ['reset-after', { name: 'TypeError' }, 1],
    ['refuse', { name: 'TypeError' }, 0],
  ])('%s of room methods leaves as much behind as its name says', async (mode, error, count) => {
    const name = `fault-${mode}`;
    faults.set({ target: 'rooms', mode, times: 1 });
    await expect(clients.rooms.createRoom({ name, emptyTimeout: 60 })).rejects.toMatchObject(error);
    expect(await clients.rooms.listRooms([name])).toHaveLength(count);
  });

  it('of webhooks is seen by who receives them', async () => {
    faults.set({ target: 'webhooks', mode: 'forged', times: 1 });
    await clients.rooms.createRoom({ name: 'forged', emptyTimeout: 60 });
    await until(() => platform.forged.find((body) => body.includes('"forged"')));
    faults.set({ target: 'webhooks', mode: 'duplicate', times: 1 });
    await clients.rooms.createRoom({ name: 'twice', emptyTimeout: 60 });
    const [first, second] = await until(() => (eventsOf('twice').length > 1 ? eventsOf('twice') : undefined));
    expect(first?.id).toBe(second?.id);
  });
});
