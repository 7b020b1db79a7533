// Agents belong to their organization alone: over NATS, of the whole service.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, eventSubject, events, makeEvent, serviceRequests } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { endedCall, refusal } from '@parlance/fixtures/service';
import { closeOrganization, reopenOrganization } from '@parlance/postgres';
import { agentBody } from '../testing/organizations.js';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ MAX_AGENTS_PER_ORGANIZATION: '4' });
});
afterAll(async () => {
  await world?.stop();
});
beforeEach(() => {
  world.inUse = { live: 0, open: 0 };
});

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('agents', () => {
  it('are created without a configuration from null and blank, and told to the others', async () => {
    const org = world.organization();
    const agent = await org.create({ templateId: 'blank' });
    expect(agent).toMatchObject({ ...agentBody, templateId: 'blank', hasConfig: false, configVersion: null });
    expect(agent).toMatchObject({ phoneNumbers: [], lastCallAt: null, createdAt: agent.updatedAt });
    expect(await org.create()).toMatchObject({ templateId: null, hasConfig: false });
    await eventually(() => {
      const told = world.eventsOf(org.id, events.agentCreated).map(({ data }) => data);
      expect(told).toContainEqual({ agentId: agent.id, name: 'Front desk' });
    });
    expect(world.eventsOf(org.id, events.agentConfigured)).toEqual([]);
  });

  it('are limited in number; one deleted makes room for one', async () => {
    const org = world.organization();
    const [first] = [await org.create(), await org.create(), await org.create(), await org.create()];
    await expect(org.create()).rejects.toMatchObject({ code: 'CONFLICT', details: { maxAgents: 4 } });
    expect(await world.ask(contract.agentsList, { query: {} }, org.who)).toHaveLength(4);
    await world.ask(contract.agentsDelete, { params: { agentId: first.id } }, org.who);
    expect(await org.create()).toMatchObject(agentBody);
  });

  it.each(['business', 'medical', 'support'])(
    'start with version 1 from the template %s',
    async (templateId) => {
      const org = world.organization();
      const agent = await org.create({ templateId });
      expect(agent).toMatchObject({ templateId, hasConfig: true, configVersion: 1 });
      const saved = await world.ask(contract.agentsGetConfig, { params: { agentId: agent.id } }, org.who);
      expect(saved).toMatchObject({ agentId: agent.id, version: 1, agent_language: 'en' });
    },
  );

  it('take the uuid of a template and refuse one that is none', async () => {
    const org = world.organization();
    const templateId = '0198c0de-0000-7000-8000-000000000001';
    expect(await org.create({ templateId })).toMatchObject({ templateId, hasConfig: true });
    expect(await refusal(org.create({ templateId: randomUUID() }))).toEqual(code('TEMPLATE_NOT_FOUND'));
    expect(await org.list()).toHaveLength(1);
  });

  it('are created once by a command that comes twice', async () => {
    const org = world.organization();
    const commandId = randomUUID();
    const request = { body: { ...agentBody, templateId: 'support' as const } };
    const first = await world.ask(contract.agentsCreate, request, org.who, commandId);
    expect(await world.ask(contract.agentsCreate, request, org.who, commandId)).toEqual(first);
    expect(await org.list()).toEqual([first]);
  });

  it('are not created after their organization was closed, even by a command that came before', async () => {
    const org = world.organization();
    // The next agents of the organization are created in one statement.
    await org.create();
    const closing = { organizationId: org.id, removalId: randomUUID() };
    const waiting = await world.db.transaction(async (tx) => {
      await closeOrganization(tx, closing);
      const creating = refusal(org.create());
      await eventually(async () => {
        const { rowCount } = await tx.query(
          `select from pg_locks join pg_database d on d.oid = database
            where datname = current_database() and locktype = 'advisory' and not granted`,
        );
        expect(rowCount).toBe(1);
      });
      return { creating };
    });
    expect(await waiting.creating).toEqual(code('CONFLICT'));
    expect(await org.list()).toHaveLength(1);
    await eventually(() => expect(world.eventsOf(org.id, events.agentCreated)).toHaveLength(1));
    await reopenOrganization(world.db, closing);
    await org.create();
    expect(await org.list()).toHaveLength(2);
    await eventually(() => expect(world.eventsOf(org.id, events.agentCreated)).toHaveLength(2));
  });

  it('are created once by a command without a template that comes twice, and announced once', async () => {
    const org = world.organization();
    await org.create();
    const commandId = randomUUID();
    const first = await world.ask(contract.agentsCreate, { body: agentBody }, org.who, commandId);
    expect(await world.ask(contract.agentsCreate, { body: agentBody }, org.who, commandId)).toEqual(first);
    await org.create();
    await eventually(() => expect(world.eventsOf(org.id, events.agentCreated)).toHaveLength(3));
    expect(await org.list()).toHaveLength(3);
  });

  it('stay known to their own organization, and to no other, after they were deleted', async () => {
    const [org, other] = [world.organization(), world.organization()];
    const { id: agentId } = await org.create({ name: 'Reception' });
    const reference = (who: typeof org.who) =>
      world.ask(serviceRequests.agentsReference, { body: { agentId } }, who);
    const known = { name: 'Reception', isOrganizationKnown: true };
    expect(await reference(org.who)).toEqual(known);
    await world.ask(contract.agentsDelete, { params: { agentId } }, org.who);
    expect(await reference(org.who)).toEqual(known);
    expect(await reference(other.who)).toEqual({ name: null, isOrganizationKnown: false });
    await other.create();
    expect(await reference(other.who)).toEqual({ name: null, isOrganizationKnown: true });
  });

  it('are listed newest first and only to their organization', async () => {
    const [mine, theirs] = [world.organization(), world.organization()];
    const [first, second] = [await mine.create({ name: 'First' }), await mine.create({ name: 'Second' })];
    await theirs.create();
    expect((await mine.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('change what is given and keep the rest', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create({ templateId: 'business' });
    const update = (change: object) =>
      world.ask(contract.agentsUpdate, { params: { agentId }, body: change }, org.who);
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
    await eventually(() => expect(world.eventsOf(org.id, events.agentUpdated)).toHaveLength(2));
  });

  it('remember their last call, whatever the order in which calls are told', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    const ended = (startedAt: string) =>
      makeEvent(events.callEnded, {
        id: randomUUID(),
        organizationId: org.id,
        occurredAt: startedAt,
        data: endedCall({ callId: 'c1', agentId }, startedAt),
      });
    const [early, late] = ['2026-01-01T10:00:00.000Z', '2026-01-02T10:00:00.000Z'];
    const stream = world.nats.jetstream();
    for (const event of [ended(late), ended(early)]) {
      await stream.publish(eventSubject(events.callEnded), JSON.stringify(event));
    }
    await eventually(async () => expect((await org.list())[0]?.lastCallAt).toBe(late));
  });
});

describe('the numbers of an agent', () => {
  it('are as they were told last, whatever order the telling comes in', async () => {
    const org = world.organization();
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
      await world.nats.jetstream().publish(eventSubject(events.numberChanged), JSON.stringify(event));
    };
    const numbersOf = async (id: string) => (await org.list()).find((one) => one.id === id)?.phoneNumbers;
    const shown = [{ id: numberId, phoneNumber: '+14155550142' }];
    await tell(3, {});
    await eventually(async () => expect(await numbersOf(agentId)).toEqual(shown));
    await tell(4, { agentId: other.id });
    await tell(2, { agentId: null });
    await eventually(async () => expect(await numbersOf(other.id)).toEqual(shown));
    expect(await numbersOf(agentId)).toEqual([]);
    // an announcement about another organization's number has no effect
    await tell(1, { numberId: randomUUID(), agentId }, randomUUID());
    await tell(5, { agentId: other.id, status: 'releasing' });
    await eventually(async () => expect(await numbersOf(other.id)).toEqual([]));
    expect(await numbersOf(agentId)).toEqual([]);
  });
});

describe.each([
  ['tools', events.agentToolsChanged],
  ['knowledgeSources', events.agentKnowledgeChanged],
  ['mcpConnections', events.agentConnectionsChanged],
  ['widgets', events.agentWidgetsChanged],
] as const)('the number of %s of an agent', (counted, told) => {
  it('follows the newest announcement of its own organization, in any order of arrival', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    const tell = async (version: number, count: number, change: object = {}, organizationId = org.id) => {
      const about = { id: randomUUID(), organizationId, occurredAt: '2026-01-01T10:00:00.000Z' };
      const counts = { tools: count, sources: count, mcpConnections: count, widgets: count };
      const data = { agentId, ...counts, version, ...change };
      const event = makeEvent(told, { ...about, data });
      await world.nats.jetstream().publish(eventSubject(event), JSON.stringify(event));
    };
    const countIs = (count: number) =>
      eventually(async () => expect((await org.list())[0]?.counts[counted]).toBe(count));
    await tell(2, 5);
    await countIs(5);
    await tell(1, 9);
    await tell(7, 8, {}, randomUUID());
    await tell(1, 1, { agentId: randomUUID() });
    await tell(3, 4);
    await countIs(4);
    await org.remove(agentId);
    expect(await org.list()).toEqual([]);
  });
});

describe('an agent of another organization', () => {
  it('is like one that does not exist, for every operation', async () => {
    const [owner, stranger] = [world.organization(), world.organization()];
    const { id: agentId } = await owner.create({ templateId: 'business' });
    const params = { agentId };
    const attempts = [
      world.ask(contract.agentsUpdate, { params, body: { name: 'Mine now' } }, stranger.who),
      world.ask(contract.agentsDelete, { params }, stranger.who),
      world.ask(contract.agentsGetConfig, { params }, stranger.who),
      world.ask(contract.agentsPreviewSession, { params, body: {} }, stranger.who),
      world.ask(serviceRequests.agentsForCall, { body: params }, stranger.who),
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
    const org = world.organization();
    const agent = await org.create({ templateId: 'business' });
    expect(await org.remove(agent.id)).toBeNull();
    expect(await org.list()).toEqual([]);
    expect(await refusal(org.remove(agent.id))).toEqual(code('AGENT_NOT_FOUND'));
    await eventually(() =>
      expect(world.eventsOf(org.id, events.agentDeleted).map(({ data }) => data)).toEqual([
        { agentId: agent.id, name: agent.name },
      ]),
    );
  });

  it.each([
    { live: 1, open: 0 },
    { live: 0, open: 1 },
  ])('is refused while it is in use: %j', async (use) => {
    const org = world.organization();
    const agent = await org.create();
    world.inUse = use;
    expect(await refusal(org.remove(agent.id))).toEqual(code('AGENT_IN_USE'));
    expect(await org.list()).toHaveLength(1);
  });

  it('is refused when nobody can say whether it is in use', async () => {
    const org = world.organization();
    const agent = await org.create();
    world.inUse = undefined;
    expect(await refusal(org.remove(agent.id))).toEqual(code('UPSTREAM_TIMEOUT'));
    expect(await org.list()).toHaveLength(1);
  });

  it('is decided by the use that the gateway sends along, and refused where that could not be read', async () => {
    const org = world.organization();
    const { id: agentId } = await org.create();
    world.inUse = undefined;
    const remove = (use: { readonly liveCalls: number; readonly openOutboundCalls: number } | null) =>
      world.ask(contract.agentsDelete, { params: { agentId }, composed: { use } }, org.who);
    expect(await refusal(remove({ liveCalls: 1, openOutboundCalls: 0 }))).toEqual(code('AGENT_IN_USE'));
    expect(await refusal(remove({ liveCalls: 0, openOutboundCalls: 1 }))).toEqual(code('AGENT_IN_USE'));
    expect(await refusal(remove(null))).toEqual(code('SERVICE_UNAVAILABLE'));
    expect(await org.list()).toHaveLength(1);
    await remove({ liveCalls: 0, openOutboundCalls: 0 });
    expect(await org.list()).toEqual([]);
  });
});

describe('an organization that was removed', () => {
  it('has no agents, settings or numbers any more, also when it is told twice, and can make none', async () => {
    const [gone, other] = [world.organization(), world.organization()];
    const settings = { body: { timezone: 'Asia/Kathmandu' } };
    for (const org of [gone, other]) {
      await org.save((await org.create()).id);
      await world.ask(contract.settingsUpdate, settings, org.who);
    }
    const [agent] = await gone.list();
    await tellRemoval(world.nats, gone.id);
    await eventually(async () => expect(await gone.list()).toEqual([]));
    await eventually(async () =>
      expect(await world.ask(contract.settingsGet, {}, gone.who)).toMatchObject({ timezone: 'UTC' }),
    );
    const asked = world.ask(serviceRequests.agentsForCall, { body: { agentId: agent?.id ?? '' } }, gone.who);
    expect(await refusal(asked)).toEqual(code('AGENT_NOT_FOUND'));
    expect(await refusal(gone.create())).toEqual(code('CONFLICT'));
    expect(await refusal(world.ask(contract.settingsUpdate, settings, gone.who))).toEqual(code('CONFLICT'));
    expect(await other.list()).toHaveLength(1);
    expect(await world.ask(contract.settingsGet, {}, other.who)).toMatchObject({
      timezone: 'Asia/Kathmandu',
    });
  });
});
