// The service killed while the rows of a file go into the database, with a real event store, database and storage.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type RunningS3, startS3 } from '@parlance/fake-s3';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { connectObjectStorage } from '@parlance/object-storage';
import { createDatabase, type Database } from '@parlance/postgres';
import { checkCampaign } from '../recipients/recipient-counts.js';
import { campaignStep } from '../repositories/campaign-repository.js';
import { created } from '../testing/campaign-histories.js';
import { type DialerWorld, startWorld } from '../testing/dialer-world.js';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.js';

const rows = 40_000;
const directory = mkdtempSync(join(tmpdir(), 'parlance-import-kills-'));
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
let engines: TestEngines;
let s3: RunningS3;
let world: DialerWorld;
/** One connection, which holds the lock that the rows in the middle wait for. */
let gate: Database;
let service: ServiceProcess | undefined;

/** Nothing is dialled in this file. */
const livekit = {
  url: 'http://127.0.0.1:9',
  wsUrl: 'ws://127.0.0.1:9',
  apiKey: 'key',
  apiSecret: randomBytes(32).toString('base64'),
  trunkId: 'ST_test',
  ledger: async function* () {},
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true, eventStore: true });
  s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
  const { url: postgresUrl } = await engines.databaseFor('outbound-dialer');
  const { natsUrl, eventStoreUrl } = engines;
  world = await startWorld({ natsUrl, eventStoreUrl, postgresUrl, livekit });
  gate = createDatabase({ url: postgresUrl, applicationName: 'gate', max: 1 });
});
afterAll(async () => {
  await service?.kill();
  await gate?.end();
  await world?.stop();
  await s3?.stop();
  await engines?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const startService = (): ServiceProcess =>
  startServiceProcess({
    ...world.variables,
    LOG_LEVEL: 'error',
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
  });

const upload = async (key: string): Promise<void> => {
  const storage = connectObjectStorage({
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_BUCKET: 'parlance',
    OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(account.secretAccessKey),
  });
  if (storage === undefined) throw new Error('no storage');
  const lines = Array.from({ length: rows }, (_, n) => `+1415${2_000_000 + n},N${n}\n`);
  const body = `phone,name\n${lines.join('')}`;
  const url = await storage.presignPut(key, {
    contentType: 'text/csv',
    bytes: Buffer.byteLength(body),
    expiresInSeconds: 60,
  });
  const stored = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/csv' } });
  storage.close();
  if (!stored.ok) throw new Error(`not uploaded: ${stored.status}`);
};

/** A campaign for next year with a file that is not read yet. */
const createCampaign = async (): Promise<string> => {
  const [id, organizationId] = [randomUUID(), randomUUID()];
  const sourceFileKey = `org/${organizationId}/batches/${id}/people.csv`;
  await upload(sourceFileKey);
  const createdAt = new Date().toISOString();
  const scheduledAt = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const data = { ...created.data, organizationId, sourceFileKey, createdAt, scheduledAt };
  const command = { type: 'CreateCampaign', created: data, personal: created.personal } as const;
  await world.campaigns(id, command, campaignStep(organizationId, id, 'create', createdAt));
  return id;
};

const counted = async (id: string) => {
  const { rows } = await world.db.query<{ n: number; calls: number }>(
    `select count(*)::int as n, count(distinct outbound_call_id)::int as calls
     from campaign_recipients where campaign_id = $1`,
    [id],
  );
  return rows[0] ?? { n: -1, calls: -1 };
};

/** Lets no row in the middle of a file go in while the gate is closed. */
const buildGate = (): Promise<unknown> =>
  eventually(
    () =>
      gate.query(
        `create or replace function wait_at_gate() returns trigger language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(5); return new; end $$;
         create or replace trigger gate before insert on campaign_recipients for each row
           when (new.row_number = ${rows / 2}) execute function wait_at_gate()`,
      ),
    // The service makes its tables when it starts.
    { timeoutMs: 60_000 },
  );
const closeGate = (): Promise<unknown> => gate.query('select pg_advisory_lock(5)');
const openGate = (): Promise<unknown> => gate.query('select pg_advisory_unlock(5)');
const isWaitingAtGate = async (): Promise<void> => {
  const { rowCount } = await gate.query(
    `select from pg_locks where locktype = 'advisory' and objid = 5 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(rowCount).toBe(1);
};

describe('an import whose service is killed', () => {
  it('in the middle, twice, is done once: every row is there once, and the stream heard of it once', async () => {
    service = startService();
    await buildGate();
    await closeGate();
    const id = await createCampaign();
    for (const isLast of [false, true]) {
      await eventually(isWaitingAtGate, { timeoutMs: 60_000 });
      await service.kill();
      const { state, revision } = await world.campaigns.load(id);
      expect(state.phase).toBe('validating');
      expect(revision).toBe(0n);
      const { n } = await counted(id);
      expect(n).toBeGreaterThan(0);
      expect(n).toBeLessThan(rows);
      await openGate();
      // The claim of the dead runs out.
      await world.db.query('update file_claims set claimed_until = now() where campaign_id = $1', [id]);
      if (!isLast) await closeGate();
      service = startService();
    }
    await eventually(async () => expect((await world.campaigns.load(id)).state.phase).toBe('scheduled'), {
      timeoutMs: 120_000,
    });
    await service.stop();
    service = undefined;
    const { state, revision } = await world.campaigns.load(id);
    expect(revision).toBe(1n);
    expect(state).toMatchObject({ file: { rows, accepted: rows, rejected: 0, duplicates: 0 } });
    expect(await counted(id)).toEqual({ n: rows, calls: rows });
    expect(await checkCampaign(world.db, id)).toEqual([]);
  }, 300_000);
});
