// The gauge of campaigns that dial nothing, in a real Postgres.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { CampaignWaits, type WaitReason } from '../campaigns/campaign-waits.js';
import { longestWaits } from './stalled-campaigns.js';

const organizationId = 'org_1';
let engines: TestEngines;
let db: Database;
let now = Date.now();
const waits = new CampaignWaits({ now: () => new Date(now) });

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 4 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});
beforeEach(async () => {
  await db.query('truncate campaigns, campaign_recipients, campaign_counts, outbound_calls, campaign_stops');
});

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const campaign = async (minutes: number, more: object = {}, status = 'running'): Promise<string> => {
  const id = randomUUID();
  const state = { phase: status, startedAt: ago(minutes), ...more };
  await db.query(
    `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
     values ($1, $2, $3, $4, now(), now(), 0, $5)`,
    [id, organizationId, randomUUID(), status, JSON.stringify(state)],
  );
  return id;
};

let row = 1;
const recipient = async (campaignId: string, notBefore: string | null = null): Promise<void> => {
  row += 1;
  await db.query(
    `insert into campaign_recipients (campaign_id, row_number, organization_id, phone_number, time_zones, row,
       outbound_call_id, not_before)
     values ($1, $2, $3, '+14155550100', '{America/New_York}', '{}', $4, $5)`,
    [campaignId, row, organizationId, randomUUID(), notBefore],
  );
};

const call = async (campaignId: string, phase: string, minutes: number, past: object[] = []) =>
  db.query(
    `insert into outbound_calls (id, organization_id, agent_id, mode, status, phase, hang_up, created_at, updated_at,
       revision, state, campaign_id)
     values ($1, $2, $3, 'batch', 'queued', $4, false, now(), $5, 0, $6, $7)`,
    [
      ...[randomUUID(), organizationId, randomUUID(), phase, ago(minutes), JSON.stringify({ phase, past })],
      campaignId,
    ],
  );

const minutesOf = async (reason: WaitReason = 'unknown'): Promise<number> =>
  Math.round(((await longestWaits(db, (id) => waits.reasonOf(id))).get(reason) ?? 0) / 60);

describe('a running campaign that dials none of its waiting recipients', () => {
  it('has waited since it was started, or went on', async () => {
    await recipient(await campaign(20));
    expect(await minutesOf()).toBe(20);
    await db.query('truncate campaigns');
    await recipient(await campaign(20, { resumed: { after: 'budget_reached', at: ago(3) } }));
    expect(await minutesOf()).toBe(3);
  });

  it('has waited since its last dial, and an attempt that was given up before its dial is none', async () => {
    const id = await campaign(60);
    await recipient(id);
    await call(id, 'ended', 15);
    await call(id, 'queued', 1, [{ isAbandoned: true }]);
    await call(id, 'dialing', 0);
    expect(await minutesOf()).toBe(15);
    await call(id, 'queued', 7, [{ isAbandoned: true }, { status: 'busy' }]);
    expect(await minutesOf()).toBe(7);
    await call(id, 'dialing', 2);
    expect(await minutesOf()).toBe(2);
  });

  it('waits from the moment at which the first recipient is due', async () => {
    const id = await campaign(60);
    await recipient(id, ago(12));
    await recipient(id, ago(4));
    expect(await minutesOf()).toBe(12);
  });

  it('is told by the reason that the dialer sees, while it has looked lately', async () => {
    const id = await campaign(30);
    await recipient(id);
    waits.note(id, 'unreachable');
    expect([await minutesOf('unreachable'), await minutesOf()]).toEqual([30, 0]);
    now += 61_000;
    expect([await minutesOf('unreachable'), await minutesOf()]).toEqual([0, 30]);
  });

  it('waits for places only while a call of its organization takes one', async () => {
    const id = await campaign(30);
    await recipient(id);
    waits.note(id, 'places');
    expect([await minutesOf('places'), await minutesOf()]).toEqual([0, 30]);
    await call(await campaign(90), 'connected', 80);
    expect([await minutesOf('places'), await minutesOf()]).toEqual([30, 0]);
  });
});

describe('a campaign does not count as stalled', () => {
  it('while nobody is due: all wait for a later moment, or are in hands', async () => {
    const id = await campaign(60);
    await recipient(id, ago(-30));
    await db.query(
      "update campaign_recipients set state = 'queued', claimed_until = now() + interval '10 seconds'",
    );
    await recipient(id, ago(-30));
    expect(await minutesOf()).toBe(0);
  });

  it('while it is paused, scheduled or stopped', async () => {
    await recipient(await campaign(60, { reason: 'budget_reached' }, 'paused'));
    await recipient(await campaign(60, {}, 'scheduled'));
    const stopped = await campaign(60);
    await recipient(stopped);
    await db.query('insert into campaign_stops (campaign_id) values ($1)', [stopped]);
    expect(await minutesOf()).toBe(0);
  });
});
