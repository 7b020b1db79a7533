// Versions of a configuration: listed, read and restored, over NATS, of the whole service.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { refusal } from '@parlance/fixtures/service';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

type Org = ReturnType<World['organization']>;

const url = 'https://example.com/hook';
const code = (expected: string) => expect.objectContaining({ code: expected });
const list = (org: Org, agentId: string, query = {}) =>
  world.ask(contract.agentsListConfigVersions, { params: { agentId }, query }, org.who);
const read = (org: Org, agentId: string, version: number) =>
  world.ask(contract.agentsGetConfigVersion, { params: { agentId, version: String(version) } }, org.who);
const restore = (org: Org, agentId: string, version: number, expectedVersion: number, commandId?: string) =>
  world.ask(
    contract.agentsRestoreConfigVersion,
    { params: { agentId, version: String(version) }, body: { expectedVersion } },
    org.who,
    commandId,
  );

describe('the list of versions', () => {
  it('names who saved each one, and the fields that differ from the version before', async () => {
    const org = world.organization();
    const { id } = await org.create({ templateId: 'support' });
    await org.save(id, { firstMessage: 'Good morning', variables: { city: 'Bonn' } });
    await org.save(id, { firstMessage: 'Good evening', variables: { city: 'Bonn' } });
    const versions = await list(org, id);
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(versions[0]).toEqual({
      ...{ version: 3, savedAt: expect.any(String), savedBy: 'user:u1', restoredFrom: null },
      ...{ inForce: true, changed: ['firstMessage'] },
    });
    expect(versions[1]?.changed).toEqual(
      expect.arrayContaining(['firstMessage', 'systemPrompt', 'variables']),
    );
    expect(versions[1]?.changed).not.toContain('limits');
    expect(versions[2]).toMatchObject({ version: 1, savedBy: 'user:u1', inForce: false, changed: [] });
  });

  it('comes in pages that meet without a gap, and compares across their edges', async () => {
    const org = world.organization();
    const { id } = await org.create();
    for (const firstMessage of ['a', 'b', 'c', 'd']) await org.save(id, { firstMessage });
    const first = await list(org, id, { limit: '2' });
    const second = await list(org, id, { limit: '2', before: '3' });
    expect([...first, ...second].map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(first[1]?.changed).toEqual(['firstMessage']);
  });

  it('says of a version of an older release that nobody is known to have saved it', async () => {
    const org = world.organization();
    const { id } = await org.create();
    await org.save(id);
    await world.db.query('update agent_configurations set saved_by = null where agent_id = $1', [id]);
    expect(await list(org, id)).toMatchObject([{ version: 1, savedBy: null }]);
  });

  it('is empty before the first save', async () => {
    const org = world.organization();
    const { id } = await org.create();
    expect(await list(org, id)).toEqual([]);
  });
});

describe('an earlier version', () => {
  it('is read as it was saved, with the values of headers hidden', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const webhook = { url, headers: { 'X-Key': 'planted' } };
    const saved = await org.save(id, { firstMessage: 'One', post_call_webhook: webhook });
    await org.save(id, { firstMessage: 'Two' });
    const version = await read(org, id, 1);
    expect(version).toEqual(saved);
    expect(version.post_call_webhook?.headers).toEqual({ 'X-Key': '•••' });
  });

  it('is restored as the newest one, with the header values that it had, and announced', async () => {
    const org = world.organization();
    const { id } = await org.create();
    world.secrets = ['KNOWN'];
    const headers = { 'X-Key': 'planted', Authorization: 'Bearer {{secrets.KNOWN}}' };
    const first = await org.save(id, { x_crm: { id: 7 }, post_call_webhook: { url, headers } });
    await org.save(id, { firstMessage: 'Two', post_call_webhook: { url, headers: { 'X-Key': 'other' } } });
    const sealedIn = async (version: number) =>
      (await world.ask(serviceRequests.agentsPostCallWebhook, { body: { agentId: id, version } }, org.who))
        .webhook?.headers;
    const restored = await restore(org, id, 1, 2);
    expect(restored).toEqual({
      ...first,
      version: 3,
      createdAt: restored.createdAt,
      updatedAt: restored.updatedAt,
    });
    expect(await world.ask(contract.agentsGetConfig, { params: { agentId: id } }, org.who)).toEqual(restored);
    expect(await sealedIn(3)).toEqual(await sealedIn(1));
    expect(await list(org, id, { limit: '1' })).toMatchObject([
      { version: 3, restoredFrom: 1, inForce: true, changed: ['extra', 'firstMessage', 'post_call_webhook'] },
    ]);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.agentConfigured).at(-1)?.data.configVersion).toBe(3),
    );
  });

  it('is restored once by a command that comes twice', async () => {
    const org = world.organization();
    const { id } = await org.create();
    await org.save(id, { firstMessage: 'One' });
    await org.save(id, { firstMessage: 'Two' });
    const commandId = randomUUID();
    const first = await restore(org, id, 1, 2, commandId);
    expect(await restore(org, id, 1, 2, commandId)).toEqual(first);
    expect((await list(org, id)).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it('is not restored over a version that the caller has not read, and one of two at a time wins', async () => {
    const org = world.organization();
    const { id } = await org.create();
    for (const firstMessage of ['One', 'Two', 'Three']) await org.save(id, { firstMessage });
    const late = await refusal(restore(org, id, 1, 2));
    expect(late).toMatchObject({ code: 'VERSION_CONFLICT', details: { currentVersion: 3 } });
    const both = await Promise.all([1, 2].map((version) => refusal(restore(org, id, version, 3))));
    expect(both.filter((error) => error === undefined)).toHaveLength(1);
    expect(both).toContainEqual(code('VERSION_CONFLICT'));
    expect((await list(org, id)).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
  });

  it.each([
    ['SECRET_NOT_FOUND', { post_call_webhook: { url, headers: { 'X-Key': '{{secrets.GONE}}' } } }],
    ['VALIDATION_ERROR', { llmModel: 'nobody/nothing' }],
    ['URL_NOT_ALLOWED', { post_call_webhook: { url: 'https://127.0.0.1/', headers: {} } }],
  ])('that names what is gone is refused with %s, and nothing is saved', async (expected, change) => {
    const org = world.organization();
    const { id } = await org.create();
    const { version } = await org.save(id);
    await org.save(id);
    // The first version was allowed on the day of its save, by the catalog, the rules and the secrets of that day.
    await world.db.query(
      'update agent_configurations set document = document || $3::jsonb where agent_id = $1 and version = $2',
      [id, version, JSON.stringify(change)],
    );
    world.secrets = [];
    expect(await refusal(restore(org, id, version, 2))).toEqual(code(expected));
    expect(await list(org, id)).toHaveLength(2);
  });

  it('is no version of another organization, and none that was never saved', async () => {
    const [ours, theirs] = [world.organization(), world.organization()];
    const { id } = await ours.create();
    await ours.save(id);
    for (const ask of [() => list(theirs, id), () => read(theirs, id, 1), () => restore(theirs, id, 1, 1)])
      expect(await refusal(ask())).toEqual(code('AGENT_NOT_FOUND'));
    for (const ask of [() => read(ours, id, 2), () => restore(ours, id, 2, 1)])
      expect(await refusal(ask())).toEqual(code('CONFIG_VERSION_NOT_FOUND'));
  });
});

describe('the placeholders of an agent', () => {
  it('are those of its texts, with whether something is said where the call has no value', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const asked = () => world.ask(serviceRequests.agentsPlaceholders, { body: { agentId: id } }, org.who);
    expect(await asked()).toEqual({ placeholders: [], impossible: [] });
    await org.save(id, {
      firstMessage: 'Hi {{name}}, {{ city | your city }}. {{system.date}}',
      systemPrompt: '{{name | you}} {{city}} {{plan}}',
      variables: { plan: 'basic' },
    });
    const { placeholders, impossible, choices } = await asked();
    expect(impossible).toEqual([]);
    expect(choices?.voices.map(({ id }) => id)).toContain(choices?.voiceId);
    expect(placeholders).toEqual([
      { name: 'name', hasDefault: false },
      { name: 'city', hasDefault: false },
      { name: 'plan', hasDefault: true },
    ]);
  });
});
