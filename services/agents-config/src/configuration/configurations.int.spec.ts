// Configurations, and the one that a call runs with: over NATS, of the whole service.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CallContext,
  type Caller,
  contract,
  events,
  rolePermissions,
  serviceRequests,
} from '@parlance/contracts';
import { eventually, sealedPlaces, secretReportOf } from '@parlance/fixtures';
import { ownerOf, refusal } from '@parlance/fixtures/service';
import { defaults } from '@parlance/models';
import { createLogger } from '@parlance/observability';
import { sealing } from '../sealed-columns.js';
import { configurationBody } from '../testing/organizations.js';
import { World } from '../testing/world.js';
import { startSealingOldHeaders } from './seal-old-headers.js';

/** An operator's file with a model of each kind. */
const custom = (kind: string, change: object = {}) => ({
  id: `custom/local-${kind}`,
  kind,
  name: `Local ${kind}`,
  baseUrl: 'http://speech.internal:8000/v1',
  model: 'local',
  languages: ['en', 'de'],
  ...change,
});
const voices = [{ id: 'heart', name: 'Heart', languages: ['en'] }];
const prices = { perMillionInputTokens: 100_000, perMillionOutputTokens: 400_000 };
const modelsFile = {
  models: [
    custom('llm', { languages: ['*'], prices, typicalLatencyMs: 400 }),
    custom('stt'),
    custom('tts', { voices }),
  ],
};

let world: World;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'models-'));
  const path = join(directory, 'models.json');
  await writeFile(path, JSON.stringify(modelsFile));
  world = await World.start({ MODELS_FILE: path });
});
afterAll(async () => {
  await world?.stop();
  await rm(directory, { recursive: true, force: true });
});

const code = (expected: string, details?: object) =>
  expect.objectContaining({ code: expected, ...(details === undefined ? {} : { details }) });

describe('configurations', () => {
  it('get a new version with every save, and old versions stay as they were', async () => {
    const org = world.organization();
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
    expect(await world.ask(contract.agentsGetConfig, { params: { agentId } }, org.who)).toEqual(second);
    expect(await org.list()).toMatchObject([{ hasConfig: true, configVersion: 2 }]);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.agentConfigured).map(({ data }) => data.configVersion)).toEqual([
        1, 2,
      ]),
    );
  });

  it('can be saved again as they were read, but for what says which version it was', async () => {
    const org = world.organization();
    const { id } = await org.create({ templateId: 'support' });
    await org.save(id, { variables: { city: 'Bonn' }, x_crm: { id: 7 } });
    const read = await world.ask(contract.agentsGetConfig, { params: { agentId: id } }, org.who);
    const { agentId, version, createdAt, updatedAt, ...document } = read;
    const again = await world.ask(
      contract.agentsSaveConfig,
      { params: { agentId: id }, body: document },
      org.who,
    );
    expect(again).toMatchObject({ ...document, agentId, version: version + 1 });
    expect(again.updatedAt >= updatedAt && createdAt <= again.createdAt).toBe(true);
  });

  it('are not saved over a version that the caller has not read, and one of two at a time wins', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const first = await Promise.all(
      [0, 0].map((expectedVersion) => refusal(org.save(id, { expectedVersion }))),
    );
    expect(first.filter((error) => error === undefined)).toHaveLength(1);
    expect(first).toContainEqual(code('VERSION_CONFLICT'));
    const second = await org.save(id, { expectedVersion: 1 });
    expect(second).toMatchObject({ version: 2 });
    expect(second).not.toHaveProperty('expectedVersion');
    expect(await refusal(org.save(id, { expectedVersion: 1 }))).toMatchObject({
      code: 'VERSION_CONFLICT',
      details: { currentVersion: 2 },
    });
    expect(await org.save(id)).toMatchObject({ version: 3 });
  });

  it('get different versions when saved at the same time', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    const saved = await Promise.all(Array.from({ length: 8 }, () => org.save(agentId)));
    expect(saved.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are saved once by a command that comes twice', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    const commandId = randomUUID();
    const request = { params: { agentId }, body: configurationBody };
    const first = await world.ask(contract.agentsSaveConfig, request, org.who, commandId);
    expect(await world.ask(contract.agentsSaveConfig, request, org.who, commandId)).toEqual(first);
    expect(await org.list()).toMatchObject([{ configVersion: 1 }]);
  });

  it('need the permission to create first, and to update later', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    const save = (permission: string) =>
      world.ask(
        contract.agentsSaveConfig,
        { params: { agentId }, body: configurationBody },
        ownerOf(org.id, [permission]),
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
    const org = world.organization();
    const { id: agentId } = await org.create();
    expect(await refusal(org.save(agentId, change))).toEqual(code(expected));
    expect(await org.list()).toMatchObject([{ hasConfig: false }]);
    const read = world.ask(contract.agentsGetConfig, { params: { agentId } }, org.who);
    expect(await refusal(read)).toEqual(code('CONFIG_NOT_FOUND'));
  });
});

describe('webhooks that mention secrets', () => {
  const url = 'https://example.com/hook';
  const mentioning = (name: string) => ({
    post_call_webhook: { url, headers: { Authorization: `Bearer {{secrets.${name}}}`, 'X-Key': 'planted' } },
  });

  it('are saved when the secrets exist, which are noted before, and are told as they are in force', async () => {
    const org = world.organization();
    const { id: agentId, name } = await org.create();
    const references = () =>
      world.ask(serviceRequests.agentsSecretReferences, { body: { agentId } }, org.who);
    expect(await references()).toEqual({ ids: [], names: [], uses: [], name });
    world.secrets = ['KNOWN'];
    expect(await refusal(org.save(agentId, mentioning('UNKNOWN')))).toEqual(code('SECRET_NOT_FOUND'));
    expect(await org.list()).toMatchObject([{ hasConfig: false }]);
    const saved = await org.save(agentId, mentioning('KNOWN'));
    expect(saved.post_call_webhook?.headers).toEqual({
      Authorization: 'Bearer {{secrets.KNOWN}}',
      'X-Key': '•••',
    });
    expect(world.referred).toEqual(['KNOWN']);
    const uses = [{ origin: 'https://example.com', ids: [], names: ['KNOWN'] }];
    expect(await references()).toEqual({ ids: [], names: ['KNOWN'], uses, name });
    expect(await secretReportOf(world.nats, org.id, { type: 'agent', id: agentId })).toMatchObject({
      ...{ user: { name }, ids: [], names: ['KNOWN'], uses },
    });
    await org.save(agentId);
    expect(await references()).toEqual({ ids: [], names: [], uses: [], name });
  });

  it('count as mentioned from before they are noted until they are saved, while other saves of the agent succeed', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    world.secrets = ['KNOWN', 'OTHER'];
    const references = async () =>
      (await world.ask(serviceRequests.agentsSecretReferences, { body: { agentId } }, org.who)).names;
    const seen: unknown[] = [];
    let isFirst = true;
    world.beforeNote = async () => {
      if (!isFirst) return;
      isFirst = false;
      seen.push(await references());
      seen.push((await org.save(agentId, mentioning('OTHER'))).version);
      seen.push(await references());
    };
    const { version } = await org.save(agentId, mentioning('KNOWN'));
    world.beforeNote = undefined;
    expect([...seen, version]).toEqual([['KNOWN'], 1, ['OTHER', 'KNOWN'], 2]);
    expect(await references()).toEqual(['KNOWN']);
  });

  it('are saved for a new origin by somebody who may allow it, and by nobody else', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    world.secrets = ['OWN'];
    const member = ownerOf(org.id, rolePermissions.member);
    const save = (webhook: object, who: Caller) =>
      world.ask(
        contract.agentsSaveConfig,
        { params: { agentId }, body: { ...configurationBody, ...webhook } },
        who,
      );
    const details = { origin: 'https://example.com', secrets: ['OWN'] };
    expect(await refusal(save(mentioning('OWN'), member))).toEqual(
      code('SECRET_ORIGIN_NOT_ALLOWED', details),
    );
    await save(mentioning('OWN'), org.who);
    await save(mentioning('OWN'), member);
    const moved = { post_call_webhook: { url, body: { key: '{{secrets.OWN}}' } } };
    await save(moved, member);
    const elsewhere = { post_call_webhook: { ...moved.post_call_webhook, url: 'https://evil.example/' } };
    expect(await refusal(save(elsewhere, member))).toMatchObject({ code: 'SECRET_ORIGIN_NOT_ALLOWED' });
  });

  it('keep their literal values sealed, in the tables and for the sender', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    world.secrets = ['KNOWN'];
    await org.save(agentId, mentioning('KNOWN'));
    await org.save(agentId, { post_call_webhook: { url, headers: { 'x-key': '•••' } } });
    const { rows } = await world.db.query('select document from agent_configurations where agent_id = $1', [
      agentId,
    ]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('planted');
    const body = { agentId, version: null };
    const { webhook } = await world.ask(serviceRequests.agentsPostCallWebhook, { body }, org.who);
    expect(webhook?.headers).toEqual({ 'x-key': { sealed: expect.any(String), bound: expect.any(String) } });
  });

  it('of an older release are sealed by several copies at once', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    for (let version = 1; version <= 6; version += 1) await org.save(agentId);
    const old = { initiation_webhook: { url, headers: { 'X-Key': 'planted' } } };
    await world.db.query(
      `update agent_configurations set headers_sealed = false, document = document || $2::jsonb
       where agent_id = $1`,
      [agentId, JSON.stringify(old)],
    );
    const { keyring } = world;
    const logger = createLogger({ service: 'test', level: 'silent' });
    const copies = [1, 2, 3].map(() => startSealingOldHeaders({ db: world.db, keyring, logger }));
    const stored = async () => {
      const { rows } = await world.db.query<{ document: object; headers_sealed: boolean }>(
        'select document, headers_sealed from agent_configurations where agent_id = $1',
        [agentId],
      );
      return rows;
    };
    await eventually(async () =>
      expect((await stored()).map((row) => row.headers_sealed)).toEqual(Array(6).fill(true)),
    );
    for (const copy of copies) await copy.stop();
    expect(JSON.stringify(await stored())).not.toContain('planted');
  });
});

describe('an agent that is asked to take a call', () => {
  const preview = (who: Caller, agentId: string) =>
    world.ask(
      contract.agentsPreviewSession,
      { params: { agentId }, body: { dynamicVariables: { name: 'Ada' } } },
      who,
    );
  const runtime = (agentId: string) =>
    world.ask(contract.internalAgentConfig, { params: { agentId }, query: {} }, ownerOf('', []));

  it('answers with its configuration to the voice runtime', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'support' });
    expect(await runtime(agent.id)).toMatchObject({
      agent: { id: agent.id, name: agent.name, organizationId: org.id, isActive: true },
      config: { version: 1 },
      ...{ tools: [], mcpTools: [], knowledge: { mode: 'none', prompt: null }, warnings: [] },
    });
  });

  it('answers to the gateway without the parts of other services', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'support' });
    const body = { agentId: agent.id, call: {} };
    const atStart = await world.ask(serviceRequests.agentsAtStart, { body }, ownerOf('', []));
    const {
      tools: _tools,
      mcpTools: _mcp,
      knowledge: _knowledge,
      warnings: _warnings,
      ...own
    } = await runtime(agent.id);
    expect(atStart).toEqual(own);
  });

  it('opens a room of its own for a preview, with the agent dispatched into it', async () => {
    const org = world.organization();
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
    // The room is there before the browser joins: the media server makes none for a participant.
    const about = {
      ...{ callId: session.callId, organizationId: org.id, agentId: agent.id },
      ...{ channel: 'preview', dynamicVariables: { name: 'Ada' } },
    };
    const [room] = await world.media.rooms.listRooms([session.roomName]);
    expect(JSON.parse(room?.metadata ?? '{}')).toEqual({ callId: session.callId });
    const [dispatch] = await world.media.dispatch.listDispatch(session.roomName);
    expect(dispatch?.agentName).toBe('parlance-voice');
    const context = CallContext.parse(JSON.parse(dispatch?.metadata ?? '{}'));
    expect(context).toMatchObject(about);
    const asked = (callId: string) =>
      world.ask(serviceRequests.agentsPreviewCall, { body: { callId } }, ownerOf(''));
    expect(await asked(session.callId)).toEqual({ context });
    expect(await asked(randomUUID())).toEqual({ context: null });
  });

  it('tells the visitor of a preview neither prompt nor variables in anything that a participant is sent', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'support' });
    const planted = ['planted-greeting', 'planted-prompt', 'planted-default', 'planted-value'] as const;
    const [firstMessage, systemPrompt, ofAgent, ofCall] = planted;
    await org.save(agent.id, { firstMessage, systemPrompt, variables: { plan: ofAgent } });
    const session = await world.ask(
      contract.agentsPreviewSession,
      { params: { agentId: agent.id }, body: { dynamicVariables: { name: ofCall } } },
      org.who,
    );
    const sent = await world.media.join(session.token);
    expect(sent).toMatchObject({
      room: { name: session.roomName, metadata: JSON.stringify({ callId: session.callId }) },
      participant: { identity: session.identity },
    });
    const claims = Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString();
    const readable = JSON.stringify([sent, session, claims]);
    for (const word of [...planted, org.id, 'callToken']) expect(readable).not.toContain(word);
  });

  it('opens no preview while the media server is away, and says so', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'support' });
    await world.media.fault('5xx-before', 1);
    expect(await refusal(preview(org.who, agent.id))).toEqual(code('PROVIDER_UNAVAILABLE'));
  });

  it('refuses while it is inactive, and while it has no configuration', async () => {
    const org = world.organization();
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

  it('tells the dialer and the widgets what they need, whatever its state', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'support', isActive: false });
    expect(await world.ask(serviceRequests.agentsForCall, { body: { agentId: agent.id } }, org.who)).toEqual({
      agentId: agent.id,
      name: 'Front desk',
      isActive: false,
      configVersion: 1,
      allowedOverrides: ['firstMessage', 'systemPrompt'],
      maxDurationSeconds: 3_600,
      language: 'en',
      firstMessage: expect.stringContaining('Hi {{customer_name | there}}, thanks for calling'),
      variables: { customer_name: null, product_name: null },
      redaction: { kinds: [], timezone: 'UTC' },
    });
  });
});

describe('the voice catalog', () => {
  it('is answered as the contract describes it, with the models and voices of the operator', async () => {
    const answered = await world.ask(contract.agentsVoiceCatalog, {}, world.organization().who);
    const catalog = contract.agentsVoiceCatalog.data.parse(answered);
    expect(catalog).toMatchObject({
      defaults,
      version: expect.stringMatching(/^\d{4}-\d\d-\d\d\+[0-9a-f]{12}$/),
    });
    expect(catalog.llmModels.at(-1)).toMatchObject({
      id: 'custom/local-llm',
      languages: ['*'],
      costMicrosPerMinute: 600,
      typicalLatencyMs: 400,
      available: true,
    });
    expect(catalog.sttModels.at(-1)).toMatchObject({ id: 'custom/local-stt', costMicrosPerMinute: null });
    expect(catalog.voices.at(-1)).toMatchObject({
      id: 'custom/local-tts/heart',
      ttsModels: ['custom/local-tts'],
      languages: ['en'],
    });
  });

  it('lets a configuration choose the models of the operator, by the same rules as all others', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const chosen = {
      llmModel: 'custom/local-llm',
      sttModel: 'custom/local-stt',
      ttsModel: 'custom/local-tts',
      voiceId: 'custom/local-tts/heart',
    };
    expect(await org.save(id, chosen)).toMatchObject({ version: 1, ...chosen });
    const issuesOf = async (change: object): Promise<unknown> =>
      refusal(org.save(id, { ...chosen, ...change }));
    const refusedFor = (...fields: string[]) =>
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { issues: fields.map((field) => expect.objectContaining({ path: `body.${field}` })) },
      });
    expect(await issuesOf({ llmModel: 'custom/other' })).toEqual(refusedFor('llmModel'));
    expect(await issuesOf({ ttsModel: defaults.ttsModel })).toEqual(refusedFor('voiceId'));
    expect(await issuesOf({ agent_language: 'de' })).toEqual(refusedFor('voiceId'));
    expect(await issuesOf({ agent_language: 'fr' })).toEqual(refusedFor('sttModel', 'ttsModel', 'voiceId'));
  });
});

// Of all that the tests above have stored.
it('lists every column where the service seals values, and opens all of them', async () => {
  const found = await sealedPlaces(world.db, sealing.sealedColumns, world.keyring);
  expect(found).toEqual({
    sealed: expect.arrayContaining(['agent_configurations.document']),
    unlisted: [],
    unopened: [],
  });
});
