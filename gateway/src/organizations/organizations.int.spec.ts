// Until it is removed, an organization has an owner, even when any member leaves.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Callable,
  contract,
  type EventEnvelope,
  eventSubject,
  events,
  serviceRequests,
} from '@parlance/contracts';
import { eventually, gate, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, sampleAgent, TestGateway } from '../testing/test-gateway.js';

const secrets = {
  AUTH_SECRET: randomBytes(32).toString('base64'),
};
const unused = { numbers: 0, campaigns: 0, outboundCalls: 0, openCalls: 0 };

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
/** Another one, on the same database. */
let second: TestGateway;
let db: Database;
const told: EventEnvelope[] = [];

/** The counts that the services answer for every organization. */
let left = unused;
/** Answers nothing. */
let silent: Callable | undefined;
/** An answer to a closure waits for this promise. */
let held: Promise<void> = Promise.resolve();
/** Ids of removals: services were closed for the ones, and opened again for the others. */
const closed: string[] = [];
const reopened: string[] = [];

const play = async (): Promise<void> => {
  const { nats } = fixture;
  const answering = (row: Callable, seen: string[], data: () => unknown) =>
    serveOperation(nats, row, async ({ input }) => {
      const { removalId } = serviceRequests.numbersCloseOrganization.body.parse(input.body);
      seen.push(removalId);
      if (row === silent) return undefined;
      await held;
      return { data: data() };
    });
  await answering(serviceRequests.numbersCloseOrganization, closed, () => ({ numbers: left.numbers }));
  await answering(serviceRequests.outboundCallsCloseOrganization, closed, () => ({
    campaigns: left.campaigns,
    outboundCalls: left.outboundCalls,
  }));
  const isReopened = () => ({ reopened: true });
  await answering(serviceRequests.numbersReopenOrganization, reopened, isReopened);
  await answering(serviceRequests.outboundCallsReopenOrganization, reopened, isReopened);
  await serveOperation(nats, serviceRequests.callsOpenCount, () => ({ data: { open: left.openCalls } }));
  await serveOperation(nats, contract.agentsList, () => ({ data: [sampleAgent] }));
  nats.subscribe(eventSubject(events.organizationDeleted), {
    callback: (_, message) => told.push(message.json<EventEnvelope>()),
  });
  await nats.flush();
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const variables = { ...secrets, RPC_TIMEOUT_MS: '1000' };
  fixture = await startFixture(engines, variables);
  ({ gateway } = fixture);
  const { postgresUrl } = fixture;
  second = await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl, variables });
  db = createDatabase({ url: postgresUrl, applicationName: 'test', max: 2 });
  await play();
});
afterEach(() => {
  left = unused;
  silent = undefined;
  held = Promise.resolve();
  closed.splice(0);
  reopened.splice(0);
});
afterAll(async () => {
  await db?.end();
  await second?.stop();
  await fixture?.stop();
});

/** An event of an earlier test may still be on its way. */
const toldOf = (organizationId: string) => told.filter((event) => event.organizationId === organizationId);
const said = ({ status, body }: Reply): unknown => [status, body?.error?.code];
const post = (person: Person, path: string, body: object): Promise<Reply> =>
  gateway.send(`/auth${path}`, { method: 'POST', headers: person.session, body });
const remove = (person: Person, organizationId = person.organizationId): Promise<Reply> =>
  post(person, '/organization/delete', { organizationId });
const agents = (headers: Readonly<Record<string, string>>, at = gateway): Promise<Reply> =>
  at.send('/agents', { headers });
const works = async (person: Person): Promise<void> => {
  expect((await agents(person.session)).status).toBe(200);
};

/** Gives a person this role in the owner's organization, and makes it their active one. */
const join = async (owner: Person, person: Person, role: string): Promise<void> => {
  const { organizationId } = owner;
  const { body } = await post(owner, '/organization/invite-member', { email: person.email, role });
  expect((await post(person, '/organization/accept-invitation', { invitationId: body.id })).status).toBe(200);
  expect((await post(person, '/organization/set-active', { organizationId })).status).toBe(200);
};
/** A new member of the owner's organization. */
const colleague = async (owner: Person, role: string): Promise<Person> => {
  const invited = await gateway.signUp();
  await join(owner, invited, role);
  return { ...invited, organizationId: owner.organizationId };
};

describe('an organization that nothing is left of', () => {
  it('is removed by its owner, told to every service once, and its keys and sessions end on every gateway', async () => {
    const owner = await gateway.signUp();
    const other = await colleague(owner, 'admin');
    const { key } = await gateway.createKey(owner);
    const apiKey = { 'x-api-key': key };
    for (const at of [gateway, second]) {
      expect((await agents(apiKey, at)).status).toBe(200);
      expect((await agents(other.session, at)).status).toBe(200);
    }
    const reply = await remove(owner);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ id: owner.organizationId })]);
    for (const at of [gateway, second]) {
      await eventually(async () => expect(said(await agents(apiKey, at))).toEqual([401, 'UNAUTHENTICATED']), {
        timeoutMs: 60_000,
      });
      for (const { session } of [owner, other])
        await eventually(
          async () => expect(said(await agents(session, at))).toEqual([403, 'NO_ACTIVE_ORGANIZATION']),
          { timeoutMs: 60_000 },
        );
    }
    await eventually(() => expect(toldOf(owner.organizationId)).toHaveLength(1));
    expect(toldOf(owner.organizationId)[0]).toMatchObject({
      organizationId: owner.organizationId,
      data: { removalId: closed[0], deletedBy: owner.userId },
    });
    expect(reopened).toEqual([]);
    const { rows } = await db.query<{ rows: number }>(
      `select ((select count(*) from organization where id = $1) + (select count(*) from member where "organizationId" = $1)
        + (select count(*) from invitation where "organizationId" = $1) + (select count(*) from organization_removals)
        + (select count(*) from apikey where "referenceId" = $1)
        + (select count(*) from session where "activeOrganizationId" = $1))::int as rows`,
      [owner.organizationId],
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });

  it('is erased when every service has nothing left of it, and its owner can read that', async () => {
    const owner = await gateway.signUp();
    const rows = Object.values(serviceRequests).filter(({ id }) => id.endsWith('.organizationCleared'));
    const cleared = new Set<string>();
    const served = await Promise.all(
      rows.map((row) =>
        serveOperation(fixture.nats, row, () => ({ data: { cleared: cleared.has(row.service) } })),
      ),
    );
    try {
      const { removalId } = (await remove(owner)).body;
      const state = (person = owner) =>
        gateway.send(`/auth/organization/removal?id=${removalId}`, { headers: person.session });
      const services = rows.map(({ service }) => service).sort();
      expect(services).toHaveLength(8);
      await eventually(async () =>
        expect((await state()).body).toMatchObject({ status: 'running', waitingFor: services }),
      );
      expect(said(await state(await gateway.signUp()))).toEqual([404, 'NOT_FOUND']);
      const [last = '', ...others] = services;
      for (const service of others) cleared.add(service);
      await eventually(async () =>
        expect((await state()).body).toMatchObject({ status: 'running', waitingFor: [last] }),
      );
      cleared.add(last);
      await eventually(async () =>
        expect((await state()).body).toMatchObject({ status: 'finished', waitingFor: [] }),
      );
    } finally {
      for (const { stop } of served) stop();
    }
  });

  it('does not come back at the next sign-in: its owner gets a new one, a member the one that is left', async () => {
    const owner = await gateway.signUp();
    const member = await gateway.signUp();
    const own = member.organizationId;
    const { body } = await post(owner, '/organization/invite-member', {
      email: member.email,
      role: 'member',
    });
    await post(member, '/organization/accept-invitation', { invitationId: body.id });
    expect((await remove(owner)).status).toBe(200);
    expect((await gateway.signIn(member)).organizationId).toBe(own);
    const { session, organizationId: active } = await gateway.signIn(owner);
    expect([typeof active, active === owner.organizationId]).toEqual(['string', false]);
    expect((await agents(session)).status).toBe(200);
    // The session of before stays without one until its person chooses.
    expect(said(await agents(owner.session))).toEqual([403, 'NO_ACTIVE_ORGANIZATION']);
    const chosen = await post(owner, '/organization/set-active', { organizationId: active });
    expect(chosen.status).toBe(200);
    await works(owner);
  });

  it('takes its invitations along', async () => {
    const [owner, invited] = [await gateway.signUp(), await gateway.signUp()];
    const { body } = await post(owner, '/organization/invite-member', {
      email: invited.email,
      role: 'admin',
    });
    expect((await remove(owner)).status).toBe(200);
    const accepted = await post(invited, '/organization/accept-invitation', { invitationId: body.id });
    expect(said(accepted)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('an organization that is in use, or may be', () => {
  it.each([{ numbers: 2 }, { campaigns: 1 }, { outboundCalls: 3 }, { openCalls: 1 }])(
    'is not removed, is told what is left, and goes on at once: %j',
    async (use) => {
      const owner = await gateway.signUp();
      left = { ...unused, ...use };
      const reply = await remove(owner);
      expect([reply.status, reply.body.error]).toMatchObject([
        409,
        { code: 'ORGANIZATION_IN_USE', details: left },
      ]);
      // The services were opened again, under the id that they were closed with.
      expect(new Set(reopened)).toEqual(new Set(closed));
      expect(reopened).toHaveLength(2);
      await works(owner);
      left = unused;
      expect((await remove(owner)).status).toBe(200);
    },
  );

  it.each([serviceRequests.numbersCloseOrganization, serviceRequests.outboundCallsCloseOrganization])(
    'is not removed while $id is not answered',
    async (row) => {
      const owner = await gateway.signUp();
      silent = row;
      expect(said(await remove(owner))).toEqual([503, 'SERVICE_UNAVAILABLE']);
      await works(owner);
      // A service without an answer may have closed itself all the same.
      await eventually(() => expect(new Set(reopened)).toEqual(new Set(closed)));
      expect(reopened).toHaveLength(2);
      expect(toldOf(owner.organizationId)).toEqual([]);
    },
  );
});

describe('a removal', () => {
  it('is for owners who are signed in, of the active organization, by its id', async () => {
    const owner = await gateway.signUp();
    const stranger = await gateway.signUp();
    const admin = await colleague(owner, 'admin');
    const member = await colleague(owner, 'member');
    expect(said(await remove(admin))).toEqual([403, 'PERMISSION_DENIED']);
    expect(said(await remove(member))).toEqual([403, 'OWNER_SESSION_REQUIRED']);
    expect(said(await remove(stranger, owner.organizationId))).toEqual([404, 'NOT_FOUND']);
    expect(said(await remove(owner, randomUUID()))).toEqual([404, 'NOT_FOUND']);
    for (const body of [
      {},
      { organizationId: null },
      { organizationId: 'x' },
      { organizationId: owner.organizationId, force: true },
    ])
      expect(said(await post(owner, '/organization/delete', body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(closed).toEqual([]);
    await works(owner);
  });

  it('that is asked for ten times at once happens once', async () => {
    const owner = await gateway.signUp();
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(owner)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200).map(said);
    // Depending on when it came: under way, or done.
    for (const other of others)
      expect([
        [409, 'CONFLICT'],
        [403, 'NO_ACTIVE_ORGANIZATION'],
        [404, 'NOT_FOUND'],
      ]).toContainEqual(other);
    await eventually(() => expect(toldOf(owner.organizationId)).toHaveLength(1));
  });

  it('that its gateway left behind is taken back by another, and the organization goes on', async () => {
    const owner = await gateway.signUp();
    const removalId = randomUUID();
    await db.query(
      `insert into organization_removals (id, organization_id, deleted_by, state, lease_until)
       values ($1, $2, $3, 'closing', now() - interval '1 second')`,
      [removalId, owner.organizationId, owner.userId],
    );
    await eventually(() => expect(reopened).toEqual([removalId, removalId]), { timeoutMs: 60_000 });
    await eventually(async () =>
      expect((await db.query('select 1 from organization_removals')).rowCount).toBe(0),
    );
    await works(owner);
    expect((await remove(owner)).status).toBe(200);
  });

  it('that was taken back while it waited for an answer deletes nothing', async () => {
    const owner = await gateway.signUp();
    const answer = gate();
    held = answer.opened;
    const removing = remove(owner);
    await eventually(() => expect(closed).toHaveLength(2));
    // Plays another gateway after the end of the lease.
    await db.query(`update organization_removals set state = 'reopening' where organization_id = $1`, [
      owner.organizationId,
    ]);
    answer.open();
    expect(said(await removing)).toEqual([409, 'CONFLICT']);
    await works(owner);
    expect(toldOf(owner.organizationId)).toEqual([]);
  });
});

describe('an owner', () => {
  const membersOf = async (organizationId: string): Promise<{ role: string; userId: string; id: string }[]> =>
    (
      await db.query<{ role: string; userId: string; id: string }>(
        'select id, role, "userId" from member where "organizationId" = $1',
        [organizationId],
      )
    ).rows;
  const membershipOf = async ({ organizationId, userId }: Person): Promise<string> =>
    (await membersOf(organizationId)).find((member) => member.userId === userId)?.id ?? '';
  const ownersOf = async (organizationId: string): Promise<number> =>
    (await membersOf(organizationId)).filter(({ role }) => role === 'owner').length;
  const leave = (person: Person, { organizationId }: Person) =>
    post(person, '/organization/leave', { organizationId });
  const dismiss = (by: Person, memberIdOrEmail: string) =>
    post(by, '/organization/remove-member', { memberIdOrEmail });
  const giveRole = (by: Person, memberId: string, role: string) =>
    post(by, '/organization/update-member-role', { memberId, role });
  let couple: Promise<[Person, Person]> | undefined;
  /** The same two people, as owners of a new organization that is active for both. */
  const twoOwners = async (): Promise<[Person, Person]> => {
    couple ??= Promise.all([gateway.signUp(), gateway.signUp()]);
    const [first, other] = await couple;
    const made = await post(first, '/organization/create', { name: 'Ours', slug: `s-${randomUUID()}` });
    expect(made.status).toBe(200);
    const organizationId: string = made.body.id;
    const [founder, joined] = [
      { ...first, organizationId },
      { ...other, organizationId },
    ];
    await join(founder, other, 'admin');
    const given = await giveRole(founder, await membershipOf(joined), 'owner');
    expect([given.status, given.body.role]).toEqual([200, 'owner']);
    return [founder, joined];
  };

  it('cannot leave, be removed or take another role as the last owner', async () => {
    const owner = await gateway.signUp();
    const admin = await colleague(owner, 'admin');
    expect(said(await leave(owner, owner))).toEqual([409, 'CONFLICT']);
    expect(said(await dismiss(owner, owner.email))).toEqual([409, 'CONFLICT']);
    const id = await membershipOf(owner);
    expect(said(await dismiss(owner, id))).toEqual([409, 'CONFLICT']);
    expect(said(await giveRole(owner, id, 'admin'))).toEqual([409, 'CONFLICT']);
    for (const named of [id, owner.email, owner.email.toUpperCase()])
      expect(said(await dismiss(admin, named))).toEqual([403, 'PERMISSION_DENIED']);
    for (const role of ['admin', 'viewer'])
      expect(said(await giveRole(admin, id, role))).toEqual([403, 'PERMISSION_DENIED']);
    expect(await ownersOf(owner.organizationId)).toBe(1);
    await works(owner);
  });

  it('can leave or be removed by the other of two, and then the other is the last', async () => {
    const [first, other] = await twoOwners();
    expect((await leave(first, first)).status).toBe(200);
    expect(said(await leave(other, other))).toEqual([409, 'CONFLICT']);
    const [third, fourth] = await twoOwners();
    expect((await dismiss(third, await membershipOf(fourth))).status).toBe(200);
    expect(said(await leave(third, third))).toEqual([409, 'CONFLICT']);
  });

  const meetings: Readonly<Record<string, (a: Person, b: Person) => Promise<Promise<Reply>[]>>> = {
    'leave at the same moment': async (a, b) => [leave(a, a), leave(b, b)],
    'remove each other at the same moment': async (a, b) => [dismiss(a, b.email), dismiss(b, a.email)],
    'demote each other at the same moment': async (a, b) => {
      const [ofA, ofB] = [await membershipOf(a), await membershipOf(b)];
      return [giveRole(a, ofB, 'viewer'), giveRole(b, ofA, 'viewer')];
    },
    'leave and take another role at the same moment': async (a, b) => {
      const ofB = await membershipOf(b);
      return [leave(a, a), giveRole(b, ofB, 'member')];
    },
  };
  it.each(Object.keys(meetings))('of two owners who %s exactly one stays', async (meeting) => {
    for (let round = 0; round < 3; round += 1) {
      const [a, b] = await twoOwners();
      const asked = await (meetings[meeting]?.(a, b) ?? []);
      const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([403, 404, 409]).toContain(statuses[1]);
      expect(await ownersOf(a.organizationId)).toBe(1);
    }
  });

  it('who removes a member takes the organization from every session of theirs, on all gateways at once', async () => {
    const owner = await gateway.signUp();
    const member = await colleague(owner, 'admin');
    const { session: elsewhere } = await gateway.signIn(member);
    const chosen = { organizationId: owner.organizationId };
    const set = { method: 'POST', headers: elsewhere, body: chosen };
    expect((await gateway.send('/auth/organization/set-active', set)).status).toBe(200);
    for (const at of [gateway, second])
      for (const session of [member.session, elsewhere]) expect((await agents(session, at)).status).toBe(200);
    expect((await dismiss(owner, member.email)).status).toBe(200);
    for (const session of [member.session, elsewhere]) {
      expect(said(await agents(session))).toEqual([403, 'NO_ACTIVE_ORGANIZATION']);
      await eventually(
        async () => expect(said(await agents(session, second))).toEqual([403, 'NO_ACTIVE_ORGANIZATION']),
        { timeoutMs: 60_000 },
      );
    }
    expect(said(await post(member, '/organization/set-active', chosen))).toEqual([404, 'NOT_FOUND']);
    await works(owner);
  });
});
