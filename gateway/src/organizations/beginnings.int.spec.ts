// Creation, initial limits and storage of organizations, at real gateways on a real database.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Callable, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { callerEnvOf, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { systemIds } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats, RequestSigner, RequestVerifier, RpcClient } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { type Person, TestGateway } from '../testing/test-gateway.js';
import { beginLimitsOver, type NewLimits } from './beginnings.js';

let engines: TestEngines;
/** The limits with which organizations began, by id. */
const begun = new Map<string, NewLimits>();
let isDialerAway = false;
const databases: Database[] = [];
let nats: NatsConnection;

const gatewayWith = async (
  setting: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestGateway> => {
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  databases.push(createDatabase({ url: postgresUrl, applicationName: 'test', max: 1 }));
  return TestGateway.start({
    postgresUrl,
    natsUrl: engines.natsUrl,
    variables: { ORGANIZATIONS: setting, ...variables },
    beginLimits: async (organizationId, limits) => {
      if (isDialerAway) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
      begun.set(organizationId, limits);
    },
  });
};

let anybody: TestGateway;
let operator: TestGateway;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  anybody = await gatewayWith('anybody');
  // The account of the operator.
  await anybody.signUp();
  operator = await gatewayWith('operator');
});
afterAll(async () => {
  await anybody?.stop();
  await operator?.stop();
  for (const db of databases) await db.end();
  await nats?.close();
  await engines?.stop();
});

const make = (gateway: TestGateway, { session }: Person) =>
  gateway.send('/auth/organization/create', {
    method: 'POST',
    headers: session,
    body: { name: 'Next', slug: `s-${randomUUID()}`, keepCurrentActiveOrganization: true },
  });

/** Somebody who came through an invitation and was removed again. */
const withoutOrganization = async (): Promise<Person> => {
  const person = await anybody.signUp();
  for (const statement of [
    'delete from member where "organizationId" = $1',
    'delete from organization_owners where organization_id = $1',
  ])
    await databases[0]?.query(statement, [person.organizationId]);
  return person;
};

describe('an organization', () => {
  it('has the limits of all when it is the first of its person, and begins without money when it is not', async () => {
    const person = await anybody.signUp();
    expect(begun.has(person.organizationId)).toBe(false);
    const { status, body } = await make(anybody, person);
    expect(status).toBe(200);
    expect(begun.get(body.id)).toEqual({ isFunded: false, earlierIds: [person.organizationId] });
  });

  it('is not made while its limits cannot be set', async () => {
    const person = await anybody.signUp();
    isDialerAway = true;
    try {
      expect((await make(anybody, person)).status).toBe(503);
    } finally {
      isDialerAway = false;
    }
    const list = await anybody.send('/auth/organization/list', { headers: person.session });
    expect(list.body).toHaveLength(1);
  });

  it('is made by the first account of the installation alone where the operator makes them', async () => {
    const first = await operator.signUp();
    const other = await operator.signUp();
    expect(begun.get(other.organizationId)).toEqual({ isFunded: false, earlierIds: [] });
    const refused = await make(operator, other);
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'PERMISSION_DENIED']);
    const made = await make(operator, first);
    expect(made.status).toBe(200);
    expect(begun.get(made.body.id)).toMatchObject({ isFunded: true });
  });

  it('begins without money and with the earlier limits when its person has given the earlier one away', async () => {
    const [person, friend] = [await anybody.signUp(), await anybody.signUp()];
    const post = ({ session }: Person, path: string, body: object) =>
      anybody.send(`/auth/organization${path}`, { method: 'POST', headers: session, body });
    const invited = await post(person, '/invite-member', { email: friend.email, role: 'owner' });
    expect((await post(friend, '/accept-invitation', { invitationId: invited.body.id })).status).toBe(200);
    const { organizationId } = person;
    expect((await post(person, '/leave', { organizationId })).status).toBe(200);
    const made = await make(anybody, person);
    expect(begun.get(made.body.id)).toEqual({ isFunded: false, earlierIds: [organizationId] });
  });

  it('has money only as one of all that a person makes at the same moment', async () => {
    const person = await withoutOrganization();
    const made = await Promise.all(Array.from({ length: 4 }, () => make(anybody, person)));
    const ids = made.map(({ body }) => String(body.id));
    expect(new Set(ids).size).toBe(4);
    expect(ids.filter((id) => !begun.has(id))).toHaveLength(1);
  });

  it('that was not made leaves its person the limits of all', async () => {
    const person = await withoutOrganization();
    const refused = await anybody.send('/auth/organization/create', {
      method: 'POST',
      headers: person.session,
      body: { name: 'Next', slug: `o-${person.organizationId}`, keepCurrentActiveOrganization: true },
    });
    expect(refused.status).toBe(409);
    const made = await make(anybody, person);
    expect([made.status, begun.has(made.body.id)]).toEqual([200, false]);
  });
});

describe('what an organization stores', () => {
  const use = (used: number) => ({ used, limit: 100 });
  const asked: { readonly id: string; readonly organizationId: string; readonly body: unknown }[] = [];
  const serve = (row: Callable, data: unknown) =>
    serveOperation(nats, row, async ({ input, message }) => {
      const verifier = new RequestVerifier(row.service, callerEnvOf(row.service));
      const { caller } = await verifier.verify(message);
      asked.push({ id: row.id, organizationId: caller.organizationId, body: input.body });
      return { data };
    });

  it('is shown to owners and admins of all services together, and to nobody else', async () => {
    await serve(serviceRequests.knowledgeStorage, { bytes: use(1), chunks: use(2) });
    await serve(serviceRequests.outboundCallsStorage, use(3));
    await serve(serviceRequests.callsStorage, use(4));
    await nats.flush();
    const owner = await anybody.signUp();
    const { status, body } = await anybody.send('/storage', { headers: owner.session });
    expect([status, body.data]).toEqual([
      200,
      {
        knowledgeBytes: use(1),
        knowledgeChunks: use(2),
        campaignFileBytes: use(3),
        recordingBytes: use(4),
      },
    ]);
    expect(asked.map(({ organizationId }) => organizationId)).toEqual(Array(3).fill(owner.organizationId));
    await databases[0]?.query(`update member set role = 'member' where "userId" = $1`, [owner.userId]);
    const refused = await anybody.send('/storage', { headers: (await anybody.signIn(owner)).session });
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });

  it('is bounded from the start as for the earlier organizations of its owner, in all services', async () => {
    for (const row of [
      serviceRequests.limitsBegin,
      serviceRequests.knowledgeBegin,
      serviceRequests.callsBegin,
    ])
      await serve(row, {});
    await nats.flush();
    asked.splice(0);
    const rpc = new RpcClient(nats, { signer: new RequestSigner('gateway', callerEnvOf('gateway')) });
    const begin = beginLimitsOver(rpc, systemIds);
    await begin('next', { isFunded: false, earlierIds: ['earlier'] });
    const body = { earlierIds: ['earlier'] };
    expect(asked).toEqual(
      expect.arrayContaining([
        { id: 'limits.begin', organizationId: 'next', body: { isFunded: false, ...body } },
        { id: 'knowledge.begin', organizationId: 'next', body },
        { id: 'calls.begin', organizationId: 'next', body },
      ]),
    );
    asked.splice(0);
    await begin('first', { isFunded: false, earlierIds: [] });
    expect(asked.map(({ id }) => id)).toEqual(['limits.begin']);
  });
});
