// Faults that take some preparation, made on purpose one at a time. Examples are a half-done upgrade, a queue that does not
// move, a role without its schema, and a faulty mail server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEventStore } from '@parlance/fake-eventstore';
import { startMongo } from '@parlance/fake-mongodb';
import { checks, diagnose, type Report } from '../index.js';
import { DoctorWorld } from './world.js';

let world: DoctorWorld;
beforeAll(async () => {
  world = await DoctorWorld.start();
});
afterAll(() => world?.stop());

const expectOnly = (report: Report, code: string, advice: RegExp, subject: string): void => {
  expect(report.findings.map((finding) => finding.code)).toEqual([code]);
  expect(report.findings[0]?.advice).toMatch(advice);
  expect(report.findings[0]?.subject).toContain(subject);
};

it('a migration that was begun and not ended is found', async () => {
  await world.db.query(`insert into schema_migrations_begun (name, checksum) values ('0006_large.sql', 'x')`);
  expectOnly(
    await world.look(['postgres']),
    'POSTGRES_MIGRATION_HALF_DONE',
    /[Rr]estart|start/,
    '0006_large.sql',
  );
  await world.db.query('delete from schema_migrations_begun');
  expect((await world.look(['postgres'])).findings).toEqual([]);
});

it('an outbox whose oldest event waits for minutes is found', async () => {
  await world.db.query(
    `insert into outbox (event_id, subject, payload, created_at)
     values (gen_random_uuid(), 'parlance.evt.test.lamp.lit.v1', '{}', now() - interval '1 hour')`,
  );
  const report = await world.look(['postgres']);
  expectOnly(report, 'POSTGRES_OUTBOX_STUCK', /NATS/, 'calls_logs');
  expect(report.findings[0]?.seen).toMatch(/waiting for 36\d\d seconds/);
  await world.db.query('delete from outbox');
});

it('a role without a schema of its own is found', async () => {
  const [role, password] = [`doctor_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
  const { rows } = await world.admin.query<{ name: string }>('select current_database() as name');
  await world.admin.query(`create role ${role} login password '${password}'`);
  await world.admin.query(`grant connect on database ${rows[0]?.name} to ${role}`);
  try {
    const POSTGRES_URL = world.withoutSchema(role, password).reveal();
    const { findings } = await world.look(['postgres'], { variables: { POSTGRES_URL } });
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ code: 'POSTGRES_WITHOUT_SCHEMA', subject: `role ${role}` },
        advice: expect.stringMatching(/provision/),
      }),
    );
    expect(JSON.stringify(findings)).not.toContain(password);
  } finally {
    await world.admin.query(`drop owned by ${role}; drop role ${role}`);
  }
});

/** SMTP up to the credentials, which it refuses. */
const startStrictMailServer = async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (data) => {
      const [verb = ''] = data.toString().split(' ');
      if (/^EHLO/i.test(verb)) socket.write('250-mail.test\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^AUTH/i.test(verb)) socket.write('535 5.7.8 wrong password\r\n');
      else socket.end('221 bye\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    stop: () => server.close(),
  };
};

it('a mail server that refuses the password is found, and the password is told to nobody', async () => {
  const { host, stop } = await startStrictMailServer();
  const report = await world.look(['mail'], {
    variables: { SMTP_URL: `smtp://sender:not-the-password@${host}` },
  });
  stop();
  expectOnly(report, 'MAIL_REFUSES', /new password.*SMTP_URL/, host);
  expect(JSON.stringify(report)).not.toContain('not-the-password');
});

it('a mail server without encryption, and a sender that nobody can own, are found beyond the own network', async () => {
  expect((await world.look(['mail'])).findings).toEqual([]);
  const { findings } = await world.look(['mail'], { machine: { isOwnNetwork: async () => false } });
  expect(findings.map(({ code, advice }) => [code, advice])).toEqual([
    ['MAIL_SENDER_UNUSABLE', expect.stringContaining('a domain of yours')],
    ['MAIL_WITHOUT_TLS', expect.stringContaining('STARTTLS')],
  ]);
});

describe('PostgreSQL', () => {
  let role = '';
  const schemaFirst = (path: string) => world.admin.query(`alter role ${role} set search_path = ${path}`);
  beforeAll(async () => {
    const { rows } = await world.db.query<{ role: string }>('select current_user as role');
    role = rows[0]?.role ?? '';
    // The doctor's role finds a false view before the server's own view, which has the same name.
    await schemaFirst(`${role}, pg_catalog`);
    await world.admin.query(
      `alter role ${role} in database ${new URL(world.variables.POSTGRES_URL ?? '').pathname.slice(1)}
       set search_path = ${role}, pg_catalog`,
    );
  });

  it.each([
    [
      'POSTGRES_CONNECTIONS_SCARCE',
      'view pg_stat_database',
      'select 100000 as numbackends',
      /max_connections/,
    ],
    [
      'POSTGRES_TRANSACTION_LONG',
      'view pg_stat_activity',
      `select 7 as pid, 'a report' as application_name, now() - interval '1 hour' as xact_start,
         'client backend' as backend_type, current_database() as datname`,
      /pg_terminate_backend/,
    ],
    [
      'POSTGRES_WRAPAROUND_NEAR',
      'view pg_database',
      `select current_database() as datname, '2'::xid as datfrozenxid`,
      /vacuum the oldest tables/,
    ],
    [
      'POSTGRES_STANDBY_BEHIND',
      'view pg_stat_replication',
      `select 'standby-1' as application_name, interval '5 minutes' as replay_lag`,
      /network of the standby/,
    ],
    [
      'POSTGRES_TOO_OLD',
      'function current_setting(text) returns text language sql',
      `$$ select case $1 when 'server_version' then '11.22' else pg_catalog.current_setting($1) end $$`,
      /Upgrade PostgreSQL/,
    ],
  ])('in trouble is found: %s', async (code, what, answer, advice) => {
    const [kind = '', name = ''] = what.split(' ');
    await world.db.query(`create ${what} as ${answer}`);
    try {
      const { findings } = await world.look(['postgres']);
      expect(findings.map((finding) => finding.code)).toEqual([code]);
      expect(findings[0]?.advice).toMatch(advice);
    } finally {
      await world.db.query(`drop ${kind} ${role}.${name}`);
    }
    expect((await world.look(['postgres'])).findings).toEqual([]);
  });
});

describe('another server than the one of the world', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-doctor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is found when it is an event store of long ago', async () => {
    const old = await startEventStore({ dataDir: join(folder, 'old'), fsync: false, version: '20.10.0' });
    const variables = { EVENTSTORE_URL: old.connectionString };
    const report = await world.look(['event-store'], { variables });
    await old.stop();
    expectOnly(report, 'EVENT_STORE_TOO_OLD', /Upgrade EventStoreDB/, '127.0.0.1');
  });

  it('is found when it is a MongoDB that refuses the password, which is told to nobody', async () => {
    const credentials = { username: 'parlance', password: 'the-right-password' };
    const strict = await startMongo({ dataDir: join(folder, 'strict'), credentials });
    const url = `mongodb://parlance:not-the-password@127.0.0.1:${strict.port}`;
    const report = await world.look(['mongodb'], { variables: { MONGODB_URL: url } });
    await strict.stop();
    expectOnly(report, 'MONGODB_REFUSES', /the password in MONGODB_URL/, '127.0.0.1');
    expect(JSON.stringify(report)).not.toContain('not-the-password');
  });

  const listening = async (server: Server): Promise<string> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  };
  const answering = async <T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> => {
    const server = createHttpServer(listener);
    const result = await work(await listening(server));
    server.closeAllConnections();
    server.close();
    return result;
  };

  it.each([
    ['LIVEKIT_TOO_OLD', 404, { code: 'bad_route', msg: 'no handler for path' }, /1\.9 or later/],
    [
      'LIVEKIT_SIP_OVERLOADED',
      503,
      { code: 'unavailable', msg: 'cpu exhausted' },
      /more processors or ports/,
    ],
  ])('is found when it is a LiveKit in trouble: %s', async (code, status, error, advice) => {
    const report = await answering(
      (request, response) => {
        const isKnown = request.url?.endsWith('/ListRooms') || request.url === '/';
        response.writeHead(isKnown ? 200 : status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isKnown ? {} : error));
      },
      (url) => world.look(['livekit'], { variables: { LIVEKIT_URL: url } }),
    );
    expectOnly(report, code, advice, '127.0.0.1');
  });

  const lookAtUrls = (variables: Readonly<Record<string, string>>) =>
    diagnose({
      // With a folder of data, the platform runs on this machine, and loopback is looked at.
      places: [{ process: 'gateway', variables, dataDir: folder }],
      checks: checks.filter(({ name }) => name === 'public-urls'),
    });

  it('is found when a public address leads elsewhere, or nowhere, or has no name', async () => {
    const elsewhere = await answering(
      (_, response) => response.writeHead(404).end(),
      (PUBLIC_URL) => lookAtUrls({ PUBLIC_URL }),
    );
    expectOnly(elsewhere, 'PUBLIC_URL_LEADS_ELSEWHERE', /the place that the proxy leads to/, 'PUBLIC_URL');
    const nowhere = await lookAtUrls({ PUBLIC_URL: 'http://127.0.0.1:1' });
    expectOnly(nowhere, 'PUBLIC_URL_UNREACHABLE', /Start the proxy/, 'PUBLIC_URL http://127.0.0.1:1');
    const unknown = await lookAtUrls({ PUBLIC_URL: 'https://nothing.invalid' });
    expectOnly(unknown, 'PUBLIC_URL_UNKNOWN', /DNS record/, 'nothing.invalid');
  });

  it('is found when a public address is without TLS, or private beside one that is public', async () => {
    // No network has this address: it lies outside of all that is given away (RFC 4291).
    const { findings } = await lookAtUrls({
      ...{ PUBLIC_URL: 'http://[4000::1]', WIDGET_BASE_URL: 'http://127.0.0.1:1' },
    });
    const found = findings.map(({ code, subject, advice }) => ({ code, subject, advice }));
    expect(found).toContainEqual({
      ...{ code: 'PUBLIC_URL_IN_PLAIN_TEXT', subject: 'PUBLIC_URL http://[4000::1]' },
      advice: expect.stringContaining('Put a proxy with TLS in front'),
    });
    expect(found).toContainEqual({
      ...{ code: 'PUBLIC_URL_PRIVATE', subject: 'WIDGET_BASE_URL 127.0.0.1' },
      advice: expect.stringContaining('that the internet leads to'),
    });
  });
});
