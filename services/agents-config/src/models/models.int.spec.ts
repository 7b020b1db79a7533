// Models of organizations, from their creation to a call that reaches them.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Caller,
  contract,
  type ModelInput,
  type OrganizationModel,
  rolePermissions,
  serviceRequests,
} from '@parlance/contracts';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { secretReportOf } from '@parlance/fixtures';
import { ownerOf, refusal } from '@parlance/fixtures/service';
import { ModelKeyPair } from '@parlance/models';
import { World } from '../testing/world.js';

let world: World;
let server: RunningOpenAi;
/** A server inside the network that the installation allows. */
let inside = '';

const ofOperator = {
  id: 'custom/local-llm',
  kind: 'llm',
  name: 'Local',
  baseUrl: 'http://ollama:11434/v1',
  model: 'llama',
  languages: ['*'],
};

beforeAll(async () => {
  server = await startOpenAi({ apiKey: 'sk-own-key' });
  const folder = await mkdtemp(join(tmpdir(), 'parlance-models-'));
  const path = join(folder, 'models.json');
  await writeFile(path, JSON.stringify({ models: [ofOperator] }));
  inside = server.url;
  world = await World.start({
    EGRESS_ALLOW_PRIVATE: '127.0.0.1',
    MAX_MODELS_PER_ORGANIZATION: '3',
    MODELS_FILE: path,
  });
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await world?.stop();
  await server?.stop();
});

const llm = {
  id: 'custom/llama',
  kind: 'llm',
  name: 'Llama',
  baseUrl: 'https://models.example/v1',
  model: 'llama',
} as const;
const tts = {
  ...llm,
  id: 'custom/voices',
  kind: 'tts',
  voices: [
    { id: 'anna', name: 'Anna', languages: ['en'] },
    { id: 'ben', name: 'Ben', languages: ['en'] },
  ],
} as const;

const newOrganization = () => {
  const org = world.organization();
  const { who } = org;
  const params = (id: string) => ({ modelName: id.slice('custom/'.length) });
  return {
    ...org,
    secret: (value = 'sk-own-key'): string => {
      const id = randomUUID();
      world.values.set(id, { organizationId: org.id, value });
      return id;
    },
    add: (change: object = {}, by: Caller = who, commandId?: string): Promise<OrganizationModel> =>
      world.ask(
        contract.modelsCreate,
        // The cast lets tests send what a client may send.
        { body: { ...llm, ...change } as unknown as ModelInput },
        by,
        commandId,
      ),
    change: (id: string, body: object, by: Caller = who): Promise<OrganizationModel> =>
      world.ask(contract.modelsUpdate, { params: params(id), body }, by),
    drop: (id: string) => world.ask(contract.modelsDelete, { params: params(id) }, who),
    get: (id: string) => world.ask(contract.modelsGet, { params: params(id) }, who),
    models: () => world.ask(contract.modelsList, { query: {} }, who),
    catalog: () => world.ask(contract.agentsVoiceCatalog, {}, who),
    test: (body: { modelId: string; voiceId?: string }) => world.ask(contract.modelsTest, { body }, who),
    member: ownerOf(org.id, rolePermissions.member),
  };
};
const code = (name: string, details?: unknown) =>
  expect.objectContaining({ code: name, ...(details === undefined ? {} : { details }) });
const issueAt = (path: string) =>
  code('VALIDATION_ERROR', { issues: expect.arrayContaining([expect.objectContaining({ path })]) });

describe('models of an organization', () => {
  it('are in its catalog beside those of the installation, and in no other organization', async () => {
    const [org, other] = [newOrganization(), newOrganization()];
    const added = await org.add();
    expect(added).toMatchObject({ ...llm, languages: ['*'], usedBy: [], secretId: null });
    await org.add(tts);
    const catalog = await org.catalog();
    expect(catalog.llmModels.at(-1)).toMatchObject({ id: llm.id, available: true });
    expect(catalog.voices.slice(-2).map(({ id }) => id)).toEqual(['custom/voices/anna', 'custom/voices/ben']);
    expect((await org.models()).map(({ id }) => id)).toEqual([tts.id, llm.id]);
    expect(await other.models()).toEqual([]);
    expect((await other.catalog()).llmModels.some(({ id }) => id === llm.id)).toBe(false);
    expect(await refusal(other.get(llm.id))).toEqual(code('MODEL_NOT_FOUND'));
    expect(await refusal(other.change(llm.id, { name: 'Theirs' }))).toEqual(code('MODEL_NOT_FOUND'));
    expect(await refusal(other.drop(llm.id))).toEqual(code('MODEL_NOT_FOUND'));
    expect(await other.add()).toMatchObject({ id: llm.id });
  });

  it('can be chosen by agents, which are named where the model is to be deleted', async () => {
    const org = newOrganization();
    await org.add();
    await org.add(tts);
    await org.add({ id: 'custom/first', fallbacks: [llm.id] });
    const agent = await org.create();
    const chosen = { llmModel: llm.id, ttsModel: tts.id, voiceId: 'custom/voices/anna' };
    await org.save(agent.id, chosen);
    const agents = [{ id: agent.id, name: agent.name }];
    expect((await org.get(llm.id)).usedBy).toEqual(agents);
    expect(await refusal(org.drop(llm.id))).toEqual(
      code('MODEL_IN_USE', { agents, models: ['custom/first'] }),
    );
    expect(await refusal(org.change(tts.id, { voices: [tts.voices[1]] }))).toEqual(
      code('MODEL_IN_USE', { agents, voices: ['custom/voices/anna'] }),
    );
    await org.change(tts.id, { voices: [tts.voices[0]] });
    await org.save(agent.id);
    await org.drop('custom/first');
    expect(await org.drop(llm.id)).toBeNull();
    expect(await refusal(org.save(agent.id, { llmModel: llm.id }))).toEqual(issueAt('body.llmModel'));
  });

  it('lose or win against a configuration that is saved at the same moment, and never both', async () => {
    const org = newOrganization();
    const agent = await org.create();
    await org.save(agent.id);
    for (let round = 0; round < 5; round += 1) {
      const id = `custom/round-${round}`;
      await org.add({ id });
      const [saved, dropped] = await Promise.all([
        refusal(org.save(agent.id, { llmModel: id })),
        refusal(org.drop(id)),
      ]);
      expect([saved, dropped].filter((result) => result === undefined)).toHaveLength(1);
      if (dropped !== undefined) {
        await org.save(agent.id);
        await org.drop(id);
      }
    }
  });

  it('are made once under one Idempotency-Key, and not beyond the limit', async () => {
    const org = newOrganization();
    const command = randomUUID();
    const [one, again] = [await org.add({}, org.who, command), await org.add({}, org.who, command)];
    expect(again).toEqual(one);
    expect(await refusal(org.add())).toEqual(code('NAME_TAKEN'));
    await org.add({ id: 'custom/two' });
    await org.add({ id: 'custom/three' });
    expect(await refusal(org.add({ id: 'custom/four' }))).toEqual(code('LIMIT_TOO_HIGH', { maxModels: 3 }));
    expect(await org.models()).toHaveLength(3);
  });

  it('take no id of the operator’s file', async () => {
    expect(await refusal(newOrganization().add({ id: 'custom/local-llm' }))).toEqual(code('NAME_TAKEN'));
  });

  it.each([
    ['plain http', 'http://models.example/v1', 'scheme'],
    ['a private address', 'https://10.0.0.1/v1', 'address'],
    ['a private address in another spelling', 'https://0xa000001/v1', 'address'],
    ['a name inside the network', 'https://ollama.internal/v1', 'host'],
    ['the host of a model of the operator', 'http://ollama:11434/v1', 'scheme'],
    ['user and password', 'https://user:secret@models.example/v1', 'credentials'],
    ['a port that models have not', 'https://models.example:22/v1', 'port'],
    ['no URL at all', 'models.example', 'not_a_url'],
  ])('have no address with %s', async (_, baseUrl, reason) => {
    expect(await refusal(newOrganization().add({ baseUrl }))).toEqual(
      code('URL_NOT_ALLOWED', { reason, path: 'body.baseUrl' }),
    );
  });

  it.each([
    ['https://models.example./v1/', 'https://models.example/v1'],
    ['https://MODELS.example:443/v1//', 'https://models.example/v1'],
    ['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
  ])('keep the address %s as %s', async (baseUrl, kept) => {
    expect((await newOrganization().add({ baseUrl })).baseUrl).toBe(kept);
  });

  it.each([
    ['a query in the address', { baseUrl: 'https://models.example/v1?key=1' }, 'body.baseUrl'],
    ['a language that does not exist', { languages: ['tlh'] }, 'body.languages.0'],
    ['a fall-back that does not exist', { fallbacks: ['custom/none'] }, 'body.fallbacks.0'],
    ['a fall-back of another kind', { fallbacks: ['deepgram/nova-3'] }, 'body.fallbacks.0'],
    ['itself as its fall-back', { fallbacks: [llm.id] }, 'body.fallbacks.0'],
  ])('do not have %s', async (_, change, path) => {
    expect(await refusal(newOrganization().add(change))).toEqual(issueAt(path));
  });

  it('keep the rules of their kind when a field changes', async () => {
    const org = newOrganization();
    await org.add();
    expect(await refusal(org.change(llm.id, { voices: tts.voices }))).toEqual(issueAt('body.voices'));
    expect(await org.change(llm.id, { firstChunkMs: 4_000 })).toMatchObject({ firstChunkMs: 4_000 });
    expect(await org.get(llm.id)).toMatchObject({ firstChunkMs: 4_000, name: llm.name });
  });
});

describe('the key of a model', () => {
  it('is named for a new origin by somebody with the right to allow it, and by nobody else', async () => {
    const org = newOrganization();
    const secretId = org.secret();
    const denied = code('SECRET_ORIGIN_NOT_ALLOWED', {
      origin: 'https://models.example',
      secrets: [secretId],
    });
    expect(await refusal(org.add({ secretId }, org.member))).toEqual(denied);
    await org.add({}, org.member);
    expect(await refusal(org.change(llm.id, { secretId }, org.member))).toEqual(denied);
    expect(await org.change(llm.id, { secretId })).toMatchObject({ secretId });
    // What is there already needs no right.
    const renamed = { secretId, name: 'Renamed' };
    expect(await org.change(llm.id, renamed, org.member)).toMatchObject(renamed);
    expect(await org.get(llm.id)).toMatchObject(renamed);
  });

  it('does not follow the model to another origin', async () => {
    const org = newOrganization();
    const secretId = org.secret();
    await org.add({ secretId });
    const baseUrl = 'https://evil.example/v1';
    expect(await refusal(org.change(llm.id, { baseUrl }))).toEqual(issueAt('body.secretId'));
    expect(await refusal(org.change(llm.id, { baseUrl, secretId }, org.member))).toEqual(
      code('SECRET_ORIGIN_NOT_ALLOWED', { origin: 'https://evil.example', secrets: [secretId] }),
    );
    expect(await org.change(llm.id, { baseUrl: 'https://models.example/v2' }, org.member)).toMatchObject({
      secretId,
    });
    expect(await org.change(llm.id, { baseUrl, secretId })).toMatchObject({ baseUrl, secretId });
    expect(await org.change(llm.id, { baseUrl: llm.baseUrl, secretId: null }, org.member)).toMatchObject({
      secretId: null,
    });
  });

  it('is a secret of the organization', async () => {
    const org = newOrganization();
    const secretId = randomUUID();
    world.missing.add(secretId);
    expect(await refusal(org.add({ secretId }))).toEqual(code('SECRET_NOT_FOUND'));
    expect(await org.models()).toEqual([]);
  });

  it('is told to tools-secrets, which keeps the secret from being deleted', async () => {
    const org = newOrganization();
    const secretId = org.secret();
    await org.add({ secretId });
    const { rows } = await world.db.query<{ id: string }>(
      'select id from organization_models where organization_id = $1',
      [org.id],
    );
    const modelId = rows[0]?.id ?? '';
    const ask = () => world.ask(serviceRequests.modelsSecretReferences, { body: { modelId } }, org.who);
    expect(await ask()).toEqual({
      ids: [secretId],
      names: [],
      uses: [{ origin: 'https://models.example', ids: [secretId], names: [] }],
      name: llm.id,
    });
    const report = () => secretReportOf(world.nats, org.id, { type: 'model', id: modelId });
    expect(await report()).toMatchObject({ user: { name: llm.id }, ids: [secretId] });
    await org.drop(llm.id);
    expect(await refusal(ask())).toEqual(code('MODEL_NOT_FOUND'));
    expect(await report()).toMatchObject({ user: { name: '' }, ids: [], uses: [] });
  });
});

describe('the models of a call', () => {
  const callOf = (org: ReturnType<typeof newOrganization>, agentId: string): Caller => ({
    organizationId: org.id,
    actor: { type: 'call', id: 'call-1', agentId },
    role: 'call',
    permissions: [],
  });
  const callWith = async (org: ReturnType<typeof newOrganization>, change: object) => {
    const agent = await org.create();
    const { version } = await org.save(agent.id, change);
    return { who: callOf(org, agent.id), version };
  };
  const modelsOf = async ({ who, version }: Awaited<ReturnType<typeof callWith>>) => {
    const keys = new ModelKeyPair();
    const { publicKey } = keys;
    const answered = await world.ask(
      contract.modelsForCall,
      { params: { callId: 'call-1' }, body: { publicKey, version } },
      who,
    );
    return { answered, ...keys.open({ organizationId: who.organizationId, callId: 'call-1' }, answered) };
  };

  it('are those of its agent and their fall-backs, with keys that only the runtime opens', async () => {
    const org = newOrganization();
    await org.add({ id: 'custom/spare' });
    await org.add({ secretId: org.secret(), fallbacks: ['custom/spare', 'openai/gpt-4.1'] });
    await org.add({ id: 'custom/unused', secretId: org.secret('sk-of-another-model') });
    const { answered, models } = await modelsOf(await callWith(org, { llmModel: llm.id }));
    expect(models.map(({ id, apiKey, isUsable }) => [id, apiKey?.reveal(), isUsable])).toEqual([
      ['custom/spare', undefined, true],
      [llm.id, 'sk-own-key', true],
    ]);
    expect(JSON.stringify(answered)).not.toContain('sk-own-key');
    expect(answered.at(-1)).toMatchObject({ baseUrl: llm.baseUrl, model: 'llama' });
  });

  it('are none where the agent has models of the installation', async () => {
    const org = newOrganization();
    await org.add();
    expect((await modelsOf(await callWith(org, {}))).models).toEqual([]);
  });

  it('are not usable when the secret is gone', async () => {
    const org = newOrganization();
    const secretId = org.secret();
    await org.add({ secretId });
    const call = await callWith(org, { llmModel: llm.id });
    world.values.delete(secretId);
    expect((await modelsOf(call)).models).toMatchObject([{ id: llm.id, isUsable: false }]);
  });

  it('stay those of the version that the call runs with', async () => {
    const org = newOrganization();
    await org.add();
    const call = await callWith(org, { llmModel: llm.id });
    await org.save(call.who.actor.type === 'call' ? call.who.actor.agentId : '');
    expect((await modelsOf(call)).models).toMatchObject([{ id: llm.id }]);
    await org.drop(llm.id);
    expect((await modelsOf(call)).models).toEqual([]);
  });

  it('are refused for the agent of another organization, and for a key that is none', async () => {
    const [org, other] = [newOrganization(), newOrganization()];
    await org.add();
    const { who, version } = await callWith(org, { llmModel: llm.id });
    expect(await refusal(modelsOf({ who: { ...who, organizationId: other.id }, version }))).toEqual(
      code('AGENT_NOT_FOUND'),
    );
    await org.change(llm.id, { secretId: org.secret() });
    const body = { publicKey: 'A'.repeat(59), version };
    const asked = world.ask(contract.modelsForCall, { params: { callId: 'call-1' }, body }, who);
    expect(await refusal(asked)).toEqual(issueAt('body.publicKey'));
  });
});

describe('a test of a model', () => {
  it('answers what the server of the organization says', async () => {
    const org = newOrganization();
    await org.add({ baseUrl: inside, secretId: org.secret() });
    await org.add({ ...tts, baseUrl: inside, secretId: org.secret() });
    server.chat.push('Hello');
    expect(await org.test({ modelId: llm.id })).toMatchObject({ kind: 'llm', ok: true, text: 'Hello' });
    const spoken = await org.test({ modelId: tts.id, voiceId: 'custom/voices/ben' });
    expect(spoken).toMatchObject({ kind: 'tts', ok: true, audio: { contentType: 'audio/wav' } });
    expect(server.received.at(-1)?.body).toMatchObject({ voice: 'ben' });
    expect(await refusal(org.test({ modelId: tts.id, voiceId: 'cartesia/x' }))).toEqual(
      issueAt('body.voiceId'),
    );
  });

  it('says which key is missing or wrong, and names no key', async () => {
    const org = newOrganization();
    const secretId = org.secret('sk-of-somebody-else');
    await org.add({ baseUrl: inside, secretId });
    const refused = await org.test({ modelId: llm.id });
    expect(refused).toMatchObject({ ok: false, error: { code: 'KEY_REFUSED', status: 401, excerpt: null } });
    expect(JSON.stringify(refused)).not.toContain('sk-of');
    world.values.delete(secretId);
    expect(await org.test({ modelId: llm.id })).toMatchObject({ error: { code: 'KEY_MISSING' } });
    expect(await org.test({ modelId: 'openai/gpt-4.1' })).toMatchObject({ error: { code: 'KEY_MISSING' } });
    expect(await refusal(org.test({ modelId: 'custom/none' }))).toEqual(code('MODEL_NOT_FOUND'));
  });
});
