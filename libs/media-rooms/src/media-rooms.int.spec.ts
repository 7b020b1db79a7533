// The port through the media server's own protocol: a media server that passes these tests can stand behind the port.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import type { RoomEvent } from '@parlance/contracts';
import { type RunningLiveKit, readLedger, startLiveKit } from '@parlance/fake-livekit';
import { eventually } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createMediaRooms, createWebhookVerifier, type MediaRooms, type MediaRoomsEnv } from './index.js';
import { livekitClients } from './livekit-rooms.js';

const apiKey = 'APItest';
const apiSecret = 'a-secret-of-at-least-thirty-two-bytes';
const trunkId = 'ST_sandbox';
const directory = mkdtempSync(join(tmpdir(), 'parlance-rooms-'));
const verify = createWebhookVerifier(apiKey, apiSecret);
const events: RoomEvent[] = [];
let platform: Server;
let livekit: RunningLiveKit;
let rooms: MediaRooms;

/** The platform's side: takes webhooks, and has no configuration for the simulated runtime. */
const startPlatform = async (): Promise<string> => {
  platform = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.url === '/hooks/livekit')
        events.push(await verify(Buffer.concat(chunks), request.headers.authorization));
      response.setHeader('content-type', 'application/json');
      response.end('{"success":true,"data":{}}');
    });
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const address = platform.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

const fault = async (mode: string): Promise<void> => {
  const answer = await fetch(`${livekit.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiSecret}` },
    body: JSON.stringify({ target: 'sip', mode, times: 1 }),
  });
  expect(answer.status).toBe(200);
};

const linesOf = async (kind: 'dial' | 'ring', room: string): Promise<number> => {
  let count = 0;
  for await (const entry of readLedger(livekit.ledgerPath))
    if (entry.kind === kind && entry.room === room) count += 1;
  return count;
};
const ringsIn = (room: string): Promise<number> => linesOf('ring', room);
const dialsIn = (room: string): Promise<number> => linesOf('dial', room);

let made = 0;
const roomFor = async (): Promise<string> => {
  made += 1;
  const name = `ob_${made}`;
  await rooms.createRoom({ name, metadata: { callId: name }, emptyTimeoutSeconds: 60 });
  return name;
};
const dialIn = (room: string, to: string) =>
  rooms.dial({
    room,
    identity: `pstn_${room}`,
    to,
    from: '+14155550142',
    trunkId,
    ringingTimeoutSeconds: 2,
    longestSeconds: 600,
    attemptId: room,
  });

const environment = (): MediaRoomsEnv => ({
  LIVEKIT_URL: livekit.url,
  LIVEKIT_API_KEY: apiKey,
  LIVEKIT_API_SECRET: new Secret(apiSecret),
  VOICE_AGENT_NAME: 'parlance-voice',
});

beforeAll(async () => {
  // trunks outlive the server in this file; making one is an operator's act, not part of the port
  writeFileSync(join(directory, 'trunks.json'), JSON.stringify([{ sipTrunkId: trunkId }]));
  const platformUrl = await startPlatform();
  livekit = await startLiveKit({
    dataDir: directory,
    apiKey,
    apiSecret,
    webhookUrl: `${platformUrl}/hooks/livekit`,
    platformUrl,
    internalKey: 'internal',
    agentName: 'parlance-voice',
  });
  rooms = createMediaRooms(environment(), {
    logger: createLogger({ service: 'test', level: 'silent' }),
    dialMarginSeconds: 2,
  });
});
afterAll(async () => {
  await livekit.stop();
  await new Promise((resolve) => platform.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

describe('a room', () => {
  it('exists once however often it is made, carries its metadata, and is gone once it is deleted', async () => {
    const name = await roomFor();
    await rooms.createRoom({ name, metadata: { callId: name }, emptyTimeoutSeconds: 60 });
    expect(await rooms.rooms([name])).toMatchObject([{ name, metadata: `{"callId":"${name}"}` }]);
    expect(await rooms.deleteRoom(name)).toBe('deleted');
    expect(await rooms.rooms([name])).toEqual([]);
    expect(await rooms.deleteRoom(name)).toBe('absent');
    await eventually(() =>
      expect(events.filter(({ room }) => room.name === name).map(({ type }) => type)).toEqual([
        'room_started',
        'room_finished',
      ]),
    );
  });
});

describe('a dial', () => {
  it('that is answered leaves a participant whom recovery can find, until the room is deleted', async () => {
    const room = await roomFor();
    const outcome = await dialIn(room, '+14155550100');
    expect(outcome).toMatchObject({ kind: 'answered' });
    const found = await rooms.participant(room, `pstn_${room}`);
    expect(found).toMatchObject({
      kind: 'sip',
      sipCallStatus: 'active',
      sipCallId: outcome.kind === 'answered' ? outcome.sipCallId : '',
    });
    await rooms.deleteRoom(room);
    expect(await rooms.participant(room, `pstn_${room}`)).toBeNull();
  });

  it.each([
    ['+14155550170', { status: 'busy', endedReason: 'busy', sipStatus: 486 }],
    ['+14155550180', { status: 'no_answer', endedReason: 'declined', sipStatus: 603 }],
    ['+14155550190', { status: 'failed', endedReason: 'invalid_destination', sipStatus: 404 }],
  ])('to %s says why the callee was not reached', async (to, why) => {
    expect(await dialIn(await roomFor(), to)).toEqual({ kind: 'refused', ...why });
  });

  it('without an answer says that the ringing time is over', async () => {
    expect(await dialIn(await roomFor(), '+14155550160')).toEqual({
      ...{ kind: 'unanswered', status: 'no_answer', endedReason: 'no_answer' },
    });
  });

  it('that comes too fast may be tried again later', async () => {
    await fault('429');
    expect(await dialIn(await roomFor(), '+14155550100')).toMatchObject({
      kind: 'refused',
      retryAfterSeconds: 2,
    });
  });

  it.each(['5xx-before', '5xx-after', 'reset-after', 'hang-after'])(
    'is sent once and in doubt when the server fails (%s)',
    async (mode) => {
      const room = await roomFor();
      await fault(mode);
      expect(await dialIn(room, '+14155550100')).toMatchObject({ kind: 'inDoubt' });
      expect(await dialsIn(room)).toBe(1);
    },
  );

  it('that comes after its call was cancelled finds no room, and no phone rings', async () => {
    const room = await roomFor();
    await rooms.deleteRoom(room);
    expect(await dialIn(room, '+14155550100')).toMatchObject({
      kind: 'refused',
      providerCode: 'room_absent',
    });
    expect(await ringsIn(room)).toBe(0);
    expect(await rooms.rooms([room])).toEqual([]);
  });
});

describe('a route for a number', () => {
  const phoneNumber = '+14155550199';
  const callFrom = async (address: string, credentials: object = {}): Promise<number> => {
    const { status } = await fetch(`${livekit.url}/sandbox/inbound-calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiSecret}` },
      body: JSON.stringify({ from: '+12125550123', to: phoneNumber, address, ...credentials }),
    });
    return status;
  };

  it('accepts its addresses alone, and writes them over a trunk that had none or others', async () => {
    const { sip } = livekitClients(environment());
    await sip.createSipInboundTrunk('of a release before', [phoneNumber]);
    const route = (...allowedAddresses: [string, ...string[]]) =>
      rooms.routeInbound({ phoneNumber, name: 'again', allowedAddresses });
    await route('192.0.2.0/24');
    expect(await callFrom('192.0.2.200')).toBe(201);
    expect(await callFrom('198.51.100.1')).toBe(422);
    await route('198.51.100.1/32', '203.0.113.0/24');
    expect(await callFrom('192.0.2.200')).toBe(422);
    expect(await callFrom('198.51.100.1')).toBe(201);
    const routed = (await rooms.routedNumbers()).get(phoneNumber);
    expect(routed?.allowedAddresses).toEqual(['198.51.100.1/32', '203.0.113.0/24']);
    expect(routed?.hasCredentials).toBe(false);
    expect(routed?.accepts({ allowedAddresses: ['203.0.113.0/24', '198.51.100.1/32'] })).toBe(true);
    expect(routed?.accepts({ allowedAddresses: ['203.0.113.0/24'] })).toBe(false);
    expect(await sip.listSipInboundTrunk({ numbers: [phoneNumber] })).toHaveLength(1);
    await rooms.unrouteInbound(phoneNumber);
    expect(await callFrom('198.51.100.1')).toBe(422);
  });

  it('demands the credentials of its carrier beside the address, also on a trunk that had none or others', async () => {
    const allowedAddresses = ['192.0.2.0/24'] as const;
    const route = (password?: string) => {
      const credentials = password && { username: 'carrier', password: new Secret(password) };
      return rooms.routeInbound({
        phoneNumber,
        name: 'again',
        allowedAddresses,
        ...(credentials ? { credentials } : {}),
      });
    };
    const call = (password: string, address = '192.0.2.1') =>
      callFrom(address, { username: 'carrier', password });
    await route();
    expect(await callFrom('192.0.2.1')).toBe(201);
    await route('first');
    expect([await callFrom('192.0.2.1'), await call('second'), await call('first')]).toEqual([422, 422, 201]);
    expect(await call('first', '198.51.100.1')).toBe(422);
    await route('second');
    expect([await call('first'), await call('second')]).toEqual([422, 201]);
    const routed = (await rooms.routedNumbers()).get(phoneNumber);
    expect(routed?.hasCredentials).toBe(true);
    const credentials = (password: string) => ({ username: 'carrier', password: new Secret(password) });
    expect(routed?.accepts({ allowedAddresses, credentials: credentials('second') })).toBe(true);
    expect(routed?.accepts({ allowedAddresses, credentials: credentials('first') })).toBe(false);
    expect(routed?.accepts({ allowedAddresses })).toBe(false);
    expect(inspect(routed)).not.toContain('second');
    await route();
    expect(await callFrom('192.0.2.1')).toBe(201);
    await rooms.unrouteInbound(phoneNumber);
  });
});
