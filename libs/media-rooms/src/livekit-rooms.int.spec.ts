import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { createMediaRooms, livekitClients } from './livekit-rooms.js';
import type { Dial } from './media-rooms.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const envOf = (url: string) => ({
  LIVEKIT_URL: url,
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: new Secret('s'.repeat(32)),
  VOICE_AGENT_NAME: 'parlance-voice',
});

let server: Server | undefined;
let requests = 0;

const answering = async (listener: RequestListener): Promise<string> => {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  const started = server;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

const stop = async (): Promise<void> => {
  const running = server;
  server = undefined;
  if (running === undefined) return;
  running.closeAllConnections();
  await new Promise((resolve) => running.close(resolve));
};
afterEach(stop);

const dial: Dial = {
  room: 'ob_1',
  identity: 'pstn_1',
  to: '+14155550100',
  from: '+14155550101',
  trunkId: 'trunk',
  ringingTimeoutSeconds: 10,
  longestSeconds: 600,
  attemptId: '1',
};

describe('the clients', () => {
  it('never repeat a request by themselves, and give up', () => {
    const { rooms, sip } = livekitClients(envOf('https://project.livekit.cloud'));
    for (const client of [rooms, sip])
      expect(Reflect.get(client, 'rpc')).toMatchObject({ failover: false, requestTimeout: 5 });
  });
});

describe('the token of a visitor', () => {
  it('is for one room, in which the visitor may publish a microphone and data, and no video', async () => {
    const media = createMediaRooms(envOf('http://127.0.0.1:1'), { logger });
    const token = await media.browserToken({ room: 'web_1', identity: 'visitor', ttlSeconds: 60 });
    const [, claims = ''] = token.split('.');
    const { video } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(video).toMatchObject({ room: 'web_1', canPublish: true, canPublishData: true });
    expect(video.canPublishSources).toEqual(['microphone']);
  });
});

describe('a dial', () => {
  it('is one request that waits for the answer and can be recognised by its attempt', async () => {
    let sent: unknown;
    const url = await answering((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        sent = JSON.parse(Buffer.concat(chunks).toString());
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ sipCallId: 'SCL_1' }));
      });
    });
    const rooms = createMediaRooms(envOf(url), { logger });
    expect(await rooms.dial(dial)).toEqual({ kind: 'answered', sipCallId: 'SCL_1' });
    expect(sent).toMatchObject({
      sipTrunkId: 'trunk',
      sipCallTo: dial.to,
      sipNumber: dial.from,
      roomName: 'ob_1',
      participantIdentity: 'pstn_1',
      headers: { 'X-Attempt-Id': '1' },
      ringingTimeout: '10s',
      maxCallDuration: '600s',
      waitUntilAnswered: true,
    });
    expect(requests).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['is answered with a failure', (_, response) => response.writeHead(503).end()],
    ['tears the connection', (request) => request.socket.resetAndDestroy()],
    ['answers with half a body', (_, response) => response.writeHead(200).end('{"sipCall')],
  ])('is sent once and in doubt when the server %s', async (_, listener) => {
    const rooms = createMediaRooms(envOf(await answering(listener)), { logger });
    expect(await rooms.dial(dial)).toMatchObject({ kind: 'inDoubt' });
    expect(requests).toBe(1);
  });

  it('is refused, not in doubt, when nobody listens', async () => {
    const url = await answering(() => undefined);
    await stop();
    const outcome = await createMediaRooms(envOf(url), { logger }).dial(dial);
    expect(outcome).toEqual({ kind: 'refused', status: 'failed', endedReason: 'provider_unavailable' });
  });

  it('that hangs is in doubt when the ringing time and a margin are over', async () => {
    const url = await answering(() => undefined);
    const rooms = createMediaRooms(envOf(url), { logger, dialMarginSeconds: 2 });
    const startedAt = performance.now();
    const outcome = await rooms.dial({ ...dial, ringingTimeoutSeconds: 1 });
    expect(outcome).toMatchObject({ kind: 'inDoubt', cause: { name: 'TimeoutError' } });
    expect(Math.round((performance.now() - startedAt) / 1_000)).toBe(3);
    expect(requests).toBe(1);
  });
});

describe('everything but a dial', () => {
  it('says that the provider is not available when the server fails', async () => {
    const rooms = createMediaRooms(envOf(await answering((_, response) => response.writeHead(500).end())), {
      logger,
    });
    await expect(rooms.rooms()).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    await expect(rooms.deleteRoom('x')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  });

  it('takes absence for an answer', async () => {
    const url = await answering((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 'not_found', msg: 'absent' }));
    });
    const rooms = createMediaRooms(envOf(url), { logger });
    expect(await rooms.deleteRoom('x')).toBe('absent');
    expect(await rooms.participant('x', 'y')).toBeNull();
    expect(await rooms.participants('x')).toEqual([]);
  });
});
