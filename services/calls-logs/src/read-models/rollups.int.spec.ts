// The rollups beside a recount of the calls that they come from, on a real Postgres, after random histories.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import fc from 'fast-check';
import { countCalls } from '../dashboard/counts.js';
import { parseRange } from '../dashboard/ranges.js';
import { type Delivery, deliveries, organizations } from '../testing/call-histories.js';
import {
  agentTotalsOf,
  type CallRow,
  comparable,
  countBy,
  isCounted,
  recount,
  totalsOf,
} from '../testing/recount.js';
import { projectIntoIndex } from './call-index-projection.js';
import { indexTables } from './call-index-tables.js';
import { bucketOf, grains } from './rollups-grains.js';

let engines: TestEngines;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('calls-logs');
  db = createDatabase({ url, applicationName: 'rollups', max: 2 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const empty = () => db.query(`truncate ${indexTables.join(', ')}`);
beforeEach(empty);

const deliver = async (batches: Delivery['batches']): Promise<void> => {
  await empty();
  for (const batch of batches) await db.transaction((tx) => projectIntoIndex(tx, batch));
};

const callsOf = async (organizationId: string): Promise<CallRow[]> =>
  (await db.query<CallRow>('select * from call_index where organization_id = $1', [organizationId])).rows;

/** Everything in the read model, in an order of its own. */
const contents = async (): Promise<unknown[]> =>
  Promise.all(
    indexTables.map(async (table) => {
      const { rows } = await db.query(`select to_jsonb(t)::text as row from ${table} t order by 1`);
      return [table, rows.map(({ row }) => row)];
    }),
  );

const property = (check: (delivery: Delivery) => Promise<void>, numRuns: number): Promise<void> =>
  fc.assert(fc.asyncProperty(deliveries, check), { numRuns });

/** A call that was answered at once. */
const callFrom = (
  organizationId: string,
  { callId, from, to, agentName = 'Desk' }: { callId: string; from: string; to: string; agentName?: string },
): Delivery['events'] => {
  const event = (revision: bigint, type: string, data: object) =>
    // Only the fields that the projection reads.
    ({
      entityId: callId,
      stream: `call-${callId}`,
      revision,
      event: { type, data },
      metadata: { organizationId },
    }) as never;
  const description = { organizationId, agentId: 'a1', agentName, channel: 'phone', direction: 'inbound' };
  const end = { status: 'completed', endedReason: 'user_hangup', answeredBy: null, durationSeconds: 1 };
  return [
    event(0n, 'CallDescribed', { ...description, startedAt: from }),
    event(1n, 'CallEnded', { ...end, answeredAt: from, endedAt: to }),
  ];
};

describe('rollups', () => {
  it('are what counting the calls of every bucket gives, in every grain and dimension', () =>
    property(async ({ batches }) => {
      await deliver(batches);
      for (const organizationId of organizations) {
        const rows = (await callsOf(organizationId)).filter(isCounted);
        for (const grain of grains) await compareBuckets(organizationId, grain, rows);
      }
    }, 40));

  it('are the same however the events were cut into batches, and when they are made anew', () =>
    property(async ({ events, batches }) => {
      await deliver(batches);
      const before = await contents();
      await deliver([events]);
      expect(await contents()).toEqual(before);
      await deliver(events.map((event) => [event]));
      expect(await contents()).toEqual(before);
    }, 25));

  it('leave nothing behind of calls that were all deleted', () =>
    property(async ({ batches, events }) => {
      const calls = [...new Map(events.map((event) => [event.entityId, event])).values()];
      const deleted = calls.map((last) => ({
        ...last,
        revision: last.revision + 1n,
        event: { type: 'CallDeleted' as const, data: { recordedAt: '2026-04-02T00:00:00.000Z', by: 'u' } },
      }));
      await deliver([...batches, deleted]);
      for (const table of ['call_rollups', 'agent_rollups', 'call_tallies', 'concurrency_rollups'])
        expect((await db.query(`select * from ${table}`)).rows).toEqual([]);
    }, 20));
});

const compareBuckets = async (
  organizationId: string,
  grain: (typeof grains)[number],
  rows: readonly CallRow[],
): Promise<void> => {
  const at = (row: CallRow): string => new Date(bucketOf(grain, row.started_at.getTime())).toISOString();
  const select = async (table: string, columns: string): Promise<Record<string, unknown>[]> =>
    (
      await db.query(
        `select to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, ${columns} from ${table}
         where organization_id = $1 and grain = $2`,
        [organizationId, grain],
      )
    ).rows;
  const agentSums = `calls, answered, succeeded, unsuccessful, answered_talk_ms::float as "answeredTalkMs",
    cost_micros::float as "costMicros"`;
  const sums = `${agentSums}, voicemail, transferred, failed, talk_ms::float as "talkMs"`;
  const grouped = <T>(keyOf: (row: CallRow) => string, sumUp: (rows: readonly CallRow[]) => T) =>
    new Map(
      [...countBy(rows, keyOf).keys()].map((key) => [key, sumUp(rows.filter((row) => keyOf(row) === key))]),
    );
  const stored = (found: readonly Record<string, unknown>[], ...keys: string[]) =>
    new Map(
      found.map((row) => [
        keys.map((key) => row[key]).join(' '),
        Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key))),
      ]),
    );
  expect(stored(await select('call_rollups', sums), 'at')).toEqual(grouped(at, totalsOf));
  expect(stored(await select('agent_rollups', `agent_id, ${agentSums}`), 'at', 'agent_id')).toEqual(
    grouped((row) => `${at(row)} ${row.agent_id}`, agentTotalsOf),
  );
  const tallies = await select('call_tallies', 'kind, value, calls');
  for (const [kind, column] of [
    ['outcome', 'outcome'],
    ['reason', 'ended_reason'],
    ['direction', 'direction'],
    ['channel', 'channel'],
  ] as const)
    expect(
      new Map(tallies.filter((row) => row.kind === kind).map((row) => [`${row.at} ${row.value}`, row.calls])),
    ).toEqual(countBy(rows, (row) => (row[column] === null ? null : `${at(row)} ${row[column]}`)));
};

describe('the dashboard', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];
  const moments = fc.date({
    min: new Date('2026-03-26T00:00:00.000Z'),
    max: new Date('2026-04-03T00:00:00.000Z'),
    noInvalidDate: true,
  });

  it('equals a recount over any range in any time zone', () =>
    fc.assert(
      fc.asyncProperty(
        deliveries,
        fc.constantFrom(...zones),
        fc.constantFrom('24h', '7d', '30d'),
        moments,
        async ({ batches }, timezone, name, now) => {
          await deliver(batches);
          const range = parseRange({ range: name }, now, timezone);
          for (const organizationId of organizations) {
            const counts = comparable(await countCalls(db, organizationId, range));
            const expected = recount(await callsOf(organizationId), range);
            for (const latency of ['e2eP50Ms', 'e2eP95Ms'] as const) {
              const [told, exact] = [counts[latency], expected[latency]];
              expect(told === null).toBe(exact === null);
              // Below a millisecond everything is one millisecond; told in whole ones.
              expect(Math.abs((told ?? 0) - (exact ?? 0))).toBeLessThanOrEqual((exact ?? 0) * 0.05 + 1);
            }
            expect({ ...counts, e2eP50Ms: 0, e2eP95Ms: 0 }).toEqual({
              ...expected,
              e2eP50Ms: 0,
              e2eP95Ms: 0,
            });
          }
        },
      ),
      { numRuns: 60 },
    ));

  it('counts calls in progress that began long ago, as clocks that were never set tell it', async () => {
    const [organizationId] = organizations;
    await deliver([
      callFrom(organizationId, {
        callId: 'c1',
        from: '1969-12-31T23:17:30.000Z',
        to: '2026-03-28T10:00:30.000Z',
      }),
      callFrom(organizationId, {
        callId: 'c2',
        from: '2026-03-28T09:58:30.000Z',
        to: '2026-03-28T10:10:00.000Z',
      }),
      callFrom(organizationId, {
        callId: 'c3',
        from: '2026-03-28T10:01:00.000Z',
        to: '2026-03-28T10:02:00.000Z',
      }),
    ]);
    const peakOn = async (now: string): Promise<number> => {
      const range = parseRange({ range: '24h' }, new Date(now), 'UTC');
      return (await countCalls(db, organizationId, range)).peakConcurrency;
    };
    expect(await peakOn('2026-03-28T12:00:00.000Z')).toBe(2);
    expect(await peakOn('1999-01-01T00:00:00.000Z')).toBe(1);
    expect(await peakOn('2026-04-28T12:00:00.000Z')).toBe(0);
  });

  it('calls an agent by the name that its newest call told', async () => {
    const [organizationId] = organizations;
    const call = (callId: string, from: string, agentName: string) =>
      callFrom(organizationId, { callId, from, to: from, agentName });
    const newer = call('c2', '2026-03-28T10:00:00.000Z', 'New name');
    const older = call('c1', '2026-03-28T09:00:00.000Z', 'Old name');
    await deliver([newer, older]);
    const range = parseRange({ range: '24h' }, new Date('2026-03-28T12:00:00.000Z'), 'UTC');
    const { agents } = await countCalls(db, organizationId, range);
    expect(agents).toMatchObject([{ agentId: 'a1', name: 'New name', calls: 2 }]);
  });
});
