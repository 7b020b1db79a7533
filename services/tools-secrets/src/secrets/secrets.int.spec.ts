// Tests secrets over the requests of the gateway and other services: the whole service on real Postgres and NATS.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, type RequestOf, serviceRequests } from '@parlance/contracts';
import { CannotOpen, secretBinding } from '@parlance/crypto';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { OrganizationSecrets } from '@parlance/webhooks';
import { organizationWith as toolsOf } from '../testing/organization.js';
import { ownerOf } from '../testing/owner.js';
import { World } from '../testing/world.js';
import { collectOrigins } from './collect-origins.js';
import { noteReport } from './foreign-mentions.js';
import { nextNoted, replaceReferences } from './references.js';

let world: World;
let organizationId: string;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

const code = (expected: string, details: object = {}) =>
  expect.objectContaining({ code: expected, ...details });
const newOrganization = (): void => {
  organizationId = randomUUID();
};
const origin = 'https://api.example.com';
const url = `${origin}/things?of=1`;
const create = (
  organization: string,
  name: string,
  value = `value of ${name}`,
  allowedOrigins: string[] = [],
) => world.ask(contract.secretsCreate, { body: { name, value, allowedOrigins } }, ownerOf(organization));
const list = (organization: string) => world.ask(contract.secretsList, { query: {} }, ownerOf(organization));
const remove = (organization: string, secretId: string): Promise<unknown> =>
  world.ask(contract.secretsDelete, { params: { secretId } }, ownerOf(organization));
const sealed = (of: { ids?: string[]; names?: string[] }, organization = organizationId) =>
  world.ask(serviceRequests.secretsSealed, { body: { ids: [], names: [], ...of } }, ownerOf(organization));
type Refer = Omit<RequestOf<typeof serviceRequests.secretsRefer>['body'], 'user'>;
const refer = (agentId: string, of: Partial<Refer>) =>
  world.ask(
    serviceRequests.secretsRefer,
    { body: { user: { id: agentId, type: 'agent', name: 'Front desk' }, ids: [], names: [], ...of } },
    ownerOf(organizationId),
  );
const rotate = (secretId: string, value: string, keepPreviousForSeconds = 0, commandId?: string) =>
  world.ask(
    contract.secretsRotate,
    { params: { secretId }, body: { value, keepPreviousForSeconds } },
    ownerOf(organizationId),
    commandId,
  );
const openedVersions = async (id: string): Promise<string[]> => {
  const [secret] = await sealed({ ids: [id] });
  if (secret === undefined) throw new Error('no such secret');
  const open = (version: number, envelope: string) =>
    world.keyring.open(envelope, secretBinding({ organizationId, secretId: id, version })).toString('utf8');
  const { previous } = secret;
  return [
    open(secret.version, secret.sealed),
    ...(previous ? [open(previous.version, previous.sealed)] : []),
  ];
};

describe('a secret', () => {
  it('shows its last four characters where it is long enough, and its value nowhere', async () => {
    newOrganization();
    const long = await create(organizationId, 'LONG', 'abcdefgh1234');
    const short = await create(organizationId, 'SHORT', 'abcdefg1234');
    expect(long).toMatchObject({ redactedValue: '••••1234', version: 1, usedBy: [], lastUsedAt: null });
    expect(short).toMatchObject({ redactedValue: '••••', createdBy: 'user:u1' });
    const listed = await list(organizationId);
    expect(listed).toEqual([short, long]);
    const { rows } = await world.db.query(
      'select s, v from secrets s join secret_versions v on v.secret_id = s.id',
    );
    expect(JSON.stringify(rows)).not.toMatch(/abcdefg/);
  });

  it('travels sealed to this service: a listener on the broker cannot read it', async () => {
    newOrganization();
    const heard: string[] = [];
    const listener = world.nats.subscribe('>', {
      callback: (_, message) => heard.push(Buffer.from(message.data).toString('latin1')),
    });
    const { id } = await create(organizationId, 'HEARD', 'planted-on-the-wire');
    await rotate(id, 'planted-on-the-wire-too');
    await sealed({ ids: [id] });
    listener.unsubscribe();
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join('\n')).not.toContain('planted');
  });

  it('has a name that no other secret of its organization has', async () => {
    newOrganization();
    const racing = await Promise.allSettled([create(organizationId, 'ONE'), create(organizationId, 'ONE')]);
    expect(racing.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create(organizationId, 'ONE')).rejects.toEqual(code('NAME_TAKEN'));
    expect(await create(randomUUID(), 'ONE')).toMatchObject({ name: 'ONE' });
  });

  it.each([
    ['a name in small letters', { name: 'lower', value: 'v' }],
    ['a name with other characters', { name: 'ÜBER', value: 'v' }],
    ['an empty value', { name: 'EMPTY', value: '' }],
    ['a value of 8,193 characters', { name: 'LARGE', value: 'planted'.padEnd(8_193, 'x') }],
  ])('is refused with %s, and the refusal does not repeat the value', async (_, body) => {
    newOrganization();
    const refused = world
      .ask(contract.secretsCreate, { body }, ownerOf(organizationId))
      .catch((error) => error);
    expect(await refused).toEqual(code('VALIDATION_ERROR'));
    expect(JSON.stringify((await refused).details)).not.toContain('planted');
  });

  it('is made once, and rotated once, by a command that comes twice', async () => {
    newOrganization();
    const [making, rotating] = [randomUUID(), randomUUID()];
    const body = { name: 'ONCE', value: 'first' };
    const made = await world.ask(contract.secretsCreate, { body }, ownerOf(organizationId), making);
    expect(await world.ask(contract.secretsCreate, { body }, ownerOf(organizationId), making)).toEqual(made);
    expect(await rotate(made.id, 'second', 0, rotating)).toMatchObject({ version: 2 });
    expect(await rotate(made.id, 'second', 0, rotating)).toMatchObject({ version: 2 });
  });

  it('keeps its previous value for as long as a rotation asks, and no longer', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'KEY', 'first');
    await rotate(id, 'second', 3_600);
    expect(await openedVersions(id)).toEqual(['second', 'first']);
    await rotate(id, 'third', 3_600);
    expect(await openedVersions(id)).toEqual(['third', 'second']);
    await world.db.query(
      `update secret_versions set good_until = now() where secret_id = $1 and version = 2`,
      [id],
    );
    expect(await openedVersions(id)).toEqual(['third']);
    await rotate(id, 'fourth');
    expect(await openedVersions(id)).toEqual(['fourth']);
    const { rowCount } = await world.db.query('select 1 from secret_versions where secret_id = $1', [id]);
    expect(rowCount).toBe(1);
  });

  it('signs webhooks with its previous value too, while that value is valid and no longer', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'SIGNING', 'first');
    const { rpc, keyring } = world;
    const derived = { signing: async () => ['derived'] };
    const secrets = new OrganizationSecrets({ rpc, keyring, derived, callerFor: ownerOf });
    await rotate(id, 'second', 3_600);
    expect(await secrets.signing(organizationId, id)).toEqual(['second', 'first']);
    await world.db.query(
      'update secret_versions set good_until = now() where secret_id = $1 and version = 1',
      [id],
    );
    expect(await secrets.signing(organizationId, id)).toEqual(['second']);
    await expect(secrets.signing(randomUUID(), id)).rejects.toEqual(code('SECRET_NOT_FOUND'));
    expect(await secrets.signing(organizationId, undefined)).toEqual(['derived']);
  });

  it('opens only for its own organization, id and version', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'BOUND', 'planted');
    const [secret] = await sealed({ names: ['BOUND'] });
    const place = { organizationId, secretId: id, version: 1 };
    for (const other of [{ organizationId: 'o' }, { secretId: randomUUID() }, { version: 2 }])
      expect(() => world.keyring.open(secret?.sealed ?? '', secretBinding({ ...place, ...other }))).toThrow(
        CannotOpen,
      );
    const foreign = randomUUID();
    expect(await sealed({ ids: [id], names: ['BOUND'] }, foreign)).toEqual([]);
    await expect(world.values.open(foreign, { url, ids: [id], names: [] })).rejects.toEqual(
      code('SECRET_NOT_FOUND'),
    );
    await expect(remove(foreign, id)).rejects.toEqual(code('SECRET_NOT_FOUND'));
  });

  it('shows when it was used last', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'USED', 'value of USED', [origin]);
    const opened = await world.values.open(organizationId, { url, ids: [id], names: ['USED'] });
    expect([opened.byId(id), opened.byName('USED')]).toEqual(['value of USED', 'value of USED']);
    expect(() => opened.byName('OTHER')).toThrow(code('SECRET_NOT_FOUND'));
    const [{ lastUsedAt } = { lastUsedAt: null }] = await list(organizationId);
    expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await sealed({ ids: [id] });
    expect(await list(organizationId)).toMatchObject([{ lastUsedAt }]);
  });
});

describe('a mention of a secret', () => {
  it('is refused and not noted if the secret is unknown or of another organization', async () => {
    newOrganization();
    const foreign = await create(randomUUID(), 'FOREIGN');
    const own = await create(organizationId, 'OWN');
    for (const unknown of [{ ids: [foreign.id] }, { names: ['FOREIGN'] }, { names: ['OWN', 'NEVER'] }])
      await expect(refer(randomUUID(), unknown)).rejects.toEqual(code('SECRET_NOT_FOUND'));
    expect(await remove(organizationId, own.id)).toBeUndefined();
  });

  it('keeps the secret from being deleted, and names the agent, until the agent drops it', async () => {
    newOrganization();
    const { id, name } = await create(organizationId, 'HELD');
    const agentId = randomUUID();
    const user = { id: agentId, type: 'agent', name: 'Front desk' };
    await refer(agentId, { names: [name] });
    world.mentions.set(agentId, { ids: [], names: [name], name: 'Front desk' });
    expect(await list(organizationId)).toMatchObject([{ usedBy: [user] }]);
    await expect(remove(organizationId, id)).rejects.toEqual(
      code('SECRET_IN_USE', { details: { dependents: [user] } }),
    );
    world.mentions.set(agentId, { ids: [], names: [name], name: 'Reception' });
    await world.announce(events.agentUpdated, organizationId, { agentId, name: 'Reception', isActive: true });
    await eventually(async () =>
      expect(await list(organizationId)).toMatchObject([{ usedBy: [{ ...user, name: 'Reception' }] }]),
    );
    world.mentions.set(agentId, { ids: [], names: [], name: 'Reception' });
    await world.announce(events.agentConfigured, organizationId, {
      agentId,
      name: 'Reception',
      configVersion: 2,
    });
    await eventually(async () => expect(await list(organizationId)).toMatchObject([{ usedBy: [] }]));
    expect(await remove(organizationId, id)).toBeUndefined();
  });

  it.each([
    [
      'an MCP connection',
      'mcp_connection',
      () => world.connections,
      (id: string) => world.announce(events.mcpConnectionSaved, organizationId, { mcpConnectionId: id }),
    ],
    [
      'a widget',
      'widget',
      () => world.widgets,
      (id: string) => world.announce(events.widgetSaved, organizationId, { widgetId: id }),
    ],
  ] as const)('of %s keeps the secret, until it is dropped', async (_, type, known, tellSaved) => {
    const { id } = await create(organizationId, `OF_${type.toUpperCase()}`);
    const user = { id: randomUUID(), type, name: 'Shop' };
    known().set(user.id, { ids: [id], names: [], name: 'Shop' });
    await world.ask(
      serviceRequests.secretsRefer,
      { body: { user, ids: [id], names: [] } },
      ownerOf(organizationId),
    );
    await expect(remove(organizationId, id)).rejects.toEqual(
      code('SECRET_IN_USE', { details: { dependents: [user] } }),
    );
    known().delete(user.id);
    await tellSaved(user.id);
    await eventually(async () => expect((await list(organizationId)).at(-1)).toMatchObject({ usedBy: [] }));
    expect(await remove(organizationId, id)).toBeUndefined();
  });

  it('of an agent that was never saved does not block a deletion', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'ORPHAN');
    await refer(randomUUID(), { ids: [id] });
    expect(await remove(organizationId, id)).toBeUndefined();
  });

  it('keeps the secret while no service reports, also one that was dropped', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'SILENT');
    await refer(randomUUID(), { ids: [id] });
    world.isReporting = false;
    await expect(remove(organizationId, id)).rejects.toMatchObject({ code: 'SECRET_IN_USE' });
    world.isReporting = true;
    await eventually(async () => expect(await remove(organizationId, id)).toBeUndefined());
  });

  it('that was noted after the request for a report outlives the report, and is checked again', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'OVERTAKEN');
    const [agentId, noted] = [randomUUID(), await world.db.transaction(nextNoted)];
    await refer(agentId, { ids: [id] });
    const user = { id: agentId, type: 'agent', name: '' } as const;
    const report = { user, ids: [], names: [], uses: [], noted };
    await world.db.transaction((tx) => noteReport(tx, { organizationId, data: report }));
    expect(await list(organizationId)).toMatchObject([{ usedBy: [{ id: agentId }] }]);
    const { rowCount } = await world.db.query('select 1 from secret_reference_checks where user_id = $1', [
      agentId,
    ]);
    expect(rowCount).toBe(1);
  });

  it('and a deletion at the same moment: exactly one of them wins', async () => {
    newOrganization();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await create(organizationId, `RACED_${round}`);
      const agentId = randomUUID();
      world.mentions.set(agentId, { ids: [id], names: [], name: 'Front desk' });
      const raced = await Promise.allSettled([refer(agentId, { ids: [id] }), remove(organizationId, id)]);
      expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('of a resource in the same database is replaced in the transaction that saves it', async () => {
    newOrganization();
    const [a, b] = [await create(organizationId, 'A'), await create(organizationId, 'B')];
    const user = { id: randomUUID(), type: 'tool', name: 'weather' } as const;
    const replace = (ids: string[], names: string[]) =>
      world.db.transaction((tx) => replaceReferences(tx, organizationId, user, { ids, names }));
    await replace([a.id], ['B']);
    await expect(replace([a.id], ['NEVER'])).rejects.toEqual(code('SECRET_NOT_FOUND'));
    expect(await list(organizationId)).toMatchObject([{ usedBy: [user] }, { usedBy: [user] }]);
    await replace([], ['B']);
    expect(await remove(organizationId, a.id)).toBeUndefined();
    await expect(remove(organizationId, b.id)).rejects.toEqual(code('SECRET_IN_USE'));
    await replace([], []);
    expect(await remove(organizationId, b.id)).toBeUndefined();
  });
});

describe('an origin', () => {
  const originsOf = async (secretId: string) =>
    (await list(organizationId)).find(({ id }) => id === secretId)?.allowedOrigins;
  const uses = (name: string, at = origin) => ({
    names: [name],
    uses: [{ origin: at, ids: [], names: [name] }],
  });

  it('is allowed by the first save of somebody who may, and refused to anybody else', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'KEY');
    const refused = code('SECRET_ORIGIN_NOT_ALLOWED', { details: { origin, secrets: ['KEY'] } });
    await expect(refer(randomUUID(), uses('KEY'))).rejects.toEqual(refused);
    expect(await originsOf(id)).toEqual([]);
    await refer(randomUUID(), { ...uses('KEY'), mayAllow: true });
    expect(await originsOf(id)).toEqual([origin]);
    await refer(randomUUID(), uses('KEY'));
    await expect(refer(randomUUID(), uses('KEY', `${origin}:8443`))).rejects.toMatchObject(
      code('SECRET_ORIGIN_NOT_ALLOWED'),
    );
  });

  it('that is not named does not open the secret, in this process or in another', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'KEY', 'planted', ['https://API.example.com.:443']);
    expect(await originsOf(id)).toEqual([origin]);
    const elsewhere = new OrganizationSecrets({
      rpc: world.rpc,
      keyring: world.keyring,
      callerFor: ownerOf,
    });
    for (const opener of [world.values, elsewhere]) {
      const at = (address: string) =>
        opener.open(organizationId, { url: address, ids: [id], names: ['KEY'] });
      expect((await at(url)).byName('KEY')).toBe('planted');
      for (const other of [
        'https://api.example.com:8443/',
        'http://api.example.com/',
        'https://api.example.com.evil.example/',
        'https://evil.example/https://api.example.com/',
        'no address',
      ])
        await expect(at(other)).rejects.toMatchObject(code('SECRET_ORIGIN_NOT_ALLOWED'));
    }
  });

  it('is taken away by an update, from the next request on', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'KEY', 'planted', [origin]);
    const update = (allowedOrigins: string[]) =>
      world.ask(
        contract.secretsUpdate,
        { params: { secretId: id }, body: { allowedOrigins } },
        ownerOf(organizationId),
      );
    expect((await update(['https://bücher.example'])).allowedOrigins).toEqual([
      'https://xn--bcher-kva.example',
    ]);
    await expect(world.values.open(organizationId, { url, ids: [id], names: [] })).rejects.toMatchObject(
      code('SECRET_ORIGIN_NOT_ALLOWED'),
    );
    await expect(update(['https://*.example.com'])).rejects.toEqual(code('VALIDATION_ERROR'));
  });

  it('of a secret of an earlier release is that of everything that names it', async () => {
    newOrganization();
    const org = toolsOf(world, organizationId);
    const { id } = await create(organizationId, 'OLD');
    const tool = await org.create('uses_old', '/old', { request: { headers: { a: '{{secrets.OLD}}' } } });
    const agentId = randomUUID();
    world.mentions.set(agentId, { ids: [], names: ['OLD'], name: 'Front desk' });
    await refer(agentId, { names: ['OLD'] });
    await world.db.query('update secrets set allowed_origins = null where id = $1', [id]);
    const collect = () => collectOrigins({ db: world.db }, new AbortController().signal);

    // An agents-config of the release before reports nothing.
    world.isReporting = false;
    await collect();
    const { rows } = await world.db.query('select allowed_origins from secrets where id = $1', [id]);
    expect(rows).toEqual([{ allowed_origins: null }]);
    // The secret goes where it went, and nobody without the right sends it anywhere new.
    expect((await org.test(tool.id)).error).toBeNull();
    await expect(refer(randomUUID(), uses('OLD'))).rejects.toMatchObject(code('SECRET_ORIGIN_NOT_ALLOWED'));

    const used = { origin, ids: [], names: ['OLD'] };
    world.mentions.set(agentId, { ids: [], names: ['OLD'], uses: [used], name: 'Front desk' });
    world.isReporting = true;
    const ofSystem = new URL(world.system.url('/')).origin;
    await eventually(async () => {
      await collect();
      expect(await originsOf(id)).toEqual([ofSystem, origin]);
    });
  });
});

describe('a removed organization', () => {
  it('loses its secrets, and gets no new ones', async () => {
    newOrganization();
    const { id } = await create(organizationId, 'GONE');
    await refer(randomUUID(), { ids: [id] });
    await tellRemoval(world.nats, organizationId);
    await eventually(async () => expect(await list(organizationId)).toEqual([]));
    await expect(create(organizationId, 'LATE')).rejects.toEqual(code('CONFLICT'));
  });
});
