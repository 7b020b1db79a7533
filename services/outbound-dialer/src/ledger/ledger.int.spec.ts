// The ledger in a real Postgres: under requests at the same time, and compared with its model.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stormSize, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate, type Tx } from '@parlance/postgres';
import fc from 'fast-check';
import { organizationId } from '../testing/histories.js';
import { type LedgerPort, MemoryLedger } from '../testing/memory-ledger.js';
import { PostgresLedger } from '../testing/postgres-ledger.js';
import { historyStep } from '../testing/spend-steps.js';
import { SpendWorld } from '../testing/spend-world.js';
import { spendLimitReached } from './call-spending.js';
import { callSubject, release, reserve, type Spending, settle, type Wanted } from './ledger.js';
import { letThrough, numbersInCall } from './let-through.js';
import {
  type InstallationMost,
  installationUse,
  reserving,
  unlimitedInstallation,
} from './operator-spend.js';
import { readSpend } from './spend-view.js';
import { totalsOf } from './totals.js';

let engines: TestEngines;
let db: Database;
const now = new Date('2026-03-31T12:00:00.000Z');
/** The full storm: `PARLANCE_TEST_HISTORIES=10000` of the model, a hundredth of them here. */
const histories = Math.ceil(stormSize('PARLANCE_TEST_HISTORIES', 3_000) / 100);

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 10 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const spendingOf = (organization: string, dayMicros: number | null): Spending => ({
  ...{ organizationId: organization, kind: 'call', campaignId: null, isQuick: true },
  ...{ day: '2026-03-31', utcDay: '2026-03-31', currency: 'USD' },
  most: {
    dayMicros,
    monthMicros: null,
    campaignMicros: null,
    quickMicros: null,
    installation: unlimitedInstallation,
  },
});
const wantedOf = (outboundCallId: string = randomUUID()): Wanted => ({
  ...{ subject: callSubject(outboundCallId, 1), micros: 10 },
  call: { outboundCallId, attempt: 1, isRenewed: true, rateMicros: 10, seconds: 60 },
});
const toDial = (organization: string, outboundCallId: string, numberHash = outboundCallId) => ({
  organizationId: organization,
  outboundCallId,
  attempt: 1,
  numberHash,
});
const dayTotal = async (organization: string) =>
  (await totalsOf(db, organization, [{ period: 'day', key: '2026-03-31' }]))[0];

describe('the ledger', () => {
  it('grants as many requests as there is room for, although they come at the same time', async () => {
    const organization = randomUUID();
    const asked = Array.from({ length: 30 }, () =>
      db.transaction((tx) => reserve(tx, spendingOf(organization, 55), wantedOf(), now, 'moving')),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ granted }) => granted)).toHaveLength(5);
    expect(answers.find(({ granted }) => !granted)).toMatchObject({ limit: 'day' });
    expect(await dayTotal(organization)).toEqual({ spentMicros: 0, reservedMicros: 50 });
  });

  it('counts a subject once, however often it is reserved, settled and reserved again', async () => {
    const organization = randomUUID();
    const spending = spendingOf(organization, 10);
    const wanted = wantedOf();
    const ask = () => db.transaction((tx) => reserve(tx, spending, wanted, now, 'moving'));
    expect([await ask(), await ask()]).toEqual([{ granted: true }, { granted: true }]);
    expect(await dayTotal(organization)).toEqual({ spentMicros: 0, reservedMicros: 10 });
    for (const micros of [4, 9])
      await db.transaction((tx) => settle(tx, organization, { subject: wanted.subject, micros }, now));
    expect(await ask()).toEqual({ granted: true });
    expect(await dayTotal(organization)).toEqual({ spentMicros: 4, reservedMicros: 0 });
  });

  it('never charges more than was put aside', async () => {
    const organization = randomUUID();
    const wanted = wantedOf();
    await db.transaction((tx) => reserve(tx, spendingOf(organization, 10), wanted, now, 'moving'));
    await db.transaction((tx) => settle(tx, organization, { subject: wanted.subject, micros: 99 }, now));
    expect(await dayTotal(organization)).toEqual({ spentMicros: 10, reservedMicros: 0 });
  });

  it('lets nothing through that was released, and releases nothing that was let through', async () => {
    const organization = randomUUID();
    const [gone, dialled] = [randomUUID(), randomUUID()];
    for (const id of [gone, dialled])
      await db.transaction((tx) => reserve(tx, spendingOf(organization, 100), wantedOf(id), now, 'moving'));
    await db.transaction((tx) => release(tx, organization, [callSubject(gone, 1)]));
    expect(await letThrough(db, toDial(organization, gone))).toEqual({ kind: 'unpaid' });
    expect(await letThrough(db, toDial(organization, dialled))).toEqual({ kind: 'through', seconds: 60 });
    await db.transaction((tx) => release(tx, organization, [callSubject(dialled, 1)]));
    expect(await dayTotal(organization)).toEqual({ spentMicros: 0, reservedMicros: 10 });
  });

  it('knows no other organization’s reservations', async () => {
    const [own, other] = [randomUUID(), randomUUID()];
    const id = randomUUID();
    await db.transaction((tx) => reserve(tx, spendingOf(own, 10), wantedOf(id), now, 'moving'));
    expect(await letThrough(db, toDial(other, id))).toEqual({ kind: 'unpaid' });
    const settlement = { subject: callSubject(id, 1), micros: 10 };
    await db.transaction((tx) => settle(tx, other, settlement, now));
    await db.transaction((tx) => release(tx, other, [settlement.subject]));
    expect(await dayTotal(own)).toEqual({ spentMicros: 0, reservedMicros: 10 });
  });

  it('keeps the books that its model keeps, whatever happens', async () => {
    const books = async (ledger: LedgerPort) => {
      const rows = (await ledger.rows()).map((row) => JSON.stringify(row)).sort();
      return { rows, totals: (await ledger.totals()).map((row) => JSON.stringify(row)).sort() };
    };
    const steps = fc.array(historyStep, { minLength: 20, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        await db.query('delete from spend_reservations where organization_id = $1', [organizationId]);
        await db.query('delete from spend_totals where organization_id = $1', [organizationId]);
        await db.query('delete from operator_spend');
        const ledgers = [new MemoryLedger(), new PostgresLedger(db)] as const;
        const worlds = ledgers.map((ledger) => new SpendWorld(ledger));
        for (const step of history) for (const world of worlds) await world.take(step);
        expect(await books(ledgers[1])).toEqual(await books(ledgers[0]));
        for (const world of worlds) await world.finish();
        expect(await books(ledgers[1])).toEqual(await books(ledgers[0]));
        expect(await worlds[1]?.leftovers()).toEqual([]);
      }),
      { numRuns: histories },
    );
  }, 600_000);
});

describe('the limits of the installation', () => {
  /** A day on which nothing else is spent. */
  const day = '2031-05-06';
  const limited = (organization: string, installation: Partial<InstallationMost>): Spending => {
    const spending = spendingOf(organization, null);
    return {
      ...spending,
      utcDay: day,
      most: { ...spending.most, installation: { ...unlimitedInstallation, ...installation } },
    };
  };
  const ask = (organization: string, installation: Partial<InstallationMost>) =>
    reserving(db, (tx, shares) => reserve(tx, limited(organization, installation), wantedOf(), now, shares));

  it('let through as much as fits, although many organizations ask at the same time', async () => {
    const organizations = Array.from({ length: 24 }, () => randomUUID());
    const answers = await Promise.all(
      organizations.map((organization) => ask(organization, { dayMicros: 105 })),
    );
    expect(answers.filter(({ granted }) => granted)).toHaveLength(10);
    expect(answers.find(({ granted }) => !granted)).toMatchObject({ limit: 'day', scope: 'installation' });
    expect((await installationUse(db, day)).day).toEqual({ spentMicros: 0, reservedMicros: 100 });
    // Of a limit that others have used up, the refused organization learns that it is full, and its own amounts.
    const refusal = await ask(randomUUID(), { dayMicros: 105 });
    const error = refusal.granted ? undefined : spendLimitReached(refusal);
    expect([error?.code, error?.details]).toEqual([
      'SPEND_LIMIT_REACHED',
      { limit: 'day', scope: 'installation', spentMicros: 0, reservedMicros: 0 },
    ]);
    // A higher limit holds at once, wherever its shares lie.
    expect(await ask(randomUUID(), { dayMicros: 115 })).toEqual({ granted: true });
    expect(await ask(randomUUID(), { dayMicros: 115 })).toMatchObject({ granted: false });
  });

  it('count the calls in progress of all organizations until they are settled', async () => {
    const before = (await installationUse(db, day)).calls;
    const most = { concurrentCalls: before + 1 };
    const [first, second] = [randomUUID(), randomUUID()];
    const wanted = wantedOf();
    await reserving(db, (tx, shares) => reserve(tx, limited(first, most), wanted, now, shares));
    const refusal = await ask(second, most);
    expect(refusal).toMatchObject({ granted: false, limit: 'calls', scope: 'installation' });
    const error = refusal.granted ? undefined : spendLimitReached(refusal);
    expect([error?.code, error?.details]).toEqual(['CONCURRENCY_LIMIT', { scope: 'installation' }]);
    await db.transaction((tx) => settle(tx, first, { subject: wanted.subject, micros: 1 }, now));
    expect(await ask(second, most)).toEqual({ granted: true });
  });
});

describe('a number in a call', () => {
  it('is called by one attempt of the organization at a time, until that attempt is settled', async () => {
    const organization = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    for (const id of [first, second])
      await db.transaction((tx) => reserve(tx, spendingOf(organization, null), wantedOf(id), now, 'moving'));
    expect(await letThrough(db, toDial(organization, first, 'hash'))).toMatchObject({ kind: 'through' });
    // The same attempt may be looked at again.
    expect(await letThrough(db, toDial(organization, first, 'hash'))).toMatchObject({ kind: 'through' });
    expect(await letThrough(db, toDial(organization, second, 'hash'))).toEqual({ kind: 'busy' });
    expect(await numbersInCall(db, organization, ['hash', 'other'])).toEqual(new Set(['hash']));
    await db.transaction((tx) =>
      settle(tx, organization, { subject: callSubject(first, 1), micros: 1 }, now),
    );
    expect(await letThrough(db, toDial(organization, second, 'hash'))).toMatchObject({ kind: 'through' });
  });

  it('is called by another organization all the same', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    for (const organization of [one, other]) {
      const id = randomUUID();
      await db.transaction((tx) => reserve(tx, spendingOf(organization, null), wantedOf(id), now, 'moving'));
      expect(await letThrough(db, toDial(organization, id, 'shared'))).toMatchObject({ kind: 'through' });
    }
  });

  it('is taken by one of many attempts that are let through at the same moment', async () => {
    const organization = randomUUID();
    const ids = Array.from({ length: 8 }, () => randomUUID());
    for (const id of ids)
      await db.transaction((tx) => reserve(tx, spendingOf(organization, null), wantedOf(id), now, 'moving'));
    const answers = await Promise.allSettled(
      ids.map((id) => letThrough(db, toDial(organization, id, 'rush'))),
    );
    // An attempt that loses in the unique index is refused by the database: uncertain means not now.
    const through = answers.filter((one) => one.status === 'fulfilled' && one.value.kind === 'through');
    expect(through).toHaveLength(1);
  });

  it('has one attempt let through and not settled, whatever order attempts are let through and settled in', async () => {
    // Two at a time, as by two dialers.
    const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: 5, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(pairs, async (steps) => {
        const organization = randomUUID();
        const calls = Array.from({ length: 6 }, (_, index) => ({ id: randomUUID(), hash: `n${index % 2}` }));
        for (const { id } of calls)
          await db.transaction((tx) =>
            reserve(tx, spendingOf(organization, null), wantedOf(id), now, 'moving'),
          );
        const [open, over] = [new Map<string, string>(), new Set<string>()];
        /** Settles an attempt that is let through, and lets through any other. */
        const step = async (which: number): Promise<void> => {
          const { id, hash } = calls[which] ?? { id: '', hash: '' };
          if (over.has(id)) return;
          if (open.get(hash) === id) {
            over.add(id);
            open.delete(hash);
            await db.transaction((tx) =>
              settle(tx, organization, { subject: callSubject(id, 1), micros: 1 }, now),
            );
            return;
          }
          const wasFree = !open.has(hash);
          const answer = await letThrough(db, toDial(organization, id, hash)).catch(() => undefined);
          if (answer?.kind !== 'through') return;
          expect([wasFree, open.has(hash)]).toEqual([true, false]);
          open.set(hash, id);
        };
        for (const [one, other] of steps) {
          await Promise.all(one === other ? [step(one)] : [step(one), step(other)]);
          const { rows } = await db.query<{ hash: string; id: string }>(
            `select number_hash as hash, outbound_call_id as id from spend_reservations
             where organization_id = $1 and settled_at is null and dialled_attempt >= attempt`,
            [organization],
          );
          expect(new Map(rows.map(({ hash, id }) => [hash, id]))).toEqual(open);
          expect(rows).toHaveLength(open.size);
        }
        return undefined;
      }),
      { numRuns: 8 },
    );
  });
});

describe('the figures of an organization', () => {
  it('are of one moment, although money is spent before each statement', async () => {
    const organization = randomUUID();
    const spend = async (): Promise<void> => {
      const wanted = wantedOf();
      await db.transaction((tx) => reserve(tx, spendingOf(organization, null), wanted, now, 'moving'));
      await db.transaction((tx) => settle(tx, organization, { subject: wanted.subject, micros: 10 }, now));
    };
    await spend();
    const interrupted: Tx = {
      query: async (...given) => {
        await spend();
        return db.query<never>(...given);
      },
    };
    const range = { from: '2026-03-31', to: '2026-03-31' };
    const { day, month, byDay } = await readSpend(interrupted, {
      ...{ organizationId: organization, range, today: '2026-03-31', utcDay: '2026-03-31' },
    });
    expect(day.spentMicros).toBeGreaterThanOrEqual(20);
    expect(month.spentMicros).toBe(day.spentMicros);
    expect(byDay).toMatchObject([{ callsMicros: day.spentMicros }]);
  });
});
