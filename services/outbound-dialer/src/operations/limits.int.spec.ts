// The operator's decisions in a real database: rates that are replaced, and limits of single organizations.
import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Secret } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { runServiceCommand } from '@parlance/ops';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { importRates } from '../ledger/import-rates.js';
import { currentRates, knownRates } from '../ledger/rates.js';
import { usualInstallationLimits, usualLimits } from '../limits/limits-env.js';
import {
  beginLimits,
  limitsInForce,
  operatorLimitsOf,
  recordEverybodysLimits,
  setLimits,
} from '../limits/operator-limits.js';
import { operations } from './operations.js';

let engines: TestEngines;
let db: Database;
let url: Secret;
const now = new Date('2026-06-01T12:00:00.000Z');

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  ({ url } = await engines.databaseFor('outbound-dialer'));
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
    callingWindow: null,
    dailyAttempts: 5,
  };
  const limitsOf = (organizationId: string) => operatorLimitsOf(db, organizationId);

  it('are those of every organization, except limits set for it alone, until these are taken back', async () => {
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

describe('an organization that begins', () => {
  it('has no money until the operator gives it some, and the limits that were set for earlier ones of its owner', async () => {
    const [earlier, gone, next] = [randomUUID(), randomUUID(), randomUUID()];
    await setLimits(db, earlier, { numbers: 4, countries: ['DE', 'US'], dailyAttempts: 2 }, now);
    await setLimits(db, gone, { numbers: 2, countries: ['US'], monthMicros: 5_000 }, now);
    await beginLimits(db, next, { isFunded: false, earlierIds: [earlier, gone] }, now);
    expect(await operatorLimitsOf(db, next)).toMatchObject({
      dayMicros: 0,
      monthMicros: 0,
      numbers: 2,
      countries: ['US'],
      dailyAttempts: 2,
    });
    await setLimits(db, next, { dayMicros: 90, monthMicros: 900 }, now);
    expect(await operatorLimitsOf(db, next)).toMatchObject({ dayMicros: 90, monthMicros: 900, numbers: 2 });
  });
});

describe('the commands of the operator', () => {
  const run = async (args: readonly string[], file = '') => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const status = await runServiceCommand(operations, {
      ...{ args, output, errors, input: Readable.from([file]) },
      variables: { POSTGRES_URL: url.reveal() },
    });
    return { status, output: String(output.read() ?? ''), errors: String(errors.read() ?? '') };
  };

  it('set limits of one organization, show them, and take them back', async () => {
    const id = randomUUID();
    const set = [
      '--day',
      '50',
      '--month',
      'none',
      '--numbers',
      '5',
      '--concurrent',
      '0',
      '--countries',
      'us,DE',
    ];
    const { status, output } = await run(['limits', id, ...set]);
    expect(status).toBe(0);
    expect(output).toMatch(/money a day +50\.00 [A-Z]{3} +set for this organization/);
    expect(output).toMatch(/money a month +no limit +set for/);
    expect(output).toMatch(/countries +DE, US +set for/);
    expect(output).toContain('Is its id right?');
    expect(await operatorLimitsOf(db, id)).toEqual({
      ...{ dayMicros: 50_000_000, monthMicros: null, numbers: 5 },
      ...{ concurrentCalls: 0, countries: ['DE', 'US'] },
      callingWindow: null,
      dailyAttempts: 5,
    });
    expect((await run(['limits', id, '--day', 'default'])).output).toMatch(/money a day .*as for everybody/);
    expect((await run(['limits', id])).output).toMatch(/numbers owned +5 /);
  });

  it('set limits of the installation, show them with their use, and take them back', async () => {
    const { status, output } = await run(['limits', 'installation', '--day', '70', '--concurrent', 'none']);
    expect(status).toBe(0);
    expect(output).toMatch(/money a day +70\.00 [A-Z]{3} +set by command/);
    expect(output).toMatch(/calls at once +no limit +set by command/);
    expect(output).toMatch(/numbers owned +250 +from the environment/);
    expect(output).toContain('0 calls in progress');
    expect((await limitsInForce(db, randomUUID())).installation).toEqual({
      ...usualInstallationLimits,
      dayMicros: 70_000_000,
      concurrentCalls: null,
    });
    const again = await run(['limits', 'installation', '--day', 'default', '--concurrent', 'default']);
    expect(again.output).toMatch(/money a day .*from the environment/);
    expect((await run(['limits', 'installation', '--countries', 'US'])).errors).toContain(
      'of organizations only',
    );
  });

  it.each([
    [['limits'], 'Which organization?'],
    [['limits', 'a b'], 'is not the id of one organization'],
    [['limits', 'a', 'b'], 'is not the id of one organization'],
    [['limits', 'a', '--day', '1e3'], '--day takes an amount'],
    [['limits', 'a', '--month', '1,5'], '--month takes an amount'],
    [['limits', 'a', '--numbers', '2.5'], '--numbers takes a whole number'],
    [['limits', 'a', '--concurrent', '-1'], '--concurrent'],
    [['limits', 'a', '--countries', 'USA'], '"USA" is not a country'],
    [['limits', 'a', '--days', '5'], '--days'],
    [['rates', 'export'], '"export" is not known'],
    [['rates', 'import'], 'Which file?'],
  ])('say what is wrong with %j', async (args, expected) => {
    const { status, errors } = await run(args);
    expect([status, errors]).toEqual([2, expect.stringContaining(expected)]);
  });

  it('import rates in the form in which they are shown, and nothing of a file with a fault', async () => {
    await load(table('USD', ['49', 30_000]));
    const shown = (await run(['rates'])).output;
    expect(shown).toContain('# 1 rate per started minute, imported at');
    const more = `${shown}4915,USD,0.18\n`;
    expect(await run(['rates', 'import', '-'], more)).toMatchObject({
      status: 0,
      output: expect.stringContaining('2 rates in USD are in force.'),
    });
    const broken = await run(['rates', 'import', '-'], `${more}50,USD,free\n`);
    expect(broken.status).toBe(1);
    expect(broken.errors).toMatch(/not imported; .*stay as they are\.\nLine 6: the price/);
    expect(await run(['rates', 'import', '/nowhere.csv'])).toMatchObject({
      status: 1,
      errors: expect.stringContaining('/nowhere.csv cannot be read (ENOENT)'),
    });
    expect((await knownRates(db)).rates.size).toBe(2);
  });

  it('refuse rates in another currency once money was spent', async () => {
    await db.query(
      `insert into spend_totals (organization_id, period, key, calls_spent, calls_reserved, numbers_spent,
         numbers_reserved, first_day, last_day) values ('o', 'day', '2026-06-01', 1, 0, 0, 0, '2026-06-01', '2026-06-01')`,
    );
    const { status, errors } = await run(['rates', 'import', '-'], 'prefix,currency,price\n49,EUR,1\n');
    expect([status, errors]).toEqual([1, expect.stringContaining('Give the prices in USD.')]);
    expect((await knownRates(db)).currency).toBe('USD');
  });
});
