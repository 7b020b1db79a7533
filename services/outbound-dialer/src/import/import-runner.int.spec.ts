// Files of campaigns read by any number of copies, with a real database; the storage and the streams are in memory.
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, keyringOf, pgSubjectKeys } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { eventually, gate, type TestEngines, testEngines } from '@parlance/fixtures';
import { type Clock, createLogger, systemClock, systemIds } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import type { Created } from '../domain/campaign/campaign-state.js';
import { listRecipients, listRefusedRows } from '../read-models/recipient-list.js';
import { checkCampaign } from '../recipients/recipient-counts.js';
import { stopClaims } from '../recipients/recipients.js';
import { type Campaigns, campaignStep, openCampaigns } from '../repositories/campaign-repository.js';
import { MemoryEventStore } from '../testing/memory-event-store.js';
import { remainsIn } from '../testing/remains.js';
import { claimFile, holdFile } from './file-claims.js';
import { ImportRunner, type ImportRunnerParts } from './import-runner.js';
import { usualLimits } from './import-types.js';

const organizationId = randomUUID();
const logger = createLogger({ service: 'test', level: 'silent' });
const rowsOf = (count: number): string =>
  `phone,name\n${Array.from({ length: count }, (_, i) => `+1415${2_000_000 + i},N${i}`).join('\n')}\n`;

let engines: TestEngines;
let url: Secret;
let db: Database;
let campaigns: Campaigns;
const files = new Map<string, () => Readable | undefined>();
const runners: ImportRunner[] = [];

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  ({ url } = await engines.databaseFor('outbound-dialer'));
  db = createDatabase({ url, applicationName: 'test', max: 6 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  campaigns = openCampaigns(new MemoryEventStore());
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await db.end();
  await engines.stop();
});

const created = (sourceFileKey: string): Created['data'] => ({
  ...{
    organizationId,
    name: 'c',
    agentId: randomUUID(),
    agentName: 'a',
    configVersion: 1,
    allowedOverrides: [],
    provider: null,
    sid: null,
  },
  ...{ sourceFileKey, sourceFileName: 'people.csv', fileBytes: 1, scheduledAt: null, timezone: 'UTC' },
  ...{ ringingTimeoutSeconds: 30, callsPerSecond: 1, maxConcurrency: null, callingWindow: null },
  retryPolicy: { maxAttempts: 1, delaySeconds: 30, on: [] },
  circuitBreaker: { enabled: false, failureThreshold: 1, windowSeconds: 60, minCalls: 1 },
  ...{ duplicates: 'first', createdBy: 'u', createdAt: new Date().toISOString() },
});

/** A campaign that waits for its file. */
const waiting = async (file: () => Readable | undefined): Promise<string> => {
  const id = randomUUID();
  files.set(id, file);
  const now = new Date().toISOString();
  const command = {
    type: 'CreateCampaign' as const,
    created: created(id),
    personal: { fromNumber: '+14155550100' },
  };
  const { state } = await campaigns(id, command, campaignStep(organizationId, id, 'create', now));
  await db.query(
    `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
     values ($1, $2, $1, 'validating', now(), now(), 0, $3)`,
    [id, organizationId, JSON.stringify(state)],
  );
  return id;
};

const start = (more: Partial<ImportRunnerParts> = {}): ImportRunner => {
  const runner = new ImportRunner({
    ...{ db, campaigns, logger, clock: systemClock, ids: systemIds, limits: usualLimits },
    storage: { open: async (key) => files.get(key)?.() },
    personalData: { seal: async () => '', hashes: async () => [] },
    hashNumbers: async (numbers) => numbers.map((number) => `hash of ${number}`),
    recipientForm: { isSealed: async () => false },
    allowedCountries: async () => ['US'],
    askPlaceholders: async () => ({ placeholders: [] }),
    ...more,
  });
  runners.push(runner);
  runner.start();
  return runner;
};

const phaseOf = async (id: string): Promise<string> => (await campaigns.load(id)).state.phase;
const counted = async (id: string): Promise<{ n: number; calls: number }> => {
  const { rows } = await db.query<{ n: number; calls: number }>(
    `select count(*)::int as n, count(distinct outbound_call_id)::int as calls from campaign_recipients where campaign_id = $1`,
    [id],
  );
  return rows[0] ?? { n: -1, calls: -1 };
};
const refusedRows = async (id: string): Promise<number[]> => {
  const { rows } = await db.query<{ row_number: number }>(
    'select row_number from campaign_refused_rows where campaign_id = $1 order by row_number',
    [id],
  );
  return rows.map(({ row_number }) => row_number);
};
/** Waits for it, and tells the read model, which nothing else keeps here. */
const became = async (id: string, phase: string): Promise<void> => {
  await eventually(async () => expect(await phaseOf(id)).toBe(phase), { timeoutMs: 60_000 });
  await db.query('update campaigns set status = $2 where id = $1', [id, phase]);
};
/** Streams that take no command until they are woken. */
const sleeping = () => {
  let [wake, asleep] = [(): void => undefined, false];
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const late = async (...given: Parameters<Campaigns>): ReturnType<Campaigns> => {
    asleep = true;
    await awake;
    return campaigns(...given);
  };
  return { campaigns: Object.assign(late, { load: campaigns.load }), wake, isAsleep: () => asleep };
};
/** A clock that is ahead: to it, every claim of the others has run out. */
const ahead: Clock = { ...systemClock, now: () => new Date(Date.now() + 120_000) };

describe('a file of a campaign', () => {
  it('becomes recipients, whose counts are those of the rows, and the campaign is scheduled', async () => {
    const id = await waiting(() => Readable.from([rowsOf(9_000)]));
    const runner = start();
    await became(id, 'scheduled');
    await runner.stop();
    expect(await counted(id)).toEqual({ n: 9_000, calls: 9_000 });
    expect(await checkCampaign(db, id)).toEqual([]);
    const { rows } = await db.query(
      'select phone_number, time_zones, row, state from campaign_recipients where campaign_id = $1 and row_number = 2',
      [id],
    );
    expect(rows).toEqual([
      {
        phone_number: '+14152000000',
        time_zones: ['America/Los_Angeles'],
        row: { variables: { name: 'N0' } },
        state: 'pending',
      },
    ]);
    const { state } = await campaigns.load(id);
    expect(state).toMatchObject({ file: { rows: 9_000, accepted: 9_000, rejected: 0, duplicates: 0 } });
  });

  it('is stored sealed where every process reads it so, and is listed as it was written', async () => {
    const keyring = keyringOf({ KEK_ID: 'kek-1', KEK: new Secret(randomBytes(32).toString('base64')) });
    const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
    const file = 'phone,name\n+14155550171,Zoë\n415-555-0x72,Ada\n+14155550173,Grace\n';
    const id = await waiting(() => Readable.from([file]));
    const runner = start({ personalData, recipientForm: { isSealed: async () => true } });
    await became(id, 'scheduled');
    await runner.stop();
    const marks = ['+14155550171', '14155550173', 'Zoë', 'Grace', '415-555-0x72'];
    expect(await remainsIn(db, marks)).toEqual([]);
    const [parts, key] = [
      { db, personalData },
      { organizationId, campaignId: id },
    ];
    const page = { after: 0, limit: 10 };
    const people = await listRecipients(parts, key, undefined, page);
    expect(people.map(({ rowNumber, phoneNumber, row }) => [rowNumber, phoneNumber, row])).toEqual([
      [2, '+14155550171', { variables: { name: 'Zoë' } }],
      [4, '+14155550173', { variables: { name: 'Grace' } }],
    ]);
    expect(await listRefusedRows(parts, key, page)).toMatchObject([
      { rowNumber: 3, phoneNumber: '415-555-0x72', code: 'INVALID_PHONE' },
    ]);
    const { rowCount } = await db.query('select from sealed_campaigns where campaign_id = $1', [id]);
    expect(rowCount).toBe(1);
  });

  it('leaves out numbers on the list of the organization, by number or hash alone, and on that of the operator', async () => {
    const suppressed = (phoneNumber: string | null, hash: string | null) =>
      db.query(
        `insert into suppressions (id, organization_id, phone_number, number_hash, created_at)
         values ($1, $2, $3, $4, now())`,
        [randomUUID(), organizationId, phoneNumber, hash],
      );
    await suppressed('+14155550191', null);
    await suppressed(null, 'hash of +14155550192');
    await db.query(
      `insert into operator_suppressions (number_hash, reason, added_at) values ('hash of +14155550193', 'registry', now())`,
    );
    const numbers = [191, 192, 193, 194].map((end) => `+14155550${end}`);
    const id = await waiting(() => Readable.from([`phone\n${numbers.join('\n')}\n`]));
    const runner = start();
    await became(id, 'scheduled');
    await runner.stop();
    expect((await campaigns.load(id)).state).toMatchObject({ file: { accepted: 1, rejected: 3 } });
    const { rows } = await db.query('select code from campaign_refused_rows where campaign_id = $1', [id]);
    expect(rows).toEqual([{ code: 'SUPPRESSED' }, { code: 'SUPPRESSED' }, { code: 'SUPPRESSED' }]);
    await db.query('delete from suppressions');
    await db.query('delete from operator_suppressions');
  });

  it('that is refused leaves no recipient behind, and the campaign says why', async () => {
    const id = await waiting(() => Readable.from([rowsOf(6_000)]));
    const runner = start({ limits: { ...usualLimits, maxRows: 5_000 } });
    await became(id, 'failed');
    await runner.stop();
    expect((await campaigns.load(id)).state).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: 'the file has more than 5000 rows',
    });
    expect((await counted(id)).n).toBe(0);
    expect(await checkCampaign(db, id)).toEqual([]);
  });

  it('that was never uploaded fails the campaign', async () => {
    const id = await waiting(() => undefined);
    const runner = start();
    await became(id, 'failed');
    await runner.stop();
    expect((await campaigns.load(id)).state).toMatchObject({ code: 'FILE_INVALID' });
  });

  it('of which somebody read half is read anew: no recipient twice, none too few', async () => {
    const id = await waiting(() => Readable.from([rowsOf(9_000).replace('\n', '\nnone,X\n')]));
    let batches = 0;
    const { opened: asleep, open: wake } = gate();
    // the first copy falls asleep in the middle of the file
    const half: ImportRunnerParts['db'] = {
      activity: db.activity,
      query: (statement, values) => db.query(statement, values),
      transaction: async (work) => {
        batches += 1;
        if (batches > 3) await asleep;
        return db.transaction(work);
      },
    };
    const sleeper = start({ db: half });
    await eventually(async () => expect((await counted(id)).n).toBeGreaterThan(0), { timeoutMs: 60_000 });
    expect(await phaseOf(id)).toBe('validating');
    const heir = start({ clock: ahead });
    await became(id, 'scheduled');
    await heir.stop();
    wake();
    await sleeper.stop();
    expect(await counted(id)).toEqual({ n: 9_000, calls: 9_000 });
    expect(await refusedRows(id)).toEqual([2]);
    expect(await checkCampaign(db, id)).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'that somebody fell asleep over with only the telling left is told once, and stays as it is: they wake %s the heir tells',
    async (when) => {
      const id = await waiting(() => Readable.from([rowsOf(6_000)]));
      const [sleeper, heir] = [sleeping(), sleeping()];
      const own = createDatabase({ url, applicationName: 'sleeper', max: 2 });
      const first = start({ db: own, campaigns: sleeper.campaigns });
      await eventually(async () => expect(sleeper.isAsleep()).toBe(true), { timeoutMs: 60_000 });
      // as the database does with a connection that stays silent for a while
      await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sleeper'`,
      );
      const second = start({ clock: ahead, campaigns: heir.campaigns });
      await eventually(async () => expect(heir.isAsleep()).toBe(true), { timeoutMs: 60_000 });
      expect((await campaigns.load(id)).revision).toBe(0n);
      const [one, other] = when === 'before' ? [sleeper, heir] : [heir, sleeper];
      one.wake();
      await became(id, 'scheduled');
      other.wake();
      await Promise.all([first.stop(), second.stop()]);
      await own.end();
      expect((await campaigns.load(id)).revision).toBe(1n);
      expect(await counted(id)).toEqual({ n: 6_000, calls: 6_000 });
      expect(await checkCampaign(db, id)).toEqual([]);
    },
  );

  it('waits while the storage is down, and is no failed try', async () => {
    let isDown = true;
    const id = await waiting(() => Readable.from([rowsOf(10)]));
    const down = new AppError('STORAGE_UNAVAILABLE');
    const storage: ImportRunnerParts['storage'] = {
      open: async (key) => {
        if (isDown && key === id) throw down;
        return files.get(key)?.();
      },
    };
    const runner = start({ storage, clock: { ...systemClock, now: () => new Date(Date.now() + 240_000) } });
    await eventually(
      async () => {
        const { rows } = await db.query('select tries from file_claims where campaign_id = $1', [id]);
        expect(rows).toEqual([{ tries: 0 }]);
      },
      { timeoutMs: 60_000 },
    );
    expect(await phaseOf(id)).toBe('validating');
    isDown = false;
    await became(id, 'scheduled');
    await runner.stop();
  });

  it('that kills whoever reads it is given up after five tries', async () => {
    const id = await waiting(() => Readable.from([rowsOf(10)]));
    await db.query(`insert into file_claims values ($1, 'dead', now() - interval '1 second', 5)`, [id]);
    const runner = start();
    await became(id, 'failed');
    await runner.stop();
    expect((await campaigns.load(id)).state).toMatchObject({
      message: 'the file could not be read in 5 tries',
    });
  });
});

describe('a claim', () => {
  it('goes to one of many who ask, and ends with the cancellation of its campaign', async () => {
    const id = await waiting(() => undefined);
    const now = new Date();
    const times = { now, forMs: 60_000 };
    const holders = Array.from({ length: 20 }, (_, i) => `h${i}`);
    const claims = await Promise.all(holders.map((holder) => claimFile(db, holder, times)));
    const mine = claims.filter((claim) => claim?.campaignId === id);
    expect(mine).toHaveLength(1);
    const [claim] = mine;
    if (claim === undefined) throw new Error('nobody has it');
    await db.transaction((tx) => holdFile(tx, claim, times));
    await db.transaction((tx) => stopClaims(tx, id));
    await expect(db.transaction((tx) => holdFile(tx, claim, times))).rejects.toThrow(
      'nobody needs it any more',
    );
    await db.query(`update campaigns set status = 'cancelled' where id = $1`, [id]);
  });
});
