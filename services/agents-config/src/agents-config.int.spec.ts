// The service as it runs: booted whole, asked over NATS, on its own Postgres schema.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import {
  type Caller,
  contract,
  type EventDefinition,
  EventEnvelope,
  eventSubject,
  events,
  makeEvent,
  serviceRequests,
} from '@parlance/contracts';
import type { RunningService } from '@parlance/observability';
import { CallerSigner, connectNats, RpcClient } from '@parlance/rpc';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/testing';
import { defaults } from './catalog/voice-catalog.js';
import { Env, start } from './index.js';
import {
  type Ask,
  agentBody,
  askOver,
  callerOf,
  configurationBody,
  newOrganization,
  refusal,
} from './testing/organizations.js';

type Nats = Awaited<ReturnType<typeof connectNats>>;

const signingKey = randomBytes(32).toString('base64');
const signer = new CallerSigner(new Secret(signingKey));

let engines: TestEngines;
let service: RunningService;
let nats: Nats;
let rpc: RpcClient;
/** What the services that hold calls say of every agent; undefined: they do not answer. */
let inUse: { live: number; open: number } | undefined;
const published: EventEnvelope[] = [];

const ask: Ask = (...question) => askOver(rpc, signer)(...question);
const organization = () => newOrganization(ask);
const code = (expected: string) => expect.objectContaining({ code: expected });

const eventsOf = (organizationId: string, definition: EventDefinition) =>
  published.filter((event) => event.organizationId === organizationId && event.name === definition.name);

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('agents-config');
  service = await start(
    Env.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: engines.natsUrl,
      CALLER_SIGNING_KEY: signingKey,
      POSTGRES_URL: url.reveal(),
      LIVEKIT_URL: 'http://127.0.0.1:9',
      LIVEKIT_WS_URL: 'wss://media.example.com',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: randomBytes(32).toString('base64'),
      MAX_AGENTS_PER_ORGANIZATION: '4',
    }),
  );
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  rpc = new RpcClient(nats);
  nats.subscribe('parlance.evt.agents-config.>', {
    callback: (_, message) => published.push(EventEnvelope.parse(message.json())),
  });
  const { callsLiveCountOfAgent, outboundCallsOpenCountOfAgent } = serviceRequests;
  await serveOperation(nats, callsLiveCountOfAgent, () => inUse && { data: { live: inUse.live } });
  await serveOperation(nats, outboundCallsOpenCountOfAgent, () => inUse && { data: { open: inUse.open } });
});
afterAll(async () => {
  await nats?.close();
  await service?.stop();
  await engines?.stop();
});
beforeEach(() => {
  inUse = { live: 0, open: 0 };
});

describe('agents', () => {
  it('are created without a configuration from null and blank, and told to the others', async () => {
    const org = organization();
    const agent = await org.create({ templateId: 'blank' });
    expect(agent).toMatchObject({ ...agentBody, templateId: 'blank', hasConfig: false, configVersion: null });
    expect(agent).toMatchObject({ phoneNumbers: [], lastCallAt: null, createdAt: agent.updatedAt });
    expect(await org.create()).toMatchObject({ templateId: null, hasConfig: false });
    await eventually(() => {
      const told = eventsOf(org.id, events.agentCreated).map(({ data }) => data);
      expect(told).toContainEqual({ agentId: agent.id, name: 'Front desk' });
    });
    expect(eventsOf(org.id, events.agentConfigured)).toEqual([]);
  });

  it('are limited in number, because their list is answered whole; one deleted makes room for one', async () => {
    const org = organization();
    const [first] = [await org.create(), await org.create(), await org.create(), await org.create()];
    await expect(org.create()).rejects.toMatchObject({ code: 'CONFLICT', details: { maxAgents: 4 } });
    expect(await ask(contract.agentsList, {}, org.who)).toHaveLength(4);
    await ask(contract.agentsDelete, { params: { agentId: first.id } }, org.who);
    expect(await org.create()).toMatchObject(agentBody);
  });

  it.each(['business', 'medical', 'support'])(
    'start with version 1 from the template %s',
    async (templateId) => {
      const org = organization();
      const agent = await org.create({ templateId });
      expect(agent).toMatchObject({ templateId, hasConfig: true, configVersion: 1 });
      const saved = await ask(contract.agentsGetConfig, { params: { agentId: agent.id } }, org.who);
      expect(saved).toMatchObject({ agentId: agent.id, version: 1, agent_language: 'en' });
    },
  );

  it('take the uuid of a template and refuse one that is none', async () => {
    const org = organization();
    const templateId = '0198c0de-0000-7000-8000-000000000001';
    expect(await org.create({ templateId })).toMatchObject({ templateId, hasConfig: true });
    expect(await refusal(org.create({ templateId: randomUUID() }))).toEqual(code('TEMPLATE_NOT_FOUND'));
    expect(await org.list()).toHaveLength(1);
  });

  it('are created once by a command that comes twice', async () => {
    const org = organization();
    const commandId = randomUUID();
    const request = { body: { ...agentBody, templateId: 'support' as const } };
    const first = await ask(contract.agentsCreate, request, org.who, commandId);
    expect(await ask(contract.agentsCreate, request, org.who, commandId)).toEqual(first);
    expect(await org.list()).toEqual([first]);
  });

  it('are listed newest first and only to their organization', async () => {
    const [mine, theirs] = [organization(), organization()];
    const [first, second] = [await mine.create({ name: 'First' }), await mine.create({ name: 'Second' })];
    await theirs.create();
    expect((await mine.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('change what is given and keep the rest', async () => {
    const org = organization();
    const { id: agentId } = await org.create({ templateId: 'business' });
    const update = (change: object) =>
      ask(contract.agentsUpdate, { params: { agentId }, body: change }, org.who);
    expect(await update({ isActive: false })).toMatchObject({
      name: 'Front desk',
      isActive: false,
      templateId: 'business',
    });
    expect(await update({ name: 'Reception', templateId: null })).toMatchObject({
      name: 'Reception',
      isActive: false,
      templateId: null,
      configVersion: 1,
    });
    expect(await refusal(update({ templateId: randomUUID() }))).toEqual(code('TEMPLATE_NOT_FOUND'));
    await eventually(() => expect(eventsOf(org.id, events.agentUpdated)).toHaveLength(2));
  });

  it('remember their last call, whatever the order in which calls are told', async () => {
    const org = organization();
    const { id: agentId } = await org.create();
    const ended = (startedAt: string) =>
      makeEvent(events.callEnded, {
        id: randomUUID(),
        organizationId: org.id,
        occurredAt: startedAt,
        data: {
          callId: 'c1',
          agentId,
          outboundCallId: null,
          campaignId: null,
          status: 'completed',
          outcome: 'answered',
          endedReason: 'user_hangup',
          answeredBy: null,
          startedAt,
          answeredAt: startedAt,
          endedAt: startedAt,
          durationSeconds: 0,
          costMicros: null,
        },
      });
    const [early, late] = ['2026-01-01T10:00:00.000Z', '2026-01-02T10:00:00.000Z'];
    const stream = nats.jetstream();
    for (const event of [ended(late), ended(early)]) {
      await stream.publish(eventSubject(events.callEnded), JSON.stringify(event));
    }
    await eventually(async () => expect((await org.list())[0]?.lastCallAt).toBe(late));
  });
});

describe('the numbers of an agent', () => {
  it('are as they were told last, whatever order the telling comes in', async () => {
    const org = organization();
    const [{ id: agentId }, other] = [await org.create(), await org.create({ name: 'Other' })];
    const numberId = randomUUID();
    const tell = async (version: number, change: object, organizationId = org.id) => {
      const event = makeEvent(events.numberChanged, {
        id: randomUUID(),
        organizationId,
        occurredAt: '2026-01-01T10:00:00.000Z',
        data: {
          numberId,
          phoneNumber: '+14155550142',
          provider: 'TWILIO',
          isoCountry: 'US',
          status: 'active',
          agentId,
          version,
          ...change,
        },
      });
      await nats.jetstream().publish(eventSubject(events.numberChanged), JSON.stringify(event));
    };
    const numbersOf = async (id: string) => (await org.list()).find((one) => one.id === id)?.phoneNumbers;
    const shown = [{ id: numberId, phoneNumber: '+14155550142' }];
    await tell(3, {});
    await eventually(async () => expect(await numbersOf(agentId)).toEqual(shown));
    await tell(4, { agentId: other.id });
    await tell(2, { agentId: null });
    await eventually(async () => expect(await numbersOf(other.id)).toEqual(shown));
    expect(await numbersOf(agentId)).toEqual([]);
    // a number of somebody else, whatever it says
    await tell(1, { numberId: randomUUID(), agentId }, randomUUID());
    await tell(5, { agentId: other.id, status: 'releasing' });
    await eventually(async () => expect(await numbersOf(other.id)).toEqual([]));
    expect(await numbersOf(agentId)).toEqual([]);
  });
});

describe('an agent of another organization', () => {
  it('is like one that does not exist, for every operation', async () => {
    const [owner, stranger] = [organization(), organization()];
    const { id: agentId } = await owner.create({ templateId: 'business' });
    const params = { agentId };
    const attempts = [
      ask(contract.agentsUpdate, { params, body: { name: 'Mine now' } }, stranger.who),
      ask(contract.agentsDelete, { params }, stranger.who),
      ask(contract.agentsGetConfig, { params }, stranger.who),
      ask(contract.agentsPreviewSession, { params, body: {} }, stranger.who),
      ask(serviceRequests.agentsForCall, { body: params }, stranger.who),
      stranger.save(agentId),
      // Nothing about the body is said either.
      stranger.save(agentId, { voiceId: 'nobody' }),
    ];
    for (const attempt of attempts) expect(await refusal(attempt)).toEqual(code('AGENT_NOT_FOUND'));
    expect(await owner.list()).toEqual([expect.objectContaining({ id: agentId, configVersion: 1 })]);
  });
});

describe('deleting an agent', () => {
  it('takes its configuration along and is told to the others', async () => {
    const org = organization();
    const agent = await org.create({ templateId: 'business' });
    expect(await org.remove(agent.id)).toBeNull();
    expect(await org.list()).toEqual([]);
    expect(await refusal(org.remove(agent.id))).toEqual(code('AGENT_NOT_FOUND'));
    await eventually(() =>
      expect(eventsOf(org.id, events.agentDeleted).map(({ data }) => data)).toEqual([
        { agentId: agent.id, name: agent.name },
      ]),
    );
  });

  it.each([
    { live: 1, open: 0 },
    { live: 0, open: 1 },
  ])('is refused while it is in use: %j', async (use) => {
    const org = organization();
    const agent = await org.create();
    inUse = use;
    expect(await refusal(org.remove(agent.id))).toEqual(code('AGENT_IN_USE'));
    expect(await org.list()).toHaveLength(1);
  });

  it('is refused when nobody can say whether it is in use', async () => {
    const org = organization();
    const agent = await org.create();
    inUse = undefined;
    expect(await refusal(org.remove(agent.id))).toEqual(code('UPSTREAM_TIMEOUT'));
    expect(await org.list()).toHaveLength(1);
  });
});

describe('configurations', () => {
  it('get a new version with every save, and old versions stay as they were', async () => {
    const org = organization();
    const { id: agentId } = await org.create();
    const first = await org.save(agentId, { variables: { city: 'Bonn' }, x_crm: { id: 7 } });
    expect(first).toMatchObject({
      version: 1,
      variables: { city: { default: 'Bonn' } },
      extra: { x_crm: { id: 7 } },
      limits: { maxDurationSeconds: 3_600 },
      initiation_webhook: null,
    });
    const second = await org.save(agentId, { firstMessage: 'Good morning' });
    expect(second).toMatchObject({ version: 2, firstMessage: 'Good morning', variables: {} });
    expect(await ask(contract.agentsGetConfig, { params: { agentId } }, org.who)).toEqual(second);
    expect(await org.list()).toMatchObject([{ hasConfig: true, configVersion: 2 }]);
    await eventually(() =>
      expect(eventsOf(org.id, events.agentConfigured).map(({ data }) => data.configVersion)).toEqual([1, 2]),
    );
  });

  it('can be saved again as they were read, but for what says which version it was', async () => {
    const org = organization();
    const { id } = await org.create({ templateId: 'support' });
    await org.save(id, { variables: { city: 'Bonn' }, x_crm: { id: 7 } });
    const read = await ask(contract.agentsGetConfig, { params: { agentId: id } }, org.who);
    const { agentId, version, createdAt, updatedAt, ...document } = read;
    const again = await ask(contract.agentsSaveConfig, { params: { agentId: id }, body: document }, org.who);
    expect(again).toMatchObject({ ...document, agentId, version: version + 1 });
    expect(again.updatedAt >= updatedAt && createdAt <= again.createdAt).toBe(true);
  });

  it('get different versions when saved at the same time', async () => {
    const org = organization();
    const { id: agentId } = await org.create();
    const saved = await Promise.all(Array.from({ length: 8 }, () => org.save(agentId)));
    expect(saved.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are saved once by a command that comes twice', async () => {
    const org = organization();
    const { id: agentId } = await org.create();
    const commandId = randomUUID();
    const request = { params: { agentId }, body: configurationBody };
    const first = await ask(contract.agentsSaveConfig, request, org.who, commandId);
    expect(await ask(contract.agentsSaveConfig, request, org.who, commandId)).toEqual(first);
    expect(await org.list()).toMatchObject([{ configVersion: 1 }]);
  });

  it('need the permission to create first, and to update later', async () => {
    const org = organization();
    const { id: agentId } = await org.create();
    const save = (permission: string) =>
      ask(
        contract.agentsSaveConfig,
        { params: { agentId }, body: configurationBody },
        callerOf(org.id, [permission]),
      );
    const denied = (required: string) =>
      expect.objectContaining({ code: 'PERMISSION_DENIED', details: { required } });
    expect(await refusal(save('agentConfiguration:update'))).toEqual(denied('agentConfiguration:create'));
    expect(await save('agentConfiguration:create')).toMatchObject({ version: 1 });
    expect(await refusal(save('agentConfiguration:create'))).toEqual(denied('agentConfiguration:update'));
    expect(await save('agentConfiguration:update')).toMatchObject({ version: 2 });
  });

  it.each([
    ['VALIDATION_ERROR', { voiceId: 'openai/alloy' }],
    ['VALIDATION_ERROR', { llmModel: 'nobody/nothing' }],
    ['SECRET_REFERENCE_NOT_ALLOWED', { systemPrompt: '{{secrets.KEY}}' }],
    ['URL_NOT_ALLOWED', { initiation_webhook: { url: 'https://127.0.0.1/' } }],
  ])('that break a rule are refused with %s and leave nothing behind', async (expected, change) => {
    const org = organization();
    const { id: agentId } = await org.create();
    expect(await refusal(org.save(agentId, change))).toEqual(code(expected));
    expect(await org.list()).toMatchObject([{ hasConfig: false }]);
    const read = ask(contract.agentsGetConfig, { params: { agentId } }, org.who);
    expect(await refusal(read)).toEqual(code('CONFIG_NOT_FOUND'));
  });
});

describe('an agent that is asked to take a call', () => {
  const preview = (who: Caller, agentId: string) =>
    ask(
      contract.agentsPreviewSession,
      { params: { agentId }, body: { dynamicVariables: { name: 'Ada' } } },
      who,
    );
  const runtime = (agentId: string) =>
    ask(contract.internalAgentConfig, { params: { agentId }, query: {} }, callerOf('', []));

  it('answers with its configuration to the voice runtime', async () => {
    const org = organization();
    const agent = await org.create({ templateId: 'support' });
    expect(await runtime(agent.id)).toMatchObject({
      agent: { id: agent.id, name: agent.name, organizationId: org.id, isActive: true },
      config: { version: 1 },
      tools: [],
      mcpConnections: [],
      knowledge: { sourceIds: [] },
    });
  });

  it('opens a room of its own for a preview, with the agent dispatched into it', async () => {
    const org = organization();
    const agent = await org.create({ templateId: 'support' });
    const session = await preview(org.who, agent.id);
    expect(session).toMatchObject({ agentId: agent.id, configVersion: 1, maxDurationSeconds: 600 });
    expect(session.serverUrl).toBe('wss://media.example.com');
    expect(session.roomName).toBe(`pv_${session.sessionId}`);
    const seconds = (Date.parse(session.expiresAt) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(300);
    const claims = JSON.parse(Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      sub: session.identity,
      video: { room: session.roomName, roomJoin: true },
    });
    expect(JSON.parse(claims.roomConfig.agents[0].metadata)).toMatchObject({
      callId: session.callId,
      organizationId: org.id,
      agentId: agent.id,
      channel: 'preview',
      dynamicVariables: { name: 'Ada' },
    });
  });

  it('refuses while it is inactive, and while it has no configuration', async () => {
    const org = organization();
    const [inactive, unconfigured] = [
      await org.create({ templateId: 'support', isActive: false }),
      await org.create(),
    ];
    for (const [agent, expected] of [
      [inactive, 'AGENT_INACTIVE'],
      [unconfigured, 'AGENT_NOT_CONFIGURED'],
    ] as const) {
      expect(await refusal(preview(org.who, agent.id))).toEqual(code(expected));
      expect(await refusal(runtime(agent.id))).toEqual(code(expected));
    }
    expect(await refusal(runtime(randomUUID()))).toEqual(code('AGENT_NOT_FOUND'));
  });

  it('tells the dialer what it needs, whatever its state', async () => {
    const org = organization();
    const agent = await org.create({ templateId: 'support', isActive: false });
    expect(await ask(serviceRequests.agentsForCall, { body: { agentId: agent.id } }, org.who)).toEqual({
      agentId: agent.id,
      name: 'Front desk',
      isActive: false,
      configVersion: 1,
      allowedOverrides: ['firstMessage', 'systemPrompt'],
    });
  });
});

describe('the voice catalog', () => {
  it('is answered as the contract describes it', async () => {
    const catalog = await ask(contract.agentsVoiceCatalog, {}, organization().who);
    expect(contract.agentsVoiceCatalog.data.parse(catalog)).toMatchObject({ defaults });
  });
});

describe('the settings', () => {
  const settingsOf = (who: Caller) => ask(contract.settingsGet, {}, who);
  const change = (who: Caller, body: object) => ask(contract.settingsUpdate, { body }, who);

  it('are the defaults until they are changed, each organization for itself, and told to the others', async () => {
    const [mine, theirs] = [organization(), organization()];
    const before = await settingsOf(mine.who);
    expect(before).toMatchObject({ timezone: 'UTC', allowedCountries: [], maxConcurrentCalls: 10 });
    const after = await change(mine.who, { timezone: 'Asia/Kathmandu', allowedCountries: ['NP', 'IN'] });
    expect(after).toEqual({ ...before, timezone: 'Asia/Kathmandu', allowedCountries: ['NP', 'IN'] });
    const callingWindow = { days: [0, 4], start: '09:00', end: '18:00', basis: 'recipient' as const };
    expect(await change(mine.who, { callingWindow })).toEqual({ ...after, callingWindow });
    expect(await settingsOf(mine.who)).toEqual({ ...after, callingWindow });
    expect(await settingsOf(theirs.who)).toEqual(before);
    await eventually(() => {
      const told = eventsOf(mine.id, events.settingsChanged).map(({ data }) => data);
      expect(told).toEqual([
        { ...after, version: 1 },
        { ...after, callingWindow, version: 2 },
      ]);
    });
    expect(eventsOf(theirs.id, events.settingsChanged)).toEqual([]);
  });

  it('are told to nobody when a change changes nothing', async () => {
    const org = organization();
    await change(org.who, { maxConcurrentCalls: 20, inboundReserve: 20 });
    const same = await change(org.who, { maxConcurrentCalls: 20 });
    expect(await change(org.who, {})).toEqual(same);
    const last = await change(org.who, { inboundReserve: 0 });
    expect(last).toEqual({ ...same, inboundReserve: 0 });
    await eventually(() =>
      expect(eventsOf(org.id, events.settingsChanged).map(({ data }) => data.version)).toEqual([1, 2]),
    );
  });

  it('lose nothing when two change them at the same time, from the first time on', async () => {
    const org = organization();
    await Promise.all([
      change(org.who, { timezone: 'Europe/Berlin' }),
      change(org.who, { dailyAttemptsPerNumber: 4 }),
      change(org.who, { maxConcurrentCalls: 50 }),
    ]);
    expect(await settingsOf(org.who)).toMatchObject({
      timezone: 'Europe/Berlin',
      dailyAttemptsPerNumber: 4,
      maxConcurrentCalls: 50,
    });
  });

  it('refuse to keep more calls free than there may be, and stay what they were', async () => {
    const org = organization();
    const before = await settingsOf(org.who);
    expect(await refusal(change(org.who, { timezone: 'UTC', inboundReserve: 11 }))).toEqual(
      code('VALIDATION_ERROR'),
    );
    expect(await settingsOf(org.who)).toEqual(before);
  });
});
