import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DisconnectReason } from '@livekit/protocol';
import { callContext, roomMetadataOf } from '@parlance/contracts';
import { RoomAgentDispatch, RoomServiceClient, SipCallError, SipClient } from 'livekit-server-sdk';
import { type LedgerEntry, type RunningLiveKit, readLedger, startLiveKit } from './index.js';
import {
  ableAgentId,
  agent,
  type FakePlatform,
  knowledgeSourceId,
  startFakePlatform,
  until,
} from './testing/fake-platform.js';

const apiKey = 'APItest';
const apiSecret = 'a-secret-of-at-least-thirty-two-bytes';
const directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-'));
let platform: FakePlatform;
let livekit: RunningLiveKit;
let rooms: RoomServiceClient;
let sip: SipClient;
let trunkId: string;

beforeAll(async () => {
  platform = await startFakePlatform(apiKey, apiSecret);
  livekit = await startLiveKit({
    dataDir: directory,
    apiKey,
    apiSecret,
    webhookUrl: `${platform.url}/hooks/livekit`,
    platformUrl: platform.url,
    internalKey: 'internal',
    agentName: 'parlance-voice',
    timeScale: 100,
    longestWaitMs: 1_500,
  });
  rooms = new RoomServiceClient(livekit.url, apiKey, apiSecret, { failover: false });
  sip = new SipClient(livekit.url, apiKey, apiSecret, { failover: false });
  trunkId = (await sip.createSipOutboundTrunk('test', 'sip.invalid', ['*'])).sipTrunkId;
});

afterAll(async () => {
  await livekit.stop();
  await platform.close();
  rmSync(directory, { recursive: true, force: true });
});

const call = async (
  room: string,
  number: string,
  options: { ringingTimeout?: number; maxCallDuration?: number } = {},
  agentId = agent.id,
) => {
  const context = callContext({
    callId: `call-${room}`,
    organizationId: agent.organizationId,
    agentId,
    channel: 'phone',
    direction: 'outbound',
    toNumber: number,
    dynamicVariables: { customer_name: 'Ada' },
  });
  const metadata = JSON.stringify(context);
  await rooms.createRoom({
    name: room,
    metadata: JSON.stringify(roomMetadataOf(context)),
    emptyTimeout: 30,
    agents: [new RoomAgentDispatch({ agentName: 'parlance-voice', metadata })],
  });
  return sip.createSipParticipant(trunkId, number, room, {
    participantIdentity: `pstn_${room}`,
    fromNumber: '+14155550142',
    waitUntilAnswered: true,
    ringingTimeout: 1,
    ...options,
  });
};

const fault = async (setting: object): Promise<void> => {
  await fetch(`${livekit.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiSecret}` },
    body: JSON.stringify(setting),
  });
};

const ledgerOf = async (room: string): Promise<LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(livekit.ledgerPath)) if (entry.room === room) entries.push(entry);
  return entries;
};
const ingestOf = (room: string) =>
  until(() => platform.ingested.find(({ callId }) => callId === `call-${room}`));

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
      platform.webhooks.find(({ event, room }) => event === 'room_finished' && room?.name === 'story'),
    );
    const story = platform.webhooks.filter(({ room }) => room?.name === 'story').map(({ event }) => event);
    expect(story[0]).toBe('room_started');
    expect(story.at(-1)).toBe('room_finished');
    expect(story.filter((event) => event === 'participant_joined')).toHaveLength(2);
  });

  it('asks an agent with a tool and a document about both, and tells the turns meanwhile', async () => {
    await call('able', '+14155550102', {}, ableAgentId);
    const { transcript } = await ingestOf('able');
    const order = { order: 'A-1001', customer_name: 'Ada' };
    const toolCall = { toolId: null, name: 'find_order', arguments: order, status: 'ok', durationMs: 12 };
    const sources = [{ knowledgeSourceId, chunkId: 'c1', score: 0.9 }];
    expect((transcript as unknown[]).slice(-6)).toMatchObject([
      { role: 'user', text: 'Can you look up in your system how it stands?' },
      { role: 'tool', toolCall: { ...toolCall, result: { state: 'sent' } } },
      { role: 'agent', text: 'Yes. The system says: {"state":"sent"}' },
      { role: 'user', text: 'And how long does a refund take?' },
      { role: 'agent', text: 'Our documents say: A refund takes five days.', sources },
      { role: 'user', text: 'No, that was all. Goodbye!' },
    ]);
    const ofCall = (what: string) =>
      platform.asked.filter(({ path }) => path.startsWith(`calls/call-able/${what}`));
    expect(ofCall('tools/find_order')).toMatchObject([
      { token: 'Bearer token-of-the-call', body: { arguments: order } },
    ]);
    expect(ofCall('knowledge')).toMatchObject([{ body: { query: 'And how long does a refund take?' } }]);
    const told = await until(() => {
      const turns = ofCall('events').flatMap(({ body }) => Object(body).events);
      return turns.length >= (transcript as unknown[]).length ? turns : undefined;
    });
    expect(told.map(({ turn }) => turn)).toEqual(transcript);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
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

describe('a phone whose SIP service dies in the middle of the call', () => {
  it('leaves as lost, and the call ends as media_failure', async () => {
    await call('lost', '+14155550102', {}, ableAgentId);
    await until(() => platform.asked.find(({ path }) => path === 'calls/call-lost/events'));
    await fetch(`${livekit.url}/sandbox/telephones`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${apiSecret}` },
    });
    expect(await ingestOf('lost')).toMatchObject({ status: 'completed', endedReason: 'media_failure' });
    const left = await until(() =>
      platform.webhooks.find(
        ({ event, room, participant }) =>
          event === 'participant_left' && room?.name === 'lost' && participant?.identity === 'pstn_lost',
      ),
    );
    expect(left.participant).toMatchObject({
      disconnectReason: DisconnectReason.CONNECTION_TIMEOUT,
      attributes: { 'sip.callStatus': 'active' },
    });
  });
});

describe('a phone that is not answered', () => {
  it.each([
    ['+14155550170', 486],
    ['+14155550180', 603],
    ['+14155550190', 404],
  ])('%s fails with SIP status %d', async (number, status) => {
    const failure = await call(`no-${status}`, number).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SipCallError);
    expect(failure).toMatchObject({ sipStatusCode: status });
  });

  const takenBack = { status: 408, code: 'canceled', message: 'twirp error unknown: sip request timed out' };

  it('is taken back when the ringing time is over, without a SIP status', async () => {
    const failure: unknown = await call('in-vain', '+14155550160').catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(SipCallError);
    expect(failure).toMatchObject(takenBack);
  });

  it('is taken back when the server has waited long enough, although it may ring on', async () => {
    const waiting = call('too-long', '+14155550161', { ringingTimeout: 60 });
    await expect(waiting).rejects.toMatchObject({ status: 408, code: 'deadline_exceeded' });
    expect((await rooms.listParticipants('too-long')).map(({ identity }) => identity)).not.toContain(
      'pstn_too-long',
    );
  });

  it('is not called while no SIP service runs', async () => {
    await fault({ target: 'sipService', mode: 'refuse', times: 1 });
    await expect(call('no-service', '+14155550100')).rejects.toMatchObject({
      ...{ status: 503, message: 'twirp error unknown: no response from servers' },
    });
    expect(await ledgerOf('no-service')).toEqual([]);
  });

  it('is not called by a carrier that was called too often', async () => {
    await fault({ target: 'sip', mode: '429', times: 1 });
    await expect(call('too-often', '+14155550100')).rejects.toMatchObject({
      ...{ code: 'failed_precondition', sipStatusCode: 503, sipStatus: 'CPS limit exceeded' },
    });
    expect((await ledgerOf('too-often')).map(({ kind }) => kind)).toEqual(['dial']);
  });

  it('is hung up when the longest time of the call is over, although it may ring on', async () => {
    const dialled = call('longest', '+14155550161', { ringingTimeout: 60, maxCallDuration: 1 });
    await expect(dialled).rejects.toMatchObject(takenBack);
    expect((await rooms.listParticipants('longest')).map(({ identity }) => identity)).not.toContain(
      'pstn_longest',
    );
  });

  it('is rate limited once and no phone rings, then it is answered', async () => {
    await expect(call('limited', '+14155550195')).rejects.toMatchObject({ sipStatusCode: 429 });
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
      platform.webhooks.find(
        ({ event, room, participant }) =>
          event === 'participant_left' && room?.name === 'twice' && participant?.identity === 'pstn_twice',
      ),
    );
    expect(left.participant?.disconnectReason).toBe(2);
    expect((await ledgerOf('twice')).filter(({ kind }) => kind === 'ring')).toHaveLength(2);
  });
});
