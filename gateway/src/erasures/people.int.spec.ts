import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Callable, contract, serviceRequests } from '@parlance/contracts';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import type { Outcome } from '@parlance/rpc';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, TestGateway } from '../testing/test-gateway.js';

const logDirectory = mkdtempSync(join(tmpdir(), 'parlance-erasure-log-'));
const phoneNumber = '+14155550123';

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
let db: Database;

/** What is left in each service, in the order in which the gateway erases. */
let left = { dialer: 0, calls: 0 };
/** While true the dialer has a call in progress, which cannot be erased yet. */
let isTalking = false;
const erased: { readonly service: string; readonly body: Record<string, unknown> }[] = [];
const suppressed: unknown[] = [];

const play = async (): Promise<void> => {
  const { nats } = fixture;
  const erases = (row: Callable, service: keyof typeof left) =>
    serveOperation(nats, row, ({ input }): Outcome => {
      erased.push({ service, body: input.body as Record<string, unknown> });
      const piece = Math.min(2, left[service]);
      left[service] -= piece;
      const more = left[service] > 0 || (service === 'dialer' && isTalking);
      return { data: { erased: piece, more } };
    });
  await serveOperation(nats, serviceRequests.callsCountPerson, () => ({
    data: { calls: left.calls, recordings: 1 },
  }));
  await serveOperation(nats, serviceRequests.outboundCallsCountPerson, () => ({
    data: { outboundCalls: left.dialer, recipients: 0 },
  }));
  await erases(serviceRequests.outboundCallsErasePerson, 'dialer');
  await erases(serviceRequests.callsErasePerson, 'calls');
  await serveOperation(nats, contract.suppressionsCreate, ({ input }) => {
    suppressed.push(input.body);
    return { data: [] };
  });
  await nats.flush();
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines, { ERASURE_LOG_DIR: logDirectory, RPC_TIMEOUT_MS: '1000' });
  ({ gateway } = fixture);
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 2 });
  await play();
});
beforeEach(() => {
  left = { dialer: 3, calls: 5 };
  isTalking = false;
  erased.splice(0);
  suppressed.splice(0);
});
afterAll(async () => {
  await db?.end();
  await fixture?.stop();
  rmSync(logDirectory, { recursive: true, force: true });
});

const erase = (
  query: Readonly<Record<string, string>> = {},
  { person = fixture.person, number = phoneNumber }: { person?: Person; number?: string } = {},
): Promise<Reply> =>
  gateway.send(`/people/${encodeURIComponent(number)}?${new URLSearchParams(query)}`, {
    method: 'DELETE',
    headers: person.session,
  });
const confirmationOf = async (person = fixture.person, number = phoneNumber): Promise<string> =>
  (await erase({}, { person, number })).body.data.confirmation;
const stateOf = async (id: string, person = fixture.person): Promise<Reply> =>
  gateway.send(`/people/erasures/${id}`, { headers: person.session });
const untilFinished = (id: string): Promise<void> =>
  eventually(async () => expect((await stateOf(id)).body.data.status).toBe('finished'), {
    timeoutMs: 60_000,
  });

describe('DELETE /people/{phoneNumber}', () => {
  it('counts first and erases nothing, then erases piece by piece until nothing is left', async () => {
    const asked = await erase();
    expect(asked.status).toBe(200);
    expect(asked.body.data).toMatchObject({
      found: { calls: 5, recordings: 1, outboundCalls: 3, recipients: 0 },
      erasure: null,
    });
    expect(erased).toEqual([]);
    const { confirmation } = asked.body.data;
    const confirmed = await erase({ confirmation });
    expect(confirmed.body.data).toMatchObject({
      confirmation: null,
      found: asked.body.data.found,
      erasure: { status: 'running', finishedAt: null },
    });
    const { id } = confirmed.body.data.erasure;
    await untilFinished(id);
    expect(left).toEqual({ dialer: 0, calls: 0 });
    expect(erased[0]).toMatchObject({
      service: 'dialer',
      body: { phoneNumber, erasureId: id, requestedBy: `user:${fixture.person.userId}` },
    });
    // Sent again, it is the same erasure.
    expect((await erase({ confirmation })).body.data.erasure).toMatchObject({ id, status: 'finished' });
  });

  it('is not finished while a service has something that cannot be erased yet', async () => {
    isTalking = true;
    const { id } = (await erase({ confirmation: await confirmationOf() })).body.data.erasure;
    await eventually(async () =>
      expect((await stateOf(id)).body.data).toMatchObject({
        status: 'running',
        waitingFor: ['outbound-dialer'],
      }),
    );
    isTalking = false;
    await untilFinished(id);
  });

  it('keeps the number sealed while it runs, and not at all afterwards', async () => {
    isTalking = true;
    const { id } = (await erase({ confirmation: await confirmationOf() })).body.data.erasure;
    const row = async (): Promise<string> =>
      (await db.query<{ row: string }>('select e::text as row from erasures e where id = $1', [id])).rows[0]
        ?.row ?? '';
    expect(await row()).not.toContain(phoneNumber.slice(1));
    isTalking = false;
    await untilFinished(id);
    const { rows } = await db.query('select sealed_number from erasures where id = $1', [id]);
    expect(rows).toEqual([{ sealed_number: null }]);
  });

  it('puts the number on the suppression list before it erases, where that is wanted', async () => {
    const confirmation = await confirmationOf();
    const { id } = (await erase({ confirmation, doNotCall: 'true' })).body.data.erasure;
    expect(suppressed).toEqual([expect.objectContaining({ phoneNumbers: [phoneNumber] })]);
    await untilFinished(id);
  });

  it.each([
    [
      'of another number',
      async () => erase({ confirmation: await confirmationOf(undefined, '+14155550124') }),
    ],
    ['of another person', async () => erase({ confirmation: await confirmationOf(await gateway.signUp()) })],
    ['that was changed', async () => erase({ confirmation: `${await confirmationOf()}x` })],
    ['that is none', async () => erase({ confirmation: 'yes' })],
  ])('refuses a confirmation %s', async (_, send) => {
    const refused = await send();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFIRMATION_INVALID']);
    expect(erased).toEqual([]);
  });

  it('is for owners and admins, and for keys that name the permission', async () => {
    const member = await gateway.signUp();
    const invited = await gateway.send('/auth/organization/invite-member', {
      method: 'POST',
      headers: fixture.person.session,
      body: { email: member.email, role: 'member' },
    });
    for (const [path, body] of [
      ['accept-invitation', { invitationId: invited.body.id }],
      ['set-active', { organizationId: fixture.person.organizationId }],
    ] as const)
      await gateway.send(`/auth/organization/${path}`, { method: 'POST', headers: member.session, body });
    expect((await erase({}, { person: member })).body.error.code).toBe('PERMISSION_DENIED');
    const path = `/people/${encodeURIComponent(phoneNumber)}`;
    const status = async (permissions: string[]): Promise<number> => {
      const { key } = await gateway.createKey(fixture.person, permissions);
      return (await gateway.send(path, { method: 'DELETE', headers: { 'x-api-key': key } })).status;
    };
    expect([await status(['people:delete']), await status(['callLogs:delete'])]).toEqual([200, 403]);
  });

  it('shows the state of an erasure to its organization alone', async () => {
    const { id } = (await erase({ confirmation: await confirmationOf() })).body.data.erasure;
    const stranger = await gateway.signUp();
    for (const reply of [await stateOf(id, stranger), await stateOf(randomUUID())])
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND']);
    await untilFinished(id);
  });

  it('continues on another gateway', async () => {
    isTalking = true;
    const { id } = (await erase({ confirmation: await confirmationOf() })).body.data.erasure;
    await db.query(`update erasures set next_at = now() + interval '1 hour' where id = $1`, [id]);
    isTalking = false;
    const variables = { ERASURE_LOG_DIR: logDirectory };
    const second = await TestGateway.start({
      postgresUrl: fixture.postgresUrl,
      natsUrl: engines.natsUrl,
      variables,
    });
    try {
      await db.query('update erasures set next_at = now() where id = $1', [id]);
      await untilFinished(id);
    } finally {
      await second.stop();
    }
  });
});

describe('the deletion of an account', () => {
  const post = (person: Person, path: string, body: object): Promise<Reply> =>
    gateway.send(`/auth${path}`, { method: 'POST', headers: person.session, body });
  const remove = (person: Person, password = person.password): Promise<Reply> =>
    post(person, '/delete-user', { password });
  const playRemovals = async (): Promise<void> => {
    const { nats } = fixture;
    await serveOperation(nats, serviceRequests.numbersCloseOrganization, () => ({ data: { numbers: 0 } }));
    await serveOperation(nats, serviceRequests.outboundCallsCloseOrganization, () => ({
      data: { campaigns: 0, outboundCalls: 0 },
    }));
    await serveOperation(nats, serviceRequests.callsOpenCount, () => ({ data: { open: 0 } }));
    await nats.flush();
  };
  /** Everything in the gateway's schema. */
  const everything = async (): Promise<string> => {
    const { rows } = await db.query<{ name: string }>(
      `select format('%I', table_name) as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(...table.rows.map(({ row }) => `${name} ${row}`));
    }
    return texts.join('\n');
  };
  beforeAll(playRemovals);

  it('leaves neither name nor address of the person, and takes along an organization that is theirs alone', async () => {
    const person = await gateway.signUp();
    const reply = await remove(person);
    expect([reply.status, reply.body]).toEqual([200, { status: true }]);
    const remains = await everything();
    expect(remains).not.toContain(person.email);
    const { rows } = await db.query('select 1 from organization where id = $1', [person.organizationId]);
    expect(rows).toEqual([]);
    expect((await gateway.send('/auth/get-session', { headers: person.session })).body).toBeNull();
    const signIn = await gateway.send('/auth/sign-in/email', {
      method: 'POST',
      body: { email: person.email, password: person.password },
    });
    expect(signIn.status).toBe(401);
  });

  it('takes the password', async () => {
    const person = await gateway.signUp();
    const refused = await remove(person, 'not the password');
    expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await gateway.signIn(person)).userId).toBe(person.userId);
  });

  it('is refused to the last owner of an organization with other members', async () => {
    const [owner, member] = [await gateway.signUp(), await gateway.signUp()];
    const { body } = await post(owner, '/organization/invite-member', {
      email: member.email,
      role: 'member',
    });
    await post(member, '/organization/accept-invitation', { invitationId: body.id });
    const refused = await remove(owner);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'LAST_OWNER', details: { organizationIds: [owner.organizationId] } },
    ]);
    // A member may go, and the organization stays.
    expect((await remove(member)).status).toBe(200);
    const { rows } = await db.query('select 1 from organization where id = $1', [owner.organizationId]);
    expect(rows).toHaveLength(1);
  });

  it('is logged outside of the database, so that a restored backup does not bring the account back', async () => {
    const person = await gateway.signUp();
    const columns = '"id", "name", "email", "emailVerified", "createdAt", "updatedAt"';
    const backup = await db.query<Record<string, unknown>>(`select ${columns} from "user" where id = $1`, [
      person.userId,
    ]);
    expect((await remove(person)).status).toBe(200);
    const files = (): readonly string[] => readdirSync(join(logDirectory, 'gateway'));
    const logged = (): string =>
      files()
        .map((name) => readFileSync(join(logDirectory, 'gateway', name), 'utf8'))
        .join('');
    await eventually(() => expect(logged()).toContain(person.userId), { timeoutMs: 60_000 });
    await eventually(() => expect(logged()).toContain(`"organization","id":"${person.organizationId}"`));
    expect(logged()).not.toContain(person.email);
    // The gateway notes a file once it is written. A note that came after the restore would hide the file from the next gateway.
    await eventually(async () => {
      const { rowCount } = await db.query('select 1 from erasures_applied where name = any($1)', [files()]);
      expect(rowCount).toBe(files().length);
    });

    await db.query(
      `insert into "user" (${columns}) select ${columns} from jsonb_populate_recordset(null::"user", $1)`,
      [JSON.stringify(backup.rows)],
    );
    await db.query(`insert into organization (id, name, slug, "createdAt") values ($1, 'Back', $2, now())`, [
      person.organizationId,
      `back-${randomUUID()}`,
    ]);
    await db.query('delete from erasures_applied; delete from erasure_log_state');
    const second = await TestGateway.start({
      postgresUrl: fixture.postgresUrl,
      natsUrl: engines.natsUrl,
      variables: { ERASURE_LOG_DIR: logDirectory },
    });
    await second.stop();
    const { rows } = await db.query(
      `select (select count(*) from "user" where id = $1)::int as users,
              (select count(*) from organization where id = $2)::int as organizations`,
      [person.userId, person.organizationId],
    );
    expect(rows).toEqual([{ users: 0, organizations: 0 }]);
  });
});
