// The money of numbers in a real database: put aside, spent, given back, and spent again every month.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { recordEverybodysLimits } from '../limits/operator-limits.js';
import { reserving } from './operator-spend.js';
import { chargeMonth, dueNumbers, type HeardNumber, hearOfNumber, reserveNumber } from './paid-numbers.js';
import { readSpend } from './spend-view.js';

let engines: TestEngines;
let db: Database;
const bought = new Date('2027-01-31T12:00:00.000Z');
const timezone = 'Europe/Madrid';
const price = 2_000_000;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 10 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  const none = { concurrentCalls: null, countries: null, callingWindow: null, dailyAttempts: null };
  const limits = { dayMicros: 5_000_000, monthMicros: 8_000_000, numbers: 3, ...none };
  await recordEverybodysLimits(db, limits, bought);
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const organization = () => {
  const organizationId = randomUUID();
  const reserve = (numberId: string, change: object = {}, now = bought): Promise<void> => {
    const usual = { monthlyPriceMicros: price, currency: 'USD', numbersOwned: 1 };
    const when = { dayZone: timezone, now };
    return reserving(db, (tx, shares) =>
      reserveNumber(tx, { organizationId, numberId, ...usual, ...change }, when, shares),
    );
  };
  const hear = (numberId: string, status: HeardNumber['status'], version: number): Promise<void> =>
    db.transaction((tx) => hearOfNumber(tx, { organizationId, numberId, status, version }, bought));
  const spend = (today = '2027-01-31') =>
    readSpend(db, { organizationId, range: { from: today, to: today }, today, utcDay: today });
  const totals = async (today?: string) => {
    const { day, month } = await spend(today);
    return { day, month };
  };
  return { organizationId, reserve, hear, spend, totals };
};
const both = (spentMicros: number, reservedMicros: number) => ({
  day: { spentMicros, reservedMicros },
  month: { spentMicros, reservedMicros },
});

describe('a month of a number', () => {
  it('is put aside once, however often it is asked for, and spent when the number was bought', async () => {
    const { reserve, hear, spend, totals } = organization();
    const id = randomUUID();
    await Promise.all([reserve(id), reserve(id), reserve(id)]);
    expect(await totals()).toEqual(both(0, price));
    await hear(id, 'active', 2);
    await hear(id, 'active', 2);
    expect(await totals()).toEqual(both(price, 0));
    const { byDay } = await spend();
    expect(byDay).toEqual([{ date: '2027-01-31', callsMicros: 0, numbersMicros: price }]);
    await reserve(id);
    expect(await totals()).toEqual(both(price, 0));
  });

  it('is given back when the number was not bought, and a reservation that comes later finds out', async () => {
    const { reserve, hear, totals } = organization();
    const [first, late] = [randomUUID(), randomUUID()];
    await reserve(first);
    await hear(first, 'failed', 2);
    await hear(late, 'failed', 2);
    expect(await totals()).toEqual(both(0, 0));
    for (const id of [first, late])
      await expect(reserve(id)).rejects.toEqual(expect.objectContaining({ code: 'CONFLICT' }));
    expect(await totals()).toEqual(both(0, 0));
  });

  it('stays spent when the number was bought and given back, whatever is heard late or twice', async () => {
    const { reserve, hear, totals } = organization();
    const id = randomUUID();
    await reserve(id);
    await hear(id, 'releasing', 2);
    await hear(id, 'failed', 3);
    await hear(id, 'active', 1);
    await hear(id, 'failed', 3);
    expect(await totals()).toEqual(both(price, 0));
  });

  it('can be neither changed nor reserved by another organization', async () => {
    const [mine, theirs] = [organization(), organization()];
    const id = randomUUID();
    await mine.reserve(id);
    await theirs.hear(id, 'failed', 9);
    await expect(theirs.reserve(id)).rejects.toBeInstanceOf(AppError);
    expect(await mine.totals()).toEqual(both(0, price));
    expect(await theirs.totals()).toEqual(both(0, 0));
  });
});

describe('a purchase', () => {
  const refusal = (details: object) =>
    expect.objectContaining({ code: 'SPEND_LIMIT_REACHED', details: expect.objectContaining(details) });

  it('is refused by the limit that it would pass, of many at the same time too', async () => {
    const { reserve, hear, totals } = organization();
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const answers = await Promise.allSettled(ids.map((id) => reserve(id)));
    const granted = ids.filter((_, index) => answers[index]?.status === 'fulfilled');
    expect(granted).toHaveLength(2);
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toEqual(refusal({ limit: 'day', spentMicros: 0, reservedMicros: 2 * price }));
    await hear(granted[0] ?? '', 'active', 2);
    expect(await totals()).toEqual(both(price, price));
    await expect(reserve(randomUUID(), { numbersOwned: 4 })).rejects.toEqual(
      refusal({ limit: 'numbers', allowed: 3 }),
    );
    const dayBefore = new Date('2027-01-30T12:00:00.000Z');
    await reserve(randomUUID(), { numbersOwned: 3 }, dayBefore);
    await reserve(randomUUID(), { numbersOwned: 3 }, dayBefore);
    await expect(reserve(randomUUID(), {}, new Date('2027-01-29T12:00:00.000Z'))).rejects.toEqual(
      refusal({ limit: 'month' }),
    );
  });

  it('in a currency in which nothing is counted here is refused', async () => {
    const { reserve, totals } = organization();
    await expect(reserve(randomUUID(), { currency: 'EUR' })).rejects.toEqual(
      refusal({ currency: 'USD', priceCurrency: 'EUR' }),
    );
    expect(await totals()).toEqual(both(0, 0));
  });
});

describe('the months after', () => {
  const chargeAll = async (organizationId: string, at: string): Promise<number> => {
    const now = new Date(at);
    let charged = 0;
    for (;;) {
      const due = (await dueNumbers(db, now, 1_000)).filter((one) => one.organizationId === organizationId);
      if (due.length === 0) return charged;
      // Two copies of the service find the same.
      for (const one of due) {
        const twice = [1, 2].map(() =>
          db.transaction((tx) => chargeMonth(tx, one, { dayZone: timezone, now })),
        );
        charged += (await Promise.all(twice)).filter(Boolean).length;
      }
    }
  };

  it('are paid once each for as long as the number is owned, over any limit, on the day on which they begin', async () => {
    const { organizationId, reserve, hear, totals } = organization();
    const id = randomUUID();
    await reserve(id, { monthlyPriceMicros: 5_000_000 });
    expect(await chargeAll(organizationId, '2027-12-31T00:00:00.000Z')).toBe(0);
    await hear(id, 'active', 2);
    expect(await chargeAll(organizationId, '2027-02-28T11:59:59.000Z')).toBe(0);
    expect(await chargeAll(organizationId, '2027-02-28T12:00:00.000Z')).toBe(1);
    expect(await totals('2027-02-28')).toEqual(both(5_000_000, 0));
    // The dialer was away for two months.
    expect(await chargeAll(organizationId, '2027-05-01T00:00:00.000Z')).toBe(2);
    expect(await totals('2027-03-31')).toEqual(both(5_000_000, 0));
    expect(await totals('2027-04-30')).toEqual(both(5_000_000, 0));
    await hear(id, 'releasing', 3);
    expect(await chargeAll(organizationId, '2027-06-01T00:00:00.000Z')).toBe(1);
    await hear(id, 'released', 4);
    expect(await chargeAll(organizationId, '2028-06-01T00:00:00.000Z')).toBe(0);
  });

  it('that take a limit leave no room for another number until the next one begins', async () => {
    const { organizationId, reserve, hear } = organization();
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) {
      await reserve(id);
      await hear(id, 'active', 2);
    }
    await reserve(randomUUID(), { numbersOwned: 3 }, new Date('2027-02-01T12:00:00.000Z'));
    expect(await chargeAll(organizationId, '2027-02-28T12:00:00.000Z')).toBe(2);
    await expect(reserve(randomUUID(), {}, new Date('2027-02-28T13:00:00.000Z'))).rejects.toMatchObject({
      code: 'SPEND_LIMIT_REACHED',
      details: { limit: 'day' },
    });
    await reserve(randomUUID(), {}, new Date('2027-03-01T12:00:00.000Z'));
  });
});

describe('the spending that an organization sees', () => {
  it('has every day of the range, the campaigns that cost something in it, and nothing of anybody else', async () => {
    const { organizationId, reserve, hear } = organization();
    const [id, campaignId, older] = [randomUUID(), randomUUID(), randomUUID()];
    await reserve(id);
    await hear(id, 'active', 2);
    await db.query(
      `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
       select id, $2, id, 'running', now(), now(), 1, $3 from unnest($1::uuid[]) as c (id)`,
      [
        [campaignId, older],
        organizationId,
        JSON.stringify({ created: { name: 'Spring', budget: { maxCostMicros: 9_000 } } }),
      ],
    );
    await db.query(
      `insert into spend_totals (organization_id, period, key, calls_spent, calls_reserved, numbers_spent,
         numbers_reserved, first_day, last_day)
       values ($1, 'campaign', $2, 700, 300, 0, 0, '2027-01-30', '2027-01-31'),
         ($1, 'campaign', $3, 100, 0, 0, 0, '2026-12-01', '2026-12-02'),
         ($1, 'day', '2027-01-29', 700, 300, 0, 0, '2027-01-29', '2027-01-29')`,
      [organizationId, campaignId, older],
    );
    const range = { from: '2027-01-29', to: '2027-02-01' };
    const shown = await readSpend(db, { organizationId, range, today: '2027-01-31', utcDay: '2027-01-31' });
    expect(shown).toEqual({
      currency: 'USD',
      limits: {
        ...{ dayMicros: 5_000_000, monthMicros: 8_000_000, numbers: 3 },
        ...{ concurrentCalls: null, countries: null, callingWindow: null, dailyAttempts: null },
        ...both(price, 0),
      },
      ...both(price, 0),
      byDay: [
        { date: '2027-01-29', callsMicros: 700, numbersMicros: 0 },
        { date: '2027-01-30', callsMicros: 0, numbersMicros: 0 },
        { date: '2027-01-31', callsMicros: 0, numbersMicros: price },
        { date: '2027-02-01', callsMicros: 0, numbersMicros: 0 },
      ],
      byCampaign: [
        { campaignId, name: 'Spring', spentMicros: 700, reservedMicros: 300, budgetMicros: 9_000 },
      ],
    });
    const nobody = organization();
    expect(await nobody.spend()).toMatchObject({ ...both(0, 0), byCampaign: [] });
  });
});
