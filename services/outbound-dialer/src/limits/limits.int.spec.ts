// What the operator decides, in a real database: rates that are replaced, and limits of single organizations.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@parlance/persistence';
import { type TestEngines, testEngines } from '@parlance/testing';
import { importRates } from '../spend/import-rates.js';
import { currentRates, knownRates } from '../spend/rates.js';
import { usualLimits } from './limits-env.js';
import { operatorLimitsOf, recordEverybodysLimits, setLimits } from './operator-limits.js';

let engines: TestEngines;
let db: Database;
const now = new Date('2026-06-01T12:00:00.000Z');

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 5 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const table = (currency: string, ...rates: readonly (readonly [string, number])[]) => ({
  currency,
  rates: new Map(rates),
});

const load = (rates: ReturnType<typeof table>) => importRates(db, rates, { id: randomUUID(), now });

describe('the rates in force', () => {
  it('are those that are built in until a table is imported, which counts from then on', async () => {
    expect((await currentRates(db)).currency).toBe('USD');
    await load(table('EUR', ['49', 1_000], ['4915', 2_000]));
    const current = await currentRates(db);
    expect([current.currency, current.microsPerStartedMinute('+4915112345678')]).toEqual(['EUR', 2_000]);
    expect(await currentRates(db)).toBe(current);
  });

  it('are one whole table, however many imports happen at the same time', async () => {
    const large = Array.from({ length: 12_000 }, (_, index) => [`7${index}`, 5] as const);
    const looks = Array.from({ length: 20 }, () => knownRates(db));
    await Promise.all([load(table('GBP', ...large)), load(table('CHF', ['41', 1])), ...looks]);
    const whole = [
      ['EUR', 2],
      ['GBP', 12_000],
      ['CHF', 1],
    ];
    for (const seen of [...looks, knownRates(db)]) {
      const { currency, rates } = await seen;
      expect(whole).toContainEqual([currency, rates.size]);
    }
    const { rows } = await db.query<{ tables: number }>('select count(*)::int as tables from rate_tables');
    expect(rows[0]?.tables).toBe(1);
  });
});

describe("an organization's limits", () => {
  const everybodys = {
    dayMicros: 100,
    monthMicros: 1_000,
    numbers: 25,
    concurrentCalls: null,
    countries: null,
  };
  const limitsOf = (organizationId: string) => operatorLimitsOf(db, organizationId);

  it("are everybody's but for what was set for it, until that is taken back", async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    expect(await limitsOf(mine)).toEqual(usualLimits);
    await recordEverybodysLimits(db, everybodys, now);
    expect(await limitsOf(mine)).toEqual(everybodys);
    await setLimits(db, mine, { dayMicros: null, countries: ['DE'] }, now);
    await setLimits(db, mine, { numbers: 2 }, now);
    expect(await limitsOf(mine)).toEqual({
      ...everybodys,
      dayMicros: null,
      countries: ['DE'],
      numbers: 2,
    });
    await setLimits(db, mine, { dayMicros: undefined, numbers: 3 }, now);
    expect(await limitsOf(mine)).toEqual({ ...everybodys, countries: ['DE'], numbers: 3 });
    expect(await limitsOf(theirs)).toEqual(everybodys);
  });
});
