// Recipients in a real Postgres: the books are in order whatever is done, by whomever, in whatever order.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@parlance/event-sourcing';
import { createDatabase, type Database, migrate, type Tx } from '@parlance/persistence';
import { type TestEngines, testEngines } from '@parlance/testing';
import fc from 'fast-check';
import { progressOf } from '../campaign/campaign-view.js';
import { outboundCallDecider } from '../outbound-call/outbound-call.js';
import type { OutboundCallEvent } from '../outbound-call/outbound-call-events.js';
import { projectOutboundCalls } from '../read-model/outbound-call-projection.js';
import {
  abandoned,
  answered,
  at,
  cancelled,
  ended,
  placed,
  rejected,
  retried,
  started,
} from '../testing/histories.js';
import { checkCampaign, countsOf } from './recipient-counts.js';
import { recipientCallId } from './recipient-ids.js';
import { noRecipients, terminalStates } from './recipient-states.js';
import {
  cancelLeftBehind,
  cancelPending,
  claimRecipients,
  leftBehind,
  openCallsOf,
  postponeRecipients,
  releaseRecipients,
  skipRecipients,
  stopClaims,
} from './recipients.js';

let engines: TestEngines;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 8 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const organizationId = 'org_1';
const start = new Date('2026-01-01T00:00:00.000Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000);

/** A campaign's recipients, in rows 2 and on. */
const withRecipients = async (rows: number): Promise<string> => {
  const campaignId = randomUUID();
  const numbers = Array.from({ length: rows }, (_, index) => index + 2);
  await db.query(
    `insert into campaign_recipients (campaign_id, row_number, organization_id, phone_number, time_zones, row, outbound_call_id)
     select $1, r.n, $2, '+14155550100', '{America/New_York}', '{"variables":{}}', r.id
     from unnest($3::int[], $4::uuid[]) as r (n, id)`,
    [campaignId, organizationId, numbers, numbers.map((n) => recipientCallId(campaignId, n))],
  );
  return campaignId;
};

const claim = (campaignId: string, limit: number, holder = 'h1', seconds = 0) =>
  db.transaction((tx) =>
    claimRecipients(tx, { campaignId, holder, now: after(seconds), limit, forMs: 15_000 }),
  );

const counts = async (campaignId: string) =>
  (await countsOf(db, [campaignId])).get(campaignId) ?? noRecipients;

const stateOf = async (campaignId: string, rowNumber: number) => {
  const { rows } = await db.query<{ state: string; reason: string | null; attempts: number }>(
    'select state, reason, attempts from campaign_recipients where campaign_id = $1 and row_number = $2',
    [campaignId, rowNumber],
  );
  return rows[0];
};

const ofCampaign = (campaignId: string, rowNumber: number): OutboundCallEvent => ({
  ...placed,
  data: { ...placed.data, organizationId, mode: 'batch', campaignId, rowNumber },
});

const recordedAt = (
  entityId: string,
  event: OutboundCallEvent,
  revision: bigint,
): Recorded<OutboundCallEvent> => ({
  ...{ event, entityId, id: randomUUID(), stream: `outboundCall-${entityId}` },
  ...{ revision, position: undefined, recordedAt: start },
  metadata: {
    ...{ eventId: randomUUID(), schemaVersion: 1, occurredAt: at(0), organizationId },
    ...{ actor: 'platform:test', requestId: 'r', causationId: null, traceparent: null },
  },
});

/** What a projection does with events `from` and later of a stream. */
const project = (entityId: string, events: readonly OutboundCallEvent[], from = 0): Promise<void> =>
  db.transaction(async (tx) => {
    for (const [index, event] of events.slice(from).entries())
      await projectOutboundCalls(tx, [recordedAt(entityId, event, BigInt(from + index))]);
  });

const inOrder = async (campaignId: string): Promise<void> =>
  expect(await checkCampaign(db, campaignId)).toEqual([]);

describe('claiming', () => {
  it('never gives one recipient to two, however many ask at once', async () => {
    const campaignId = await withRecipients(60);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claim(campaignId, 10, `h${index}`)),
    );
    const rows = claims.flat().map(({ rowNumber }) => rowNumber);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBe(60);
    expect((await counts(campaignId)).recipients).toMatchObject({ pending: 0, queued: 60 });
    await inOrder(campaignId);
  });

  it('follows the order of the file, but first calls again whom it promised to', async () => {
    const campaignId = await withRecipients(4);
    expect((await claim(campaignId, 2)).map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
    const held = { campaignId, holder: 'h1', rowNumbers: [3] };
    await db.transaction((tx) => postponeRecipients(tx, held, after(60)));
    expect((await claim(campaignId, 1, 'h2', 59)).map(({ rowNumber }) => rowNumber)).toEqual([2]);
    expect((await claim(campaignId, 1, 'h2', 61)).map(({ rowNumber }) => rowNumber)).toEqual([3]);
  });

  it('takes over what a dead dialer left, and not before its time is over', async () => {
    const campaignId = await withRecipients(1);
    expect(await claim(campaignId, 5)).toHaveLength(1);
    expect(await claim(campaignId, 5, 'h2', 14)).toHaveLength(0);
    expect(await claim(campaignId, 5, 'h2', 15)).toHaveLength(1);
    const late = { campaignId, holder: 'h1', rowNumbers: [2] };
    expect(await db.transaction((tx) => releaseRecipients(tx, late))).toBe(0);
    expect(await db.transaction((tx) => skipRecipients(tx, late, 'suppressed_dnc'))).toBe(0);
  });

  it('gives what the row says', async () => {
    const campaignId = await withRecipients(1);
    expect(await claim(campaignId, 1)).toEqual([
      {
        ...{ campaignId, rowNumber: 2, organizationId, phoneNumber: '+14155550100' },
        ...{ timeZones: ['America/New_York'], row: { variables: {} }, attempts: 0, isPlaced: false },
        outboundCallId: recipientCallId(campaignId, 2),
      },
    ]);
  });

  it('finds nobody once the campaign was stopped', async () => {
    const campaignId = await withRecipients(3);
    await db.transaction((tx) => stopClaims(tx, campaignId));
    await db.transaction((tx) => stopClaims(tx, campaignId));
    expect(await claim(campaignId, 3)).toEqual([]);
  });
});

describe('a recipient', () => {
  it('is what its call is', async () => {
    const campaignId = await withRecipients(5);
    await claim(campaignId, 5);
    const first = (rowNumber: number) => [ofCampaign(campaignId, rowNumber), started(1)];
    const streams = [
      [2, first(2), 'in_progress'],
      [3, [...first(3), answered(1), ended(1)], 'completed'],
      [4, [...first(4), rejected(1, null)], 'busy'],
      [5, [...first(5), abandoned(1, at(500))], 'pending'],
      [6, [ofCampaign(campaignId, 6)], 'queued'],
    ] as const;
    for (const [rowNumber, events, state] of streams) {
      await project(recipientCallId(campaignId, rowNumber), events);
      expect(await stateOf(campaignId, rowNumber)).toMatchObject({ state });
    }
    expect(await counts(campaignId)).toMatchObject({ attempts: 4, costMicros: 4_200 });
    expect(await openCallsOf(db, campaignId, 10)).toHaveLength(3);
    await inOrder(campaignId);
  });

  it('stays as it ended, whatever is heard afterwards, again, or from a projection that starts over', async () => {
    const campaignId = await withRecipients(1);
    const id = recipientCallId(campaignId, 2);
    const events = [ofCampaign(campaignId, 2), started(1), answered(1), ended(1)];
    await project(id, events);
    await db.query('delete from outbound_calls where id = $1', [id]);
    await project(id, events);
    expect(await stateOf(campaignId, 2)).toEqual({ state: 'completed', reason: 'user_hangup', attempts: 1 });
    expect((await counts(campaignId)).attempts).toBe(1);
    await inOrder(campaignId);
  });

  it('is the same, and so is its call, whether events come one by one or many at a time', async () => {
    const campaignId = await withRecipients(6);
    await claim(campaignId, 6);
    const histories = [
      [started(1)],
      [started(1), answered(1), ended(1)],
      [started(1), rejected(1, null), retried],
      [started(1), abandoned(1, at(500)), started(2), answered(2)],
      [started(1), rejected(1, at(500))],
      [],
    ].map((events, index) => [ofCampaign(campaignId, index + 2), ...events]);
    const rowsIn = async (tx: Tx) => {
      const values = [campaignId];
      const calls = await tx.query(
        `select c.*, a.attempts from outbound_calls c left join lateral (select count(*) as attempts
           from outbound_attempts where outbound_call_id = c.id) a on true
         where id in (select outbound_call_id from campaign_recipients where campaign_id = $1) order by id`,
        values,
      );
      const recipients = await tx.query(
        'select * from campaign_recipients where campaign_id = $1 order by row_number',
        values,
      );
      return [calls.rows, recipients.rows];
    };
    const batch = histories.flatMap((events, index) =>
      events.map((event, n) => recordedAt(recipientCallId(campaignId, index + 2), event, BigInt(n))),
    );
    const undone = new Error('so that it can be done once more');
    let together: unknown;
    const trying = db.transaction(async (tx) => {
      await projectOutboundCalls(tx, batch);
      await projectOutboundCalls(tx, batch);
      together = await rowsIn(tx);
      throw undone;
    });
    await expect(trying).rejects.toBe(undone);
    for (const recorded of batch) await db.transaction((tx) => projectOutboundCalls(tx, [recorded]));
    expect(await rowsIn(db)).toEqual(together);
    await inOrder(campaignId);
  });

  it('that nobody may call is skipped, not failed', async () => {
    const campaignId = await withRecipients(1);
    const forbidden = {
      ...abandoned(1, null),
      data: { ...abandoned(1, null).data, reason: 'suppressed_dnc' as const },
    };
    await project(recipientCallId(campaignId, 2), [ofCampaign(campaignId, 2), started(1), forbidden]);
    expect(await stateOf(campaignId, 2)).toMatchObject({ state: 'skipped', reason: 'suppressed_dnc' });
  });
});

describe('cancelling', () => {
  it('ends in batches who was never called, and leaves the others to their calls', async () => {
    const campaignId = await withRecipients(6);
    await claim(campaignId, 3);
    await project(recipientCallId(campaignId, 2), [
      ofCampaign(campaignId, 2),
      started(1),
      abandoned(1, at(900)),
    ]);
    await db.transaction((tx) => stopClaims(tx, campaignId));
    expect(await db.transaction((tx) => cancelPending(tx, campaignId, 2))).toBe(2);
    expect(await db.transaction((tx) => cancelPending(tx, campaignId, 2))).toBe(1);
    expect(await leftBehind(db, campaignId, after(14), 10)).toEqual([]);
    const left = await leftBehind(db, campaignId, after(15), 10);
    expect(left.map(({ rowNumber }) => rowNumber).sort()).toEqual([3, 4]);
    await db.transaction((tx) => cancelLeftBehind(tx, campaignId, [3, 4], after(15)));
    expect(await openCallsOf(db, campaignId, 10)).toEqual([recipientCallId(campaignId, 2)]);
    await project(
      recipientCallId(campaignId, 2),
      [ofCampaign(campaignId, 2), started(1), abandoned(1, at(900)), cancelled(null)],
      3,
    );
    expect((await counts(campaignId)).recipients).toMatchObject({ cancelled: 6, pending: 0, queued: 0 });
    await inOrder(campaignId);
  });
});

describe('the counts', () => {
  it('follow an import that is begun afresh', async () => {
    const campaignId = await withRecipients(20);
    await db.query('delete from campaign_recipients where campaign_id = $1', [campaignId]);
    expect(await counts(campaignId)).toEqual(noRecipients);
    await inOrder(campaignId);
  });

  it('that are wrong are found', async () => {
    const campaignId = await withRecipients(2);
    await db.query('update campaign_counts set recipients = 3 where campaign_id = $1', [campaignId]);
    expect(await checkCampaign(db, campaignId)).toEqual([
      'pending: 3 are kept and 2 counted, or their sums differ',
    ]);
  });
});

/** Outbound calls of one campaign, driven as dialers do it, some of it late, twice, or not at all. */
type Step =
  | { readonly do: 'claim' | 'cancel' | 'cancelLeft' | 'import'; readonly n: number }
  | { readonly do: 'release' | 'skip' | 'postpone' | 'event' | 'again'; readonly n: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'claim',
    'claim',
    'event',
    'event',
    'event',
    'again',
    'release',
    'skip',
    'postpone',
    'cancelLeft',
  ),
  n: fc.integer({ min: 0, max: 9 }),
});

class Play {
  readonly streams = new Map<number, OutboundCallEvent[]>();
  readonly campaignId: string;
  now = 0;

  constructor(campaignId: string) {
    this.campaignId = campaignId;
  }

  /** What the stream of a recipient's call tells next; it may or may not end the call. */
  #next(rowNumber: number, n: number): readonly OutboundCallEvent[] {
    const events = this.streams.get(rowNumber) ?? [];
    const state = events.reduce(outboundCallDecider.evolve, outboundCallDecider.initialState);
    switch (state.phase) {
      case 'absent':
        return [ofCampaign(this.campaignId, rowNumber)];
      case 'queued':
        return n === 0 ? [cancelled(null)] : [started(state.past.length + 1)];
      case 'dialing': {
        const { attempt } = state.current;
        const ends = [
          rejected(attempt, null),
          rejected(attempt, at(0)),
          abandoned(attempt, at(0)),
          cancelled(attempt),
        ];
        return [ends[n] ?? answered(attempt)];
      }
      case 'connected':
        return [n === 0 ? cancelled(state.current.attempt) : ended(state.current.attempt)];
      case 'ended':
        return [];
    }
  }

  async take({ do: what, n }: Step): Promise<void> {
    const { campaignId } = this;
    const held = { campaignId, holder: 'h1', rowNumbers: [n + 2, n + 3] };
    this.now += 5;
    await db.transaction(async (tx) => {
      if (what === 'claim') {
        const options = { campaignId, holder: `h${n % 2}`, now: after(this.now), limit: 3, forMs: 15_000 };
        for (const { rowNumber } of await claimRecipients(tx, options))
          if (!this.streams.has(rowNumber)) this.streams.set(rowNumber, []);
      }
      if (what === 'release') await releaseRecipients(tx, held);
      if (what === 'skip') await skipRecipients(tx, held, 'suppressed_dnc');
      if (what === 'postpone') await postponeRecipients(tx, held, after(this.now + 20));
      if (what === 'cancel') await cancelPending(tx, campaignId, n);
      if (what === 'cancelLeft') await cancelLeftBehind(tx, campaignId, held.rowNumbers, after(this.now));
    });
    const rowNumber = [...this.streams.keys()][n % Math.max(1, this.streams.size)];
    if (rowNumber === undefined) return;
    const events = this.streams.get(rowNumber) ?? [];
    const id = recipientCallId(campaignId, rowNumber);
    if (what === 'event') {
      // Nobody dials whom he has not claimed.
      const isClaimed = (await stateOf(campaignId, rowNumber))?.state === 'queued';
      const isUnderWay = /^Attempt(Started|Answered)$/.test(events.at(-1)?.type ?? '');
      const next = isClaimed || isUnderWay ? this.#next(rowNumber, n) : [];
      await project(id, [...events, ...next], events.length);
      events.push(...next);
    }
    if (what === 'again') await project(id, events);
  }
}

describe('whatever dialers, projections and people do, in whatever order', () => {
  it('progress sums at every read, no terminal count goes back, and the counts are what the rows say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.nat(60),
        async (steps, cancelAt) => {
          const campaignId = await withRecipients(10);
          const play = new Play(campaignId);
          let isCancelled = false;
          let before = progressOf(await counts(campaignId), isCancelled);
          const look = async (): Promise<void> => {
            const known = isCancelled;
            const seen = progressOf(await counts(campaignId), known);
            const { total, percent: _, attempts: __, ...parts } = seen;
            expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
            expect(total).toBe(10);
            for (const name of [
              'completed',
              'voicemail',
              'noAnswer',
              'busy',
              'failed',
              'cancelled',
              'skipped',
            ] as const)
              expect(seen[name]).toBeGreaterThanOrEqual(before[name]);
            expect(seen.attempts).toBeGreaterThanOrEqual(before.attempts);
            before = seen;
          };
          for (const [index, next] of steps.entries()) {
            if (index === cancelAt) {
              await db.transaction((tx) => stopClaims(tx, campaignId));
              isCancelled = true;
            }
            const step: Step = isCancelled && next.do === 'postpone' ? { do: 'cancel', n: next.n } : next;
            // Reads come while something is being done, and after it.
            await Promise.all([play.take(step), look().then(look)]);
            await look();
          }
          await inOrder(campaignId);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 240_000);

  it('never counts fewer terminal ones than before, with many at work at once', async () => {
    const campaignId = await withRecipients(200);
    const ended = async (): Promise<number> => {
      const { recipients } = await counts(campaignId);
      return terminalStates.reduce((sum, state) => sum + recipients[state], 0);
    };
    let isDone = false;
    const reader = (async () => {
      for (let before = 0; !isDone; ) {
        const now = await ended();
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
      }
    })();
    const dial = async (holder: string): Promise<void> => {
      for (
        let claimed = await claim(campaignId, 7, holder);
        claimed.length > 0;
        claimed = await claim(campaignId, 7, holder)
      )
        for (const { rowNumber, outboundCallId } of claimed)
          await project(outboundCallId, [ofCampaign(campaignId, rowNumber), started(1), rejected(1, null)]);
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(dial));
    isDone = true;
    await reader;
    expect((await counts(campaignId)).recipients).toMatchObject({
      busy: 200,
      pending: 0,
      queued: 0,
      in_progress: 0,
    });
    await inOrder(campaignId);
  }, 240_000);
});
