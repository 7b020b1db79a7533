import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RoomAgentDispatch,
  RoomServiceClient,
  SipCallError,
  SipClient,
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk';
import { type LedgerEntry, type RunningLiveKit, readLedger, startLiveKit } from './index.js';

const apiKey = 'APItest';
const apiSecret = 'a-secret-of-at-least-thirty-two-bytes';
const directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-'));
const webhooks: WebhookEvent[] = [];
const ingested: Record<string, unknown>[] = [];
let platform: Server;
let livekit: RunningLiveKit;
let rooms: RoomServiceClient;
let sip: SipClient;
let trunkId: string;

const config = {
  agent_language: 'en-US',
  firstMessage: 'Hi {{customer_name | there}}!',
  sttModel: 'deepgram/nova-3',
  llmModel: 'openai/gpt-4.1-mini',
  ttsModel: 'cartesia/sonic-3',
  data_needed: [],
  data_evaluation: [],
  voicemail: { action: 'leave_message', message: 'Please call back.' },
};

const startPlatform = async (): Promise<string> => {
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  platform = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      if (request.url === '/hooks/livekit')
        webhooks.push(await receiver.receive(body, request.headers.authorization));
      else if (request.url === '/api/v1/calls') ingested.push(JSON.parse(body));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, data: { config } }));
    });
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const address = platform.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
};

const until = async <T>(find: () => T | undefined): Promise<T> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

beforeAll(async () => {
  const platformUrl = await startPlatform();
  livekit = await startLiveKit({
    dataDir: directory,
    apiKey,
    apiSecret,
    webhookUrl: `${platformUrl}/hooks/livekit`,
    platformUrl,
    internalKey: 'internal',
    agentName: 'parlance-voice',
    timeScale: 100,
  });
  rooms = new RoomServiceClient(livekit.url, apiKey, apiSecret, { failover: false });
  sip = new SipClient(livekit.url, apiKey, apiSecret, { failover: false });
  trunkId = (await sip.createSipOutboundTrunk('test', 'sip.invalid', ['*'])).sipTrunkId;
});

afterAll(async () => {
  await livekit.stop();
  await new Promise((resolve) => platform.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

const call = async (room: string, number: string, options: { ringingTimeout?: number } = {}) => {
  const context = {
    callId: `call-${room}`,
    organizationId: 'org',
    agentId: '0198c0de-0000-7000-8000-0000000000aa',
    channel: 'phone',
    direction: 'outbound',
    toNumber: number,
    dynamicVariables: { customer_name: 'Ada' },
  };
  const metadata = JSON.stringify(context);
  await rooms.createRoom({
    name: room,
    metadata,
    emptyTimeout: 30,
    agents: [new RoomAgentDispatch({ agentName: 'parlance-voice', metadata })],
  });
  return sip.createSipParticipant(trunkId, number, room, {
    participantIdentity: `pstn_${room}`,
    fromNumber: '+14155550142',
    waitUntilAnswered: true,
    ringingTimeout: options.ringingTimeout ?? 1,
  });
};

const ledgerOf = async (room: string): Promise<LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(livekit.ledgerPath)) if (entry.room === room) entries.push(entry);
  return entries;
};
const ingestOf = (room: string) => until(() => ingested.find(({ callId }) => callId === `call-${room}`));

describe('a phone that is answered', () => {
  it('holds a conversation with its variables filled in and hands it over', async () => {
    const info = await call('answered', '+14155550100');
    expect(info.sipCallId).toMatch(/^SCL_/);
    const handed = await ingestOf('answered');
    expect(handed).toMatchObject({ status: 'completed', answeredBy: 'human', endedReason: 'user_hangup' });
    expect(handed.transcript).toMatchObject(
      [
        { role: 'agent', text: 'Hi Ada!' },
        { role: 'user' },
        { role: 'agent' },
        {},
        {},
        {},
        {},
        {},
        {},
        {},
      ].slice(0, 10),
    );
    expect((await ledgerOf('answered')).map(({ kind }) => kind)).toEqual(['dial', 'ring']);
  });

  it('tells the story of the room in signed webhooks, in order', async () => {
    await call('story', '+14155550101');
    await until(() =>
      webhooks.find(({ event, room }) => event === 'room_finished' && room?.name === 'story'),
    );
    const story = webhooks.filter(({ room }) => room?.name === 'story').map(({ event }) => event);
    expect(story[0]).toBe('room_started');
    expect(story.at(-1)).toBe('room_finished');
    expect(story.filter((event) => event === 'participant_joined')).toHaveLength(2);
  });

  it('reaches a voicemail as a machine', async () => {
    await call('voicemail', '+14155550185');
    expect(await ingestOf('voicemail')).toMatchObject({
      answeredBy: 'machine_voicemail',
      endedReason: 'voicemail_reached',
    });
  });

  it('is over within a second when the callee hangs up at once', async () => {
    await call('short', '+14155550198');
    const handed = await ingestOf('short');
    expect(handed).toMatchObject({ status: 'completed', endedReason: 'user_hangup' });
    expect(Number(handed.durationSeconds)).toBeLessThanOrEqual(1);
  });
});

describe('a phone that is not answered', () => {
  it.each([
    ['+14155550160', 480],
    ['+14155550170', 486],
    ['+14155550180', 603],
    ['+14155550190', 404],
  ])('%s fails with SIP status %d', async (number, status) => {
    const failure = await call(`no-${status}`, number).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SipCallError);
    expect(failure).toMatchObject({ sipStatusCode: status });
  });

  it('is rate limited once and no phone rings, then it is answered', async () => {
    await expect(call('limited', '+14155550195')).rejects.toMatchObject({ status: 429 });
    await expect(call('limited-again', '+14155550195')).resolves.toMatchObject({ roomName: 'limited-again' });
    expect((await ledgerOf('limited')).map(({ kind }) => kind)).toEqual(['dial']);
  });

  it('does not ring when the provider fails before dialling', async () => {
    await expect(call('broken', '+14155550196')).rejects.toMatchObject({ status: 500 });
    expect((await ledgerOf('broken')).map(({ kind }) => kind)).toEqual(['dial']);
  });
});

describe('the server', () => {
  it('rings twice for the same dial twice and puts the first participant out', async () => {
    await rooms.createRoom({ name: 'twice' });
    const dial = () =>
      sip.createSipParticipant(trunkId, '+14155550102', 'twice', {
        participantIdentity: 'pstn_twice',
        waitUntilAnswered: true,
      });
    await dial();
    await dial();
    const left = await until(() =>
      webhooks.find(
        ({ event, room, participant }) =>
          event === 'participant_left' && room?.name === 'twice' && participant?.identity === 'pstn_twice',
      ),
    );
    expect(left.participant?.disconnectReason).toBe(2);
    expect((await ledgerOf('twice')).filter(({ kind }) => kind === 'ring')).toHaveLength(2);
  });

  it('does not dial into a room that does not exist', async () => {
    await expect(sip.createSipParticipant(trunkId, '+14155550100', 'nowhere')).rejects.toMatchObject({
      status: 404,
    });
  });

  it('refuses a token that is signed with another secret', async () => {
    const stranger = new RoomServiceClient(livekit.url, apiKey, 'another-secret-of-thirty-two-bytes!!', {
      failover: false,
    });
    await expect(stranger.listRooms()).rejects.toMatchObject({ status: 401 });
  });

  it('says of what it does not have that it does not have it', async () => {
    await expect(sip.listSipTrunk()).rejects.toMatchObject({ status: 501 });
  });
});
