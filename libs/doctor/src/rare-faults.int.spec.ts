// Faults that take some preparation, made on purpose one at a time: of a half-done upgrade, of a queue that does not move, of a role
// that nothing was prepared for, of a mail server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Report } from './index.js';
import { DoctorWorld } from './testing/world.js';

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
