// The tests make faults on purpose, one at a time. The doctor finds each with its code, and with advice that names the
// remedy.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testCertificate } from '@parlance/fake-eventstore/testing';
import { eventStreamName } from '@parlance/messaging';
import {
  agreeOnKeys,
  allowStatistics,
  ensureEventStream,
  provisionStatistics,
  statisticsSchema,
} from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { AckPolicy, type JetStreamManager, type NatsConnection } from 'nats';
import type { Report } from '../index.js';
import { startOtherTime, startSilence } from './proxies.js';
import { DoctorWorld, type LookOptions } from './world.js';

let world: DoctorWorld;
beforeAll(async () => {
  world = await DoctorWorld.start();
  // The first look compiles the drivers, which keeps the process busy for so long that engines seem not to answer.
  await world.look();
});
afterAll(() => world?.stop());
afterEach(() => {
  for (const switches of Object.values(world.faults)) switches.clear();
});

/** One finding with this code and advice; no other finding, and no secret anywhere. */
const expectFinding = (report: Report, code: string, advice: RegExp, subject?: string): void => {
  expect(report.findings.map((finding) => finding.code)).toEqual([code]);
  const [finding] = report.findings;
  expect(`${finding?.advice}`).toMatch(advice);
  if (subject !== undefined) expect(finding?.subject).toContain(subject);
  expect(report.healthy).toBe(false);
  const told = JSON.stringify(report);
  for (const name of [
    'POSTGRES_URL',
    'NATS_URL',
    'TWILIO_AUTH_TOKEN',
    'TELNYX_API_KEY',
    'LIVEKIT_API_SECRET',
  ])
    expect(told).not.toContain(world.variables[name]);
};

const nothingThere = '127.0.0.1:1';

it('finds nothing where nothing is wrong', async () => {
  const report = await world.look();
  expect(report.findings).toEqual([]);
  expect(report.healthy).toBe(true);
  expect(report.looked.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'postgres',
      'nats',
      'event-store',
      'mongodb',
      'object-storage',
      'livekit',
      'twilio',
      'telnyx',
    ]),
  );
});

describe('an engine that is not there', () => {
  it.each([
    [
      'POSTGRES_UNREACHABLE',
      'postgres',
      { POSTGRES_URL: `postgres://a:b@${nothingThere}/c` },
      /Start PostgreSQL/,
    ],
    ['NATS_UNREACHABLE', 'nats', { NATS_URL: `nats://${nothingThere}` }, /Start nats-server/],
    [
      'EVENT_STORE_UNREACHABLE',
      'event-store',
      { EVENTSTORE_URL: `esdb://${nothingThere}?tls=false` },
      /Start EventStoreDB/,
    ],
    ['MONGODB_UNREACHABLE', 'mongodb', { MONGODB_URL: `mongodb://${nothingThere}` }, /Start MongoDB/],
    [
      'OBJECT_STORAGE_UNREACHABLE',
      'object-storage',
      { OBJECT_STORAGE_URL: `http://${nothingThere}` },
      /Start it/,
    ],
    ['LIVEKIT_UNREACHABLE', 'livekit', { LIVEKIT_URL: `http://${nothingThere}` }, /Start livekit-server/],
    [
      'TWILIO_UNREACHABLE',
      'twilio',
      { TWILIO_API_URL: `http://${nothingThere}` },
      /reach the interface of Twilio/,
    ],
    [
      'TELNYX_UNREACHABLE',
      'telnyx',
      { TELNYX_API_URL: `http://${nothingThere}` },
      /reach the interface of Telnyx/,
    ],
    ['MAIL_UNREACHABLE', 'mail', { SMTP_URL: `smtp://${nothingThere}` }, /Correct SMTP_URL/],
  ])('is found: %s', async (code, check, variables, advice) => {
    expectFinding(await world.look([check], { variables }), code, advice);
  });

  it('and one that hangs is a finding of its own, while the others are looked at', async () => {
    const silence = await startSilence();
    const variables = {
      NATS_URL: `nats://127.0.0.1:${silence.port}`,
      LIVEKIT_URL: `http://127.0.0.1:${silence.port}`,
    };
    const report = await world.look(['nats', 'livekit', 'postgres'], { variables });
    expect(report.findings.map(({ code }) => code)).toEqual(['LIVEKIT_UNREACHABLE', 'NATS_UNREACHABLE']);
    expect(report.looked).toHaveLength(3);
    await silence.stop();
  });
});

describe('credentials that are refused', () => {
  it.each([
    [
      'NATS_REFUSES',
      'nats',
      () => {
        const url = new URL(String(world.variables.NATS_URL));
        url.password = 'wrong';
        return { NATS_URL: url.href };
      },
      /Compare the user/,
    ],
    [
      'POSTGRES_REFUSES',
      'postgres',
      () => ({ POSTGRES_URL: world.withoutSchema('nobody', 'wrong').reveal() }),
      /Run provision/,
    ],
    [
      'OBJECT_STORAGE_REFUSES',
      'object-storage',
      () => ({ OBJECT_STORAGE_SECRET_ACCESS_KEY: 'another-secret' }),
      /OBJECT_STORAGE_ACCESS_KEY_ID/,
    ],
    [
      'LIVEKIT_REFUSES',
      'livekit',
      () => ({ LIVEKIT_API_SECRET: 'another-secret-that-is-32-bytes!' }),
      /LIVEKIT_API_SECRET/,
    ],
    ['TWILIO_REFUSES', 'twilio', () => ({ TWILIO_AUTH_TOKEN: 'another-token' }), /TWILIO_AUTH_TOKEN/],
    ['TELNYX_REFUSES', 'telnyx', () => ({ TELNYX_API_KEY: 'another-key' }), /TELNYX_API_KEY/],
  ])('are found: %s', async (code, check, variables, advice) => {
    expectFinding(await world.look([check], { variables: variables() }), code, advice);
  });
});

describe('PostgreSQL', () => {
  const lookAt = (options?: LookOptions) => world.look(['postgres'], options);
  const { db, admin } = {
    db: (sql: string) => world.db.query(sql),
    admin: (sql: string) => world.admin.query(sql),
  };

  it('with a missing index is found, and the index is named', async () => {
    await db('drop index call_index_newest');
    expectFinding(await lookAt(), 'POSTGRES_INDEX_MISSING', /create index concurrently/, 'call_index_newest');
    await db('create index call_index_newest on call_index (organization_id, started_at desc, call_id desc)');
    expect((await lookAt()).healthy).toBe(true);
  });

  it('with an index that was not made to its end is found', async () => {
    await db('create table twins (name text)');
    await db("insert into twins values ('a'), ('a')");
    await expect(db('create unique index concurrently one_name on twins (name)')).rejects.toThrow();
    expectFinding(await lookAt(), 'POSTGRES_INDEX_INVALID', /reindex index concurrently/, 'one_name');
    await db('drop table twins');
  });

  it('without a migration, or with another one, is found', async () => {
    const name = '0005_live_turns.sql';
    const put = (checksum: string) =>
      world.db.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    const remove = async () =>
      (
        await world.db.query<{ checksum: string }>(
          'delete from schema_migrations where name = $1 returning checksum',
          [name],
        )
      ).rows[0]?.checksum ?? '';
    const checksum = await remove();
    expectFinding(await lookAt(), 'POSTGRES_MIGRATION_MISSING', /Restart the service/, name);
    await put('other');
    expectFinding(await lookAt(), 'POSTGRES_MIGRATION_CHANGED', /Run the release/, name);
    await remove();
    await put(checksum);
    expect((await lookAt()).healthy).toBe(true);
  });

  it('that takes no writes is found', async () => {
    const { rows } = await world.db.query<{ role: string }>('select current_user as role');
    await admin(`alter role ${rows[0]?.role} set default_transaction_read_only = on`);
    expectFinding(await lookAt(), 'POSTGRES_READ_ONLY', /primary/);
    await admin(`alter role ${rows[0]?.role} reset default_transaction_read_only`);
  });

  it('with events that are set aside is found', async () => {
    await db(
      "insert into parked_messages (consumer, message_id, subject, payload, reason, deliveries) values ('c', 'm', 's', '{}', 'r', 1)",
    );
    expectFinding(await lookAt(), 'POSTGRES_EVENTS_PARKED', /replay/);
    await db('delete from parked_messages');
  });

  it('tells that it could not look at standbys with a role that may not, and looks at them with one that may', async () => {
    const { rows } = await world.db.query<{ role: string }>('select current_user as role');
    const told = async () => (await lookAt()).looked.flatMap(({ notes }) => notes).join(' ');
    const refusal =
      'The doctor could not look at the lag of standbys and at transactions of other roles, because';
    expect(await told()).toContain(refusal);
    const role = rows[0]?.role ?? '';
    await admin(`grant pg_read_all_stats to ${role}`);
    expect(await told()).not.toContain('could not look');
    await provisionStatistics(world.admin);
    await allowStatistics(world.admin, role);
    const wide = await world.db.query("select pg_has_role('pg_read_all_stats', 'usage') as may");
    expect(wide.rows).toEqual([{ may: false }]);
    expect(await told()).not.toContain('could not look');
    await admin(`drop schema ${statisticsSchema} cascade`);
    expect(await told()).toContain(refusal);
  });

  it('with a standby that has stopped following is found', async () => {
    await admin("select pg_create_physical_replication_slot('doctor_lost_standby')");
    try {
      expectFinding(await lookAt(), 'POSTGRES_STANDBY_LOST', /replication slot/, 'doctor_lost_standby');
    } finally {
      await admin("select pg_drop_replication_slot('doctor_lost_standby')");
    }
  });
});

describe('NATS', () => {
  const withManager = async (work: (manager: JetStreamManager, nats: NatsConnection) => Promise<unknown>) => {
    const nats = await connectNats({ url: String(world.variables.NATS_URL), name: 'test' });
    await work(await nats.jetstreamManager(), nats);
    await nats.close();
  };

  it('with events that nobody takes, or without the event stream, is found', async () => {
    await withManager(async (manager, nats) => {
      await manager.consumers.add(eventStreamName, {
        durable_name: 'left-behind',
        ack_policy: AckPolicy.Explicit,
      });
      await nats.jetstream().publish('parlance.evt.test.lamp.lit.v1', '{}');
    });
    const later = { now: () => Date.now() + 120_000 };
    const left = await world.look(['nats'], { machine: later });
    expect(left.findings).toContainEqual(
      expect.objectContaining({ code: 'NATS_CONSUMER_GONE', subject: 'left-behind' }),
    );
    await withManager((manager) => manager.streams.delete(eventStreamName));
    expectFinding(await world.look(['nats']), 'NATS_STREAM_MISSING', /Run provision/, eventStreamName);
    await withManager((_, nats) => ensureEventStream(nats));
    expect((await world.look(['nats'])).findings).toEqual([]);
  });
});

describe('the event store and MongoDB', () => {
  it.each([
    ['EVENT_STORE_NODE_LOST', 'node-lost', /Start the node again/],
    ['EVENT_STORE_READ_ONLY', 'node-apart', /network between the nodes/],
    ['EVENT_STORE_WITHOUT_LEADER', 'lost', /majority/],
  ] as const)('a cluster in trouble is found: %s', async (code, mode, advice) => {
    world.faults.eventStore.set({ target: 'leader', mode });
    const report = await world.look(['event-store']);
    expect(new Set(report.findings.map((finding) => finding.code))).toEqual(new Set([code]));
    expect(report.findings[0]?.advice).toMatch(advice);
  });

  it('a store that denies its user the reads is found', async () => {
    world.faults.eventStore.set({ target: 'read', mode: '4xx' });
    expectFinding(await world.look(['event-store']), 'EVENT_STORE_REFUSES', /rights/);
  });

  it('a store whose disk is nearly full is found', async () => {
    world.faults.eventStore.set({ target: 'disk', mode: 'nearly-full' });
    expectFinding(await world.look(['event-store']), 'EVENT_STORE_DISK_NEARLY_FULL', /Enlarge the disk/);
  });

  it.each([
    ['MONGODB_TOO_OLD', 'old', /Upgrade MongoDB/],
    ['MONGODB_WITHOUT_PRIMARY', 'without-primary', /until a majority runs/],
    ['MONGODB_MEMBER_LOST', 'member-lost', /Start the member again/],
    ['MONGODB_OPLOG_SHORT', 'oplog-short', /Enlarge the oplog/],
    ['MONGODB_DISK_NEARLY_FULL', 'disk-full', /Enlarge the disk/],
  ] as const)('a MongoDB in trouble is found: %s', async (code, mode, advice) => {
    world.faults.mongo.set({ target: 'member', mode });
    expectFinding(await world.look(['mongodb']), code, advice);
  });

  it('a MongoDB whose user may not look at the replica set is told of as not looked at, and not as healthy', async () => {
    world.faults.mongo.set({ target: 'member', mode: 'without-rights' });
    const report = await world.look(['mongodb']);
    expect(report.findings).toEqual([]);
    const told = report.looked.flatMap(({ notes }) => notes).join(' ');
    for (const part of ['the members of the replica set', 'the oplog', 'the disk'])
      expect(told).toContain(`The doctor could not look at ${part}, because: not authorized`);
  });

  it('a MongoDB that does not answer commands is found', async () => {
    world.faults.mongo.set({ target: 'command', mode: 'reset-before' });
    expectFinding(await world.look(['mongodb']), 'MONGODB_UNREACHABLE', /MONGODB_URL/);
  });
});

describe('the object storage', () => {
  it.each([
    ['OBJECT_STORAGE_CANNOT_WRITE', 'put', /disk of the storage/],
    ['OBJECT_STORAGE_CANNOT_READ', 'get', /log of the storage/],
    ['OBJECT_STORAGE_CANNOT_DELETE', 'delete', /delete objects/],
  ] as const)('that refuses a right is found: %s', async (code, target, advice) => {
    world.faults.s3.set({ target, mode: '4xx' });
    expectFinding(await world.look(['object-storage']), code, advice);
  });

  it('without the bucket, or without CORS for the console, is found', async () => {
    const noBucket = { variables: { OBJECT_STORAGE_BUCKET: 'another' } };
    expectFinding(
      await world.look(['object-storage'], noBucket),
      'OBJECT_STORAGE_WITHOUT_BUCKET',
      /Make the bucket/,
    );
    const elsewhere = { variables: { PUBLIC_URL: 'https://elsewhere.test' } };
    expectFinding(await world.look(['object-storage'], elsewhere), 'OBJECT_STORAGE_WITHOUT_CORS', /CORS/);
    const allowed = { variables: { PUBLIC_URL: 'https://console.test' } };
    expect((await world.look(['object-storage'], allowed)).findings).toEqual([]);
  });
});

describe('telephony', () => {
  it('without a SIP service is found', async () => {
    world.faults.liveKit.set({ target: 'sipService', mode: '5xx-before' });
    expectFinding(await world.look(['livekit']), 'LIVEKIT_WITHOUT_SIP', /Start livekit-sip/);
  });

  it('through an account that is suspended, or without money, is found', async () => {
    world.faults.twilio.set({ target: 'account', mode: 'suspended' });
    expectFinding(await world.look(['twilio']), 'TWILIO_SUSPENDED', /Ask Twilio/);
    world.faults.twilio.clear();
    world.faults.twilio.set({ target: 'money', mode: 'gone' });
    expectFinding(await world.look(['twilio']), 'TWILIO_BALANCE_LOW', /Pay into/);
    world.faults.telnyx.set({ target: 'money', mode: 'gone' });
    expectFinding(await world.look(['telnyx']), 'TELNYX_BALANCE_LOW', /Pay into/);
  });
});

describe('clocks', () => {
  it('one engine with another time is found, and named', async () => {
    const late = await startOtherTime(String(world.variables.LIVEKIT_URL), -10 * 60_000);
    const variables = { LIVEKIT_URL: `http://127.0.0.1:${late.port}` };
    const report = await world.look(['livekit', 'twilio', 'postgres'], { variables });
    expectFinding(report, 'CLOCK_OF_AN_ENGINE', /time service/, 'LiveKit');
    expect(report.findings[0]?.seen).toMatch(/^LiveKit is (?:59\d|60\d) seconds behind this machine\.$/);
    await late.stop();
  });

  it('a wrong clock of this machine is found by all that disagree', async () => {
    const machine = { now: () => Date.now() + 3_600_000 };
    const report = await world.look(['livekit', 'twilio', 'postgres'], { machine });
    expectFinding(report, 'CLOCK_OF_THIS_MACHINE', /time service/, 'this machine');
  });
});

describe('certificates', () => {
  const withCertificate = async (until: Date, isTrusted: boolean) => {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-certificate-'));
    const { key, cert } = testCertificate({ until });
    const caFile = join(directory, 'ca.pem');
    writeFileSync(caFile, cert);
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const tlsCAFile = isTrusted ? `?tlsCAFile=${caFile}` : '';
    const report = await world.look(['certificates'], {
      variables: { EVENTSTORE_URL: `esdb://127.0.0.1:${port}${tlsCAFile}` },
    });
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
    return report;
  };
  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

  it('an expired one, one that is about to, and one that nobody trusts are found', async () => {
    expectFinding(await withCertificate(days(-2), true), 'CERTIFICATE_EXPIRED', /Renew/);
    expectFinding(await withCertificate(days(5), true), 'CERTIFICATE_EXPIRES', /Renew/);
    expectFinding(await withCertificate(days(29), false), 'CERTIFICATE_REFUSED', /authority/);
    expect((await withCertificate(days(29), true)).findings).toEqual([]);
  });
});

describe('keys', () => {
  it('a placeholder and a key of few characters are found', async () => {
    const weak = (value: string) => world.look(['keys'], { variables: { CURSOR_KEY: value } });
    expectFinding(await weak('changeme'.repeat(5)), 'KEY_WEAK', /openssl rand/, 'CURSOR_KEY');
    expectFinding(await weak('abcd'.repeat(12)), 'KEY_WEAK', /openssl rand/, 'CURSOR_KEY');
  });

  it('a KEK that does not open what is stored is found', async () => {
    const { createPersonalData, Keyring, pgSubjectKeys } = await import('@parlance/crypto');
    const { Secret } = await import('@parlance/config');
    const keyring = new Keyring({ id: 'kek-test', key: new Secret(String(world.variables.KEK)) });
    await createPersonalData({ keyring, store: pgSubjectKeys(world.db) }).seal('call-1', { a: 1 });
    expect((await world.look(['keys'])).findings).toEqual([]);
    const KEK = Buffer.from('another-key-another-key-another-').toString('base64');
    expectFinding(await world.look(['keys'], { variables: { KEK } }), 'KEK_IS_ANOTHER', /Put the KEK/);
  });

  it('a key that is not the one of the other copies is found', async () => {
    const key = () => randomBytes(32).toString('base64');
    const CURSOR_KEY = key();
    const env = { ACCEPT_NEW_KEYS: [], CURSOR_KEY };
    await agreeOnKeys(world.db, env);
    const look = (value: string) => world.look(['keys'], { variables: { CURSOR_KEY: value } });
    expect((await look(CURSOR_KEY)).findings).toEqual([]);
    expectFinding(await look(key()), 'KEY_IS_ANOTHER', /Give all copies the same key/, 'CURSOR_KEY');
  });
});

describe('this machine', () => {
  const gib = 1024 ** 3;
  it.each([
    ['DISK_FULL', { total: 100 * gib, free: 10 * 1024 ** 2 }],
    ['DISK_NEARLY_FULL', { total: 100 * gib, free: gib }],
  ])('with a full disk is found: %s', async (code, disk) => {
    const report = await world.look(['machine'], { machine: { disk: async () => disk } });
    expectFinding(report, code, code === 'DISK_FULL' ? /Make room/ : /enlarge the disk/);
  });

  it('is healthy with an empty /tmp of a container, which is small, and full when most of that is taken', async () => {
    const mib = 1024 ** 2;
    const look = (free: number) =>
      world.look(['machine'], { machine: { disk: async () => ({ total: 64 * mib, free }) } });
    expect((await look(40 * mib)).findings).toEqual([]);
    expectFinding(await look(6 * mib), 'DISK_FULL', /Make room/);
  });

  it('with an old Node, or a slow event loop, is found', async () => {
    expectFinding(
      await world.look(['machine'], { machine: { nodeVersion: '20.9.0' } }),
      'NODE_TOO_OLD',
      /Install Node/,
    );
    const slow = { eventLoopDelayMs: async () => 5_000 };
    expectFinding(await world.look(['machine'], { machine: slow }), 'EVENT_LOOP_SLOW', /processor/);
  });
});
