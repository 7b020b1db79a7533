// The service as it runs: booted whole, asked over NATS, with a real event store and database, and phones that ring.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Caller,
  type CallFacts,
  contract,
  events,
  type OutboundCall,
  serviceRequests,
} from '@parlance/contracts';
import type { RunningService } from '@parlance/observability';
import { type RunningLiveKit, readLedger, startLiveKit } from '@parlance/sandbox-livekit';
import { eventually, type TestEngines, testEngines } from '@parlance/testing';
import { operations } from './operations.js';
import { attemptIds, calleeIdentity } from './outbound-call/attempt-ids.js';
import { stepMeta } from './outbound-call/outbound-call-repository.js';
import { callerOf, type DialerWorld, startWorld } from './testing/dialer-world.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-dialer-'));
const apiSecret = randomBytes(32).toString('base64');
const trunkId = 'ST_test';
let engines: TestEngines;
let hooks: Server;
let livekit: RunningLiveKit;
let world: DialerWorld;
let dialer: RunningService;

/** Takes webhooks and does nothing with them. */
const startHooks = async (): Promise<string> => {
  hooks = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  const address = hooks.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

const startMediaServer = async (): Promise<void> => {
  const hookUrl = await startHooks();
  // trunks outlive the media server in this file
  writeFileSync(join(directory, 'trunks.json'), JSON.stringify([{ sipTrunkId: trunkId }]));
  livekit = await startLiveKit({
    dataDir: directory,
    apiKey: 'key',
    apiSecret,
    webhookUrl: hookUrl,
    platformUrl: hookUrl,
    internalKey: 'internal',
    // the simulated runtime stays out: the test plays calls-logs
    agentName: 'somebody-else',
  });
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true, eventStore: true });
  await startMediaServer();
  const { url, wsUrl, ledgerPath } = livekit;
  world = await startWorld({
    natsUrl: engines.natsUrl,
    eventStoreUrl: engines.eventStoreUrl,
    postgresUrl: (await engines.databaseFor('outbound-dialer')).url,
    livekit: { url, wsUrl, apiKey: 'key', apiSecret, trunkId, ledger: () => readLedger(ledgerPath) },
  });
  dialer = await world.startDialer();
}, 60_000);
afterAll(async () => {
  await dialer?.stop();
  await world?.stop();
  await livekit?.stop();
  await new Promise((resolve) => hooks.close(resolve));
  await engines?.stop();
  rmSync(directory, { recursive: true, force: true });
}, 30_000);

const code = (expected: string) => expect.objectContaining({ code: expected });

/** An organization with an agent of its own. */
const organization = (agent: object = {}) => {
  const who = callerOf();
  const agentId = randomUUID();
  world.agents.set(agentId, {
    agentId,
    name: 'Ada',
    isActive: true,
    configVersion: 3,
    allowedOverrides: ['firstMessage', 'systemPrompt'],
    ...agent,
  });
  const body = {
    agentId,
    phoneNumber: '+14155550100',
    fromNumber: '+14155550142',
    ringingTimeoutSeconds: 10,
  };
  return {
    who,
    agentId,
    quick: (change: object = {}, commandId?: string): Promise<OutboundCall> =>
      world.ask(contract.outboundCallsQuick, { body: { ...body, ...change } }, who, commandId),
  };
};

const get = (id: string, who: Caller) =>
  world.ask(contract.outboundCallsGet, { params: { outboundId: id } }, who);
const cancel = (id: string, who: Caller) =>
  world.ask(contract.outboundCallsCancel, { params: { outboundId: id } }, who);
const retry = (id: string, who: Caller, commandId?: string) =>
  world.ask(contract.outboundCallsRetry, { params: { outboundId: id } }, who, commandId);

const until = (id: string, who: Caller, expected: object, timeoutMs = 10_000) =>
  eventually(
    async () => {
      const call = await get(id, who);
      expect(call).toMatchObject(expected);
      return call;
    },
    { timeoutMs },
  );

const endOf = (call: OutboundCall, change: Partial<CallFacts> = {}): CallFacts => ({
  callId: call.callId ?? '',
  outboundCallId: call.id,
  status: 'completed',
  outcome: 'answered',
  endedReason: 'user_hangup',
  answeredBy: 'human',
  startedAt: '2026-01-01T00:00:00.000Z',
  answeredAt: '2026-01-01T00:00:05.000Z',
  endedAt: '2026-01-01T00:00:35.000Z',
  durationSeconds: 30,
  costMicros: 4_200,
  ...change,
});

const toldAbout = (callId: string | null) =>
  world.told.filter(({ data }) => data.callId === callId).map(({ name }) => name.split('.').at(-1));

describe('a quick call', () => {
  it('is placed, dialled, answered, and ends as its call does', async () => {
    const { who, agentId, quick } = organization();
    const placed = await quick({
      username: 'Grace',
      firstMessage: 'Hello Grace',
      dynamicVariables: { name: 'Grace' },
      metadata: { order: 7 },
      provider: 'TELNYX',
      sid: 'PN1',
    });
    expect(placed).toMatchObject({
      status: 'queued',
      mode: 'quick',
      agentId,
      phoneNumber: '+14155550100',
      fromNumber: '+14155550142',
      username: 'Grace',
      firstMessage: 'Hello Grace',
      systemPrompt: null,
      dynamicVariables: { name: 'Grace' },
      metadata: { order: 7 },
      provider: 'TELNYX',
      sid: 'PN1',
      attempt: 1,
      retryable: false,
      callId: null,
      createdAt: placed.updatedAt,
    });
    const answered = await until(placed.id, who, { status: 'in_progress', attempt: 1 });
    const { attemptId, roomName } = attemptIds(placed.id, 1);
    expect(answered.attempts).toMatchObject([{ attempt: 1, attemptId, roomName, status: 'in_progress' }]);
    expect(answered.providerCallId).toMatch(/^SCL_/);
    await world.tellEnd(endOf(answered), agentId, who.organizationId);
    const ended = await until(placed.id, who, { status: 'completed' });
    expect(ended).toMatchObject({
      outcome: 'answered',
      endedReason: 'user_hangup',
      answeredBy: 'human',
      durationSeconds: 30,
      costMicros: 4_200,
      retryable: false,
      error: null,
      attempts: [{ status: 'completed', outcome: 'answered' }],
    });
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it('is told to the others, in the words of the contract', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    const busy = await until(id, who, { status: 'busy' });
    await eventually(() => expect(toldAbout(busy.callId)).toEqual(['started', 'settled']));
    const [started, settled] = world.told.filter(({ data }) => data.callId === busy.callId);
    expect(events.attemptStarted.data.parse(started?.data)).toMatchObject({
      outboundCallId: id,
      agentId,
      configVersion: 3,
      toNumber: '+14155550170',
    });
    expect(events.attemptSettled.data.parse(settled?.data)).toMatchObject({
      status: 'busy',
      endedReason: 'busy',
    });
  });

  it.each([
    ['+14155550170', { status: 'busy', endedReason: 'busy', attempts: [{ sipStatus: 486 }] }],
    ['+14155550180', { status: 'no_answer', endedReason: 'declined', attempts: [{ sipStatus: 603 }] }],
    ['+14155550190', { status: 'failed', endedReason: 'invalid_destination', error: { sipStatus: 404 } }],
  ])('to %s says why nobody was reached, and leaves no room behind', async (phoneNumber, why) => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber });
    const ended = await until(id, who, { ...why, retryable: true });
    await eventually(async () => expect(await world.rooms.rooms([ended.roomName ?? ''])).toEqual([]));
  });

  it('that the provider asks to make later is made later, as another attempt', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550195' });
    const answered = await until(id, who, { status: 'in_progress' });
    expect(answered.attempts).toMatchObject([
      { attempt: 1, status: 'failed', sipStatus: 429 },
      { attempt: 2, status: 'in_progress' },
    ]);
  });

  it('that is asked for again under one key is one call, and rings once', async () => {
    const { who, quick } = organization();
    const commandId = randomUUID();
    const placed = await Promise.all(Array.from({ length: 10 }, () => quick({}, commandId)));
    expect(new Set(placed.map(({ id }) => id))).toEqual(new Set([commandId]));
    await until(commandId, who, { status: 'in_progress' });
    expect(await quick({}, commandId)).toMatchObject({ id: commandId, status: 'in_progress' });
    expect(await world.dialsOf(attemptIds(commandId, 1).roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it('is refused for an agent that may not call, for numbers that may not be called, and for what may not be said', async () => {
    const { quick } = organization();
    await expect(quick({ agentId: randomUUID() })).rejects.toEqual(code('AGENT_NOT_FOUND'));
    await expect(organization({ isActive: false }).quick()).rejects.toEqual(code('AGENT_INACTIVE'));
    await expect(organization({ configVersion: null }).quick()).rejects.toEqual(code('AGENT_NOT_CONFIGURED'));
    await expect(quick({ phoneNumber: '911' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+19005551234' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+442079460000' })).rejects.toEqual(code('DESTINATION_NOT_ALLOWED'));
    await expect(quick({ phoneNumber: '+15550100' })).rejects.toEqual(code('INVALID_PHONE_NUMBER'));
    const strict = organization({ allowedOverrides: ['firstMessage'] });
    await expect(strict.quick({ firstMessage: 'Hi', systemPrompt: 'Be rude.' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body.systemPrompt', code: 'not_allowed' }] },
    });
  });
});

describe('a dial whose outcome nobody was told', () => {
  it('is settled by its call, and never repeated', async () => {
    const { who, agentId, quick } = organization();
    await world.fault('hang-after', 1);
    const { id } = await quick();
    const dialling = await until(id, who, { status: 'initiated' });
    const { roomName } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    await world.tellEnd(endOf(dialling), agentId, who.organizationId);
    await until(id, who, { status: 'completed', attempts: [{ status: 'completed' }] });
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it.each(['reset-after', '5xx-after'])(
    'is adopted when the phone was answered after all (%s)',
    async (mode) => {
      const { who, quick } = organization();
      await world.fault(mode, 1);
      const { id } = await quick();
      await until(id, who, { status: 'in_progress', attempt: 1 });
      expect(await world.dialsOf(attemptIds(id, 1).roomName)).toEqual({ dials: 1, rings: 1 });
    },
  );
});

describe('what a process left behind that died', () => {
  /** The start of an attempt, recorded by a process that is no more. */
  const leaveBehind = async (deadlineAt: string) => {
    const { who, agentId } = organization();
    const id = randomUUID();
    const now = new Date().toISOString();
    const meta = (step: string) => stepMeta(who.organizationId, id, step, now);
    const placed = {
      organizationId: who.organizationId,
      mode: 'quick',
      agentId,
      agentName: 'Ada',
      configVersion: 3,
      provider: null,
      sid: null,
      campaignId: null,
      rowNumber: null,
      ringingTimeoutSeconds: 10,
      retryPolicy: null,
      // not due for anybody else before its attempt has started
      placedAt: new Date(Date.now() - 60_000).toISOString(),
    } as const;
    const personal = {
      phoneNumber: '+14155550100',
      fromNumber: '+14155550142',
      username: null,
      firstMessage: null,
      systemPrompt: null,
      language: null,
      voiceId: null,
      dynamicVariables: {},
      metadata: {},
    };
    const ids = attemptIds(id, 1);
    await dialer.stop();
    await world.calls(id, { type: 'PlaceCall', placed, personal }, meta('place'));
    await world.calls(id, { type: 'StartAttempt', attempt: 1, ...ids, deadlineAt, now }, meta('start'));
    return { who, id, ...ids };
  };

  it('is adopted when the phone was answered', async () => {
    const left = await leaveBehind(new Date(Date.now() + 60_000).toISOString());
    await world.rooms.createRoom({ name: left.roomName, metadata: {}, emptyTimeoutSeconds: 60 });
    await world.rooms.dial({
      room: left.roomName,
      identity: calleeIdentity(left.attemptId),
      to: '+14155550100',
      from: '+14155550142',
      trunkId,
      ringingTimeoutSeconds: 10,
      attemptId: left.attemptId,
    });
    dialer = await world.startDialer();
    await until(left.id, left.who, { status: 'in_progress', attempts: [{ attemptId: left.attemptId }] });
    expect(await world.dialsOf(left.roomName)).toEqual({ dials: 1, rings: 1 });
  }, 30_000);

  it('is unknown when there is no evidence at its deadline, and only a person can ask for another attempt', async () => {
    const left = await leaveBehind(new Date().toISOString());
    dialer = await world.startDialer();
    await until(left.id, left.who, { status: 'failed', endedReason: 'outcome_unknown', retryable: true });
    expect(await world.dialsOf(left.roomName)).toEqual({ dials: 0, rings: 0 });
    await eventually(() => expect(toldAbout(left.callId)).toEqual(['started', 'settled']));
    expect(await retry(left.id, left.who)).toMatchObject({ status: 'queued', attempt: 2 });
    await until(left.id, left.who, { status: 'in_progress', attempt: 2 });
  }, 30_000);
});

describe('a call whose end nobody told', () => {
  it('is asked for', async () => {
    const { who, quick } = organization();
    const { id } = await quick();
    const answered = await until(id, who, { status: 'in_progress' });
    world.facts.set(answered.callId ?? '', endOf(answered, { endedReason: 'agent_hangup' }));
    await eventually(async () => {
      const { rowCount } = await world.db.query(
        `update outbound_calls set updated_at = updated_at - interval '1 minute' where id = $1 and phase = 'connected'`,
        [id],
      );
      expect(rowCount).toBe(1);
    });
    await until(id, who, { status: 'completed', endedReason: 'agent_hangup' });
  });
});

describe('cancelling', () => {
  it('stops a phone that rings within seconds, and says so again when asked again', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550160' });
    const { roomName, callId } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    const answer = await cancel(id, who);
    expect(answer).toEqual({ id, status: 'cancelled', cancelled: true });
    expect(await cancel(id, who)).toEqual(answer);
    await eventually(async () => expect(await world.rooms.rooms([roomName])).toEqual([]), {
      timeoutMs: 5_000,
    });
    await until(id, who, { status: 'cancelled', endedReason: 'cancelled_by_user', retryable: false });
    await eventually(() => expect(toldAbout(callId)).toEqual(['started', 'settled']));
  });

  it('ends a conversation', async () => {
    const { who, quick } = organization();
    const { id } = await quick();
    const { roomName = '' } = await until(id, who, { status: 'in_progress' });
    await cancel(id, who);
    await eventually(async () => expect(await world.rooms.rooms([roomName ?? ''])).toEqual([]));
  });

  it('is refused once the call has ended, and for calls of others as for unknown ones', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    await expect(cancel(id, who)).rejects.toEqual(code('CALL_NOT_CANCELLABLE'));
    const foreign = await cancel(id, callerOf()).catch((error: unknown) => error);
    const unknown = await cancel(randomUUID(), who).catch((error: unknown) => error);
    expect(foreign).toEqual(code('OUTBOUND_CALL_NOT_FOUND'));
    expect(foreign).toEqual(unknown);
    await expect(get(id, callerOf())).rejects.toEqual(unknown);
    await expect(retry(id, callerOf())).rejects.toEqual(unknown);
  });
});

describe('retrying', () => {
  it('makes one attempt however many ask at once', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => retry(id, who)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const refused of asked)
      if (refused.status === 'rejected')
        expect(refused.reason.code).toMatch(/^(CALL_NOT_RETRYABLE|CONFLICT)$/);
    await until(id, who, { status: 'busy', attempt: 2, attempts: [{ status: 'busy' }, { status: 'busy' }] });
  });

  it('takes the configuration of today', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    const agent = world.agents.get(agentId);
    if (agent) world.agents.set(agentId, { ...agent, configVersion: 9 });
    const commandId = randomUUID();
    expect(await retry(id, who, commandId)).toMatchObject({ attempt: 2 });
    expect(await retry(id, who, commandId)).toMatchObject({ attempt: 2 });
    const again = await until(id, who, { status: 'busy', attempt: 2 });
    await eventually(() =>
      expect(world.told.find(({ data }) => data.callId === again.callId)?.data).toMatchObject({
        configVersion: 9,
      }),
    );
  });

  it('is refused for a call that went well', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick();
    const answered = await until(id, who, { status: 'in_progress' });
    await expect(retry(id, who)).rejects.toEqual(code('CALL_NOT_RETRYABLE'));
    await world.tellEnd(endOf(answered), agentId, who.organizationId);
    await until(id, who, { status: 'completed' });
    await expect(retry(id, who)).rejects.toEqual(code('CALL_NOT_RETRYABLE'));
  });
});

describe('lists', () => {
  const list = (query: object, who: Caller) => world.askPage(contract.outboundCallsList, { query }, who);

  it('show one organization’s calls, newest first, page by page, without a gap or a repetition', async () => {
    const { who, agentId, quick } = organization();
    const placed: string[] = [];
    for (let made = 0; made < 5; made += 1) placed.unshift((await quick({ phoneNumber: '+14155550170' })).id);
    await eventually(async () => expect((await list({ status: 'busy' }, who)).data).toHaveLength(5));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '2', ...(cursor ? { cursor } : {}) }, who);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(placed);
    expect((await list({ agentId, mode: 'quick' }, who)).data).toHaveLength(5);
    expect((await list({ agentId: randomUUID() }, who)).data).toEqual([]);
    expect((await list({ mode: 'batch' }, who)).data).toEqual([]);
    expect((await list({}, callerOf())).data).toEqual([]);
  });

  it('refuse a cursor of another list', async () => {
    const { who, quick } = organization();
    await quick({ phoneNumber: '+14155550170' });
    await quick({ phoneNumber: '+14155550170' });
    const { nextCursor = '' } = await eventually(async () => {
      const page = await list({ limit: '1' }, who);
      expect(page.nextCursor).toBeDefined();
      return page;
    });
    const refused = code('INVALID_CURSOR');
    await expect(list({ cursor: nextCursor }, callerOf())).rejects.toEqual(refused);
    await expect(list({ cursor: nextCursor, status: 'busy' }, who)).rejects.toEqual(refused);
    await expect(list({ cursor: `${nextCursor}x` }, who)).rejects.toEqual(refused);
  });
});

describe('what other services ask', () => {
  it('is how attempts stand, and how many calls of an agent are open', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    const { callId = '' } = await until(id, who, { status: 'busy' });
    const facts = (asking: Caller) =>
      world.ask(
        serviceRequests.outboundCallsAttemptFacts,
        { body: { callIds: [callId ?? '', 'other'] } },
        asking,
      );
    await eventually(async () => expect(await facts(who)).toMatchObject([{ callId, status: 'busy' }]));
    expect(await facts(callerOf())).toEqual([]);
    const open = () => world.ask(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, who);
    await eventually(async () => expect(await open()).toEqual({ open: 0 }));
    await quick();
    await eventually(async () => expect(await open()).toEqual({ open: 1 }));
  });
});

describe('several dialers', () => {
  it('share the work and never dial twice', async () => {
    const others = await Promise.all([world.startDialer(), world.startDialer({ MAX_CONCURRENT_DIALS: '3' })]);
    const { who, quick } = organization();
    const placed = await Promise.all(Array.from({ length: 30 }, () => quick()));
    await Promise.all(placed.map(({ id }) => until(id, who, { status: 'in_progress' }, 20_000)));
    for (const { id } of placed)
      expect(await world.dialsOf(attemptIds(id, 1).roomName)).toEqual({ dials: 1, rings: 1 });
    await Promise.all(others.map((other) => other.stop()));
  }, 40_000);
});

describe('the read model', () => {
  it('is the same when it is made again from the streams', async () => {
    const rows = async () => {
      const calls = await world.db.query('select * from outbound_calls order by id');
      const attempts = await world.db.query('select * from outbound_attempts order by call_id');
      return { calls: calls.rows, attempts: attempts.rows };
    };
    await eventually(async () => {
      const first = await rows();
      expect(first.calls.length).toBeGreaterThan(20);
      expect(await rows()).toEqual(first);
    });
    await dialer.stop();
    const before = await rows();
    await operations.readModels[0]?.rebuild(world.variables, {});
    expect((await rows()).calls).toHaveLength(before.calls.length);
    dialer = await world.startDialer();
    await eventually(async () => {
      const after = await rows();
      const open = new Set(before.calls.filter(({ phase }) => phase !== 'ended').map(({ id }) => id));
      const settled = ({ calls }: typeof after) => calls.filter(({ id }) => !open.has(id));
      expect(settled(after)).toEqual(settled(before));
      expect(after.attempts).toEqual(before.attempts);
    });
  }, 30_000);
});
