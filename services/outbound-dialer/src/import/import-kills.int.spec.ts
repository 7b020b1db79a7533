// The service killed while the rows of a file go into the database, with a real event store, database and storage.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { checkCampaign } from '../recipients/recipient-counts.js';
import { campaignStep } from '../repositories/campaign-repository.js';
import { created } from '../testing/campaign-histories.js';
import { type FileWorld, startFileWorld } from '../testing/file-world.js';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.js';

const rows = 40_000;
let world: FileWorld;
/** One connection, which holds the lock that the rows in the middle wait for. */
let gate: Database;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  world = await startFileWorld();
  gate = createDatabase({ url: world.postgresUrl, applicationName: 'gate', max: 1 });
});
afterAll(async () => {
  await service?.kill();
  await gate?.end();
  await world?.remove();
});

const startService = (): ServiceProcess =>
  startServiceProcess({
    ...world.variables,
    LOG_LEVEL: 'error',
    ...world.storageVariables,
  });

const upload = async (key: string): Promise<void> => {
  const storage = world.connectStorage();
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
