import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, serviceRequests } from '@parlance/contracts';
import { eventually, secretReportOf, tellRemoval } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { page, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world?.stop());

const countsOf = (organizationId: string) =>
  world.published
    .filter(
      (event) => event.organizationId === organizationId && event.name === events.agentWidgetsChanged.name,
    )
    .map(({ data }) => [data.widgets, data.version]);

const rowsOf = async (organizationId: string): Promise<number> => {
  let rows = 0;
  for (const table of ['widgets', 'widget_agents', 'widget_sessions'])
    rows += (await world.db.query(`select 1 from ${table} where organization_id = $1`, [organizationId]))
      .rowCount;
  return rows;
};

describe('a widget', () => {
  it('is made with looks, limits and no origin, and with what its organization says', async () => {
    const org = world.organization();
    const body = { name: 'Plain' };
    const plain = await world.ask(
      contract.widgetsCreate,
      { params: { agentId: org.agentId }, body },
      org.caller,
    );
    expect(plain).toMatchObject({
      ...{ name: 'Plain', agentId: org.agentId, enabled: true, allowedOrigins: [], modes: ['voice', 'text'] },
      limits: {
        maxSessionSeconds: 600,
        maxConcurrentSessions: 5,
        sessionsPerIpPerHour: 10,
        dailySessions: null,
      },
      consent: { required: false, text: null, privacyUrl: null, version: '1' },
      stats: { sessions30d: 0 },
    });
    expect(plain.embedSnippet).toContain(`widget-id="${plain.id}"`);
    expect(plain.embedSnippet).toContain('src="https://parlance.example.com/widget.js"');
    const own = await org.create({
      theme: { primaryColor: '#102030', texts: { start: 'Los' } },
      consent: { required: true, text: 'We record.', version: '2' },
      allowedOrigins: [page, page, 'https://*.example.org'],
    });
    expect(own.theme).toMatchObject({
      primaryColor: '#102030',
      mode: 'auto',
      texts: { start: 'Los', end: 'End' },
    });
    expect(own.allowedOrigins).toEqual([page, 'https://*.example.org']);
    expect(await org.get(own.id)).toEqual(own);
    expect((await org.list()).map(({ id }) => id)).toEqual([plain.id, own.id]);
  });

  it('keeps what a change does not name', async () => {
    const org = world.organization();
    const made = await org.create({ theme: { borderRadius: 3 }, limits: { dailySessions: 9 } });
    const changed = await org.update(made.id, {
      enabled: false,
      theme: { texts: { title: 'Hello' } },
      limits: { maxSessionSeconds: 60 },
    });
    expect(changed).toEqual({
      ...made,
      enabled: false,
      theme: { ...made.theme, texts: { ...made.theme.texts, title: 'Hello' } },
      limits: { ...made.limits, maxSessionSeconds: 60 },
      updatedAt: changed.updatedAt,
    });
  });

  it('is made once however often its command is repeated', async () => {
    const org = world.organization();
    const command = randomUUID();
    const [first, second] = [await org.create({}, command), await org.create({}, command)];
    expect(second).toEqual(first);
    expect(await org.list()).toHaveLength(1);
  });

  it('is unknown to other organizations', async () => {
    const [org, other] = [world.organization(), world.organization()];
    const { id } = await org.create();
    expect(await refusalCode(other.get(id))).toBe('WIDGET_NOT_FOUND');
    expect(await refusalCode(other.update(id, { enabled: false }))).toBe('WIDGET_NOT_FOUND');
    expect(await refusalCode(other.delete(id))).toBe('WIDGET_NOT_FOUND');
    expect((await org.get(id)).enabled).toBe(true);
  });

  it('needs an agent that exists, and its parts to fit each other', async () => {
    const org = world.organization();
    const absent = world.organization();
    world.neighbours.agents.set(absent.agentId, 'absent');
    expect(await refusalCode(absent.create())).toBe('AGENT_NOT_FOUND');
    expect(await refusalCode(absent.list())).toBe('AGENT_NOT_FOUND');
    expect(await refusalCode(org.create({ consent: { required: true } }))).toBe('VALIDATION_ERROR');
    expect(await refusalCode(org.create({ requireVisitorToken: true }))).toBe('VALIDATION_ERROR');
    expect(await refusalCode(org.create({ visitorTokenSecretId: randomUUID() }))).toBe('SECRET_NOT_FOUND');
    expect(await org.list()).toEqual([]);
  });

  it('is counted for its agent with a higher version at each change', async () => {
    const org = world.organization();
    const [{ id }] = [await org.create(), await org.create()];
    await org.delete(id);
    expect(await refusalCode(org.get(id))).toBe('WIDGET_NOT_FOUND');
    await eventually(() =>
      expect(countsOf(org.id)).toEqual([
        [1, 1],
        [2, 2],
        [1, 3],
      ]),
    );
  });
});

describe('the secret of visitor tokens', () => {
  const secretOf = (organizationId: string): string => {
    const id = randomUUID();
    world.neighbours.secrets.set(id, { organizationId, value: 'a-secret-that-the-site-holds-too' });
    return id;
  };
  const savesOf = (widgetId: string): number =>
    world.published.filter(({ name, data }) => name === events.widgetSaved.name && data.widgetId === widgetId)
      .length;

  it('is noted as used before the widget is saved, and reported when tools-secrets requests it', async () => {
    const org = world.organization();
    const [first, second] = [secretOf(org.id), secretOf(org.id)];
    const { id } = await org.create({ visitorTokenSecretId: first });
    const ask = (widgetId: string, caller = org.caller) =>
      world.ask(serviceRequests.widgetsSecretReferences, { body: { widgetId } }, caller);
    expect(world.neighbours.noted.get(`widget ${id}`)).toBe(first);
    expect(await ask(id)).toEqual({ ids: [first], names: [], uses: [], name: 'Shop' });
    await org.update(id, { visitorTokenSecretId: second, name: 'Store' });
    expect(world.neighbours.noted.get(`widget ${id}`)).toBe(second);
    expect(await ask(id)).toEqual({ ids: [second], names: [], uses: [], name: 'Store' });
    const report = () => secretReportOf(world.nats, org.id, { type: 'widget', id });
    expect(await report()).toMatchObject({ user: { id, name: 'Store' }, ids: [second], names: [], uses: [] });
    expect(await refusalCode(org.update(id, { visitorTokenSecretId: randomUUID() }))).toBe(
      'SECRET_NOT_FOUND',
    );
    await org.update(id, { visitorTokenSecretId: null });
    expect(await ask(id)).toMatchObject({ ids: [] });
    expect(await refusalCode(ask(id, world.organization().caller))).toBe('WIDGET_NOT_FOUND');
    await org.delete(id);
    expect(await refusalCode(ask(id))).toBe('WIDGET_NOT_FOUND');
    expect(await report()).toMatchObject({ user: { id, name: '' }, ids: [] });
    await eventually(() => expect(savesOf(id)).toBe(4));
  });

  it('of a widget that an earlier release saved is noted at the next start', async () => {
    const org = world.organization();
    const secretId = secretOf(org.id);
    const { id } = await org.create({ visitorTokenSecretId: secretId });
    const { id: plain } = await org.create();
    const { id: orphan } = await org.create({ visitorTokenSecretId: secretId });
    world.neighbours.noted.clear();
    await world.db.query(`update widgets set is_secret_noted = false where organization_id = $1`, [org.id]);
    await world.db.query(
      `update widgets set document = jsonb_set(document, '{visitorTokenSecretId}', to_jsonb($2::text)) where id = $1`,
      [orphan, randomUUID()],
    );
    await world.restart();
    await eventually(async () => {
      const left = await world.db.query('select 1 from widgets where not is_secret_noted');
      expect(left.rowCount).toBe(0);
    });
    expect([...world.neighbours.noted]).toEqual([[`widget ${id}`, secretId]]);
    expect((await org.get(plain)).visitorTokenSecretId).toBeNull();
  });
});

describe('nothing is left', () => {
  it('of the widgets of a deleted agent, which gets no new one', async () => {
    const org = world.organization();
    const { id } = await org.create();
    const { roomName } = await world.startSession(id);
    await world.announce(events.agentDeleted, org.id, { agentId: org.agentId, name: 'Front desk' });
    await eventually(async () => expect(await refusalCode(org.get(id))).toBe('WIDGET_NOT_FOUND'));
    await eventually(async () => expect(await world.roomNames()).not.toContain(roomName));
    expect(await refusalCode(org.create())).toBe('AGENT_NOT_FOUND');
  });

  it('of a removed organization: no widget, no session, no room, no place', async () => {
    const org = world.organization();
    const widgets = [await org.create(), await org.create()];
    const sessions = await Promise.all(widgets.map(({ id }) => world.startSession(id)));
    expect(await rowsOf(org.id)).toBe(5);
    await tellRemoval(world.nats, org.id);
    await eventually(async () => expect(await rowsOf(org.id)).toBe(0));
    const rooms = await world.roomNames();
    for (const { roomName } of sessions) expect(rooms).not.toContain(roomName);
    expect(await refusalCode(org.create())).toBe('CONFLICT');
  });
});
