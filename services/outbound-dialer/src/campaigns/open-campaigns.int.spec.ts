// The campaigns that a scheduler looks at, in a real Postgres.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate, type Tx } from '@parlance/postgres';
import { openCampaigns } from './open-campaigns.js';

let engines: TestEngines;
let db: Database;
const now = new Date('2026-06-01T12:00:00.000Z');
const later = new Date('2026-06-02T12:00:00.000Z');

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 2 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

interface Stored {
  readonly status: string;
  readonly scheduledAt?: Date;
  /** Recipients by state. */
  readonly counts?: Readonly<Record<string, number>>;
}

const store = async ({ status, scheduledAt, counts = { busy: 1 } }: Stored): Promise<string> => {
  const id = randomUUID();
  await db.query(
    `insert into campaigns (id, organization_id, agent_id, status, scheduled_at, created_at, updated_at, revision, state)
     values ($1, 'org', $1, $2, $3, $4, $4, 0, '{}')`,
    [id, status, scheduledAt ?? null, now],
  );
  await db.query(
    `insert into campaign_counts (campaign_id, state, recipients, attempts, cost_micros)
     select $1, key, value::bigint, 0, 0 from jsonb_each_text($2)`,
    [id, JSON.stringify(counts)],
  );
  return id;
};

/** Rows that the statements of this transaction have read from the campaigns and their counts. */
const rowsRead = async (tx: Tx): Promise<number> => {
  const { rows } = await tx.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
     where relname in ('campaigns', 'campaign_counts')`,
    [],
  );
  return rows[0]?.read ?? Number.NaN;
};

describe('openCampaigns', () => {
  it('lists campaigns that run, are paused or due, and cancelled ones that still have recipients', async () => {
    const open = [
      await store({ status: 'running' }),
      await store({ status: 'paused' }),
      await store({ status: 'scheduled' }),
      await store({ status: 'scheduled', scheduledAt: now }),
      await store({ status: 'cancelled', counts: { cancelled: 5, in_progress: 1 } }),
    ];
    await store({ status: 'scheduled', scheduledAt: later });
    await store({ status: 'cancelled', counts: { cancelled: 6, pending: 0 } });
    await store({ status: 'completed' });
    await store({ status: 'failed' });
    await store({ status: 'validating' });
    const ids = (await openCampaigns(db, now)).map(({ id }) => id);
    expect(ids.sort()).toEqual(open.sort());
  });

  it('reads no campaign that has ended, and none of its counts', async () => {
    const read = () =>
      db.transaction(async (tx) => {
        await openCampaigns(tx, now);
        return rowsRead(tx);
      });
    await db.query(
      `with ended as (
         insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
         select gen_random_uuid(), 'org', gen_random_uuid(), 'completed', $1, $1, 0, '{}' from generate_series(1, 5000) returning id
       )
       insert into campaign_counts (campaign_id, state, recipients, attempts, cost_micros)
       select id, state, 100, 100, 0 from ended, unnest(array['busy', 'completed']) state`,
      [now],
    );
    for (const table of ['campaigns', 'campaign_counts']) await db.query(`analyze ${table}`, []);
    expect(await read()).toBeLessThan(50);
  });
});
