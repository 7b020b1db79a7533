// Recipients in a real Postgres: the claims of dialers, and the fate of each recipient.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '@parlance/postgres';
import { noRecipients } from '../domain/campaign/recipient-states.js';
import { recipientCallId } from '../recipients/recipient-ids.js';
import {
  cancelLeftBehind,
  cancelPending,
  leftBehind,
  openCallsOf,
  postponeRecipients,
  releaseRecipients,
  skipRecipients,
  stopClaims,
} from '../recipients/recipients.js';
import {
  abandoned,
  answered,
  at,
  cancelled,
  ended,
  rejected,
  retried,
  started,
} from '../testing/histories.js';
import {
  after,
  ofCampaign,
  organizationId,
  RecipientBooks,
  recordedAt,
  tools,
} from '../testing/recipient-books.js';
import { projectOutboundCalls } from './outbound-call-projection.js';
import { outcomesByHour } from './outcomes-by-hour.js';

let books: RecipientBooks;
beforeAll(async () => {
  books = await RecipientBooks.start();
});
afterAll(async () => {
  await books?.stop();
});

describe('claiming', () => {
  it('never gives one recipient to two, however many ask at once', async () => {
    const campaignId = await books.withRecipients(60);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => books.claim(campaignId, 10, `h${index}`)),
    );
    const rows = claims.flat().map(({ rowNumber }) => rowNumber);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBe(60);
    expect((await books.counts(campaignId)).recipients).toMatchObject({ pending: 0, queued: 60 });
    await books.expectInOrder(campaignId);
  });

  it('follows the order of the file, but first calls again whom it promised to', async () => {
    const campaignId = await books.withRecipients(4);
    expect((await books.claim(campaignId, 2)).map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
    const held = { campaignId, holder: 'h1', rowNumbers: [3] };
    await books.db.transaction((tx) => postponeRecipients(tx, held, after(60)));
    expect((await books.claim(campaignId, 1, 'h2', 59)).map(({ rowNumber }) => rowNumber)).toEqual([2]);
    expect((await books.claim(campaignId, 1, 'h2', 61)).map(({ rowNumber }) => rowNumber)).toEqual([3]);
  });

  it('takes over what a dead dialer left, and not before its time is over', async () => {
    const campaignId = await books.withRecipients(1);
    expect(await books.claim(campaignId, 5)).toHaveLength(1);
    expect(await books.claim(campaignId, 5, 'h2', 14)).toHaveLength(0);
    expect(await books.claim(campaignId, 5, 'h2', 15)).toHaveLength(1);
    const late = { campaignId, holder: 'h1', rowNumbers: [2] };
    expect(await books.db.transaction((tx) => releaseRecipients(tx, late))).toBe(0);
    expect(await books.db.transaction((tx) => skipRecipients(tx, late, 'suppressed_dnc'))).toBe(0);
  });

  it('gives what the row says', async () => {
    const campaignId = await books.withRecipients(1);
    expect(await books.claim(campaignId, 1)).toEqual([
      {
        ...{ campaignId, rowNumber: 2, organizationId, phoneNumber: '+14155551002' },
        ...{ timeZones: ['America/New_York'], row: { variables: {} }, attempts: 0, isPlaced: false },
        outboundCallId: recipientCallId(campaignId, 2),
      },
    ]);
  });

  it('finds nobody once the campaign was stopped', async () => {
    const campaignId = await books.withRecipients(3);
    await books.db.transaction((tx) => stopClaims(tx, campaignId));
    await books.db.transaction((tx) => stopClaims(tx, campaignId));
    expect(await books.claim(campaignId, 3)).toEqual([]);
  });
});

describe('a recipient', () => {
  it('is what its call is', async () => {
    const campaignId = await books.withRecipients(5);
    await books.claim(campaignId, 5);
    const first = (rowNumber: number) => [ofCampaign(campaignId, rowNumber), started(1)];
    const streams = [
      [2, first(2), 'in_progress'],
      [3, [...first(3), answered(1), ended(1)], 'completed'],
      [4, [...first(4), rejected(1, null)], 'busy'],
      [5, [...first(5), abandoned(1, at(500))], 'pending'],
      [6, [ofCampaign(campaignId, 6)], 'queued'],
    ] as const;
    for (const [rowNumber, events, state] of streams) {
      await books.project(recipientCallId(campaignId, rowNumber), events);
      expect(await books.stateOf(campaignId, rowNumber)).toMatchObject({ state });
    }
    expect(await books.counts(campaignId)).toMatchObject({ attempts: 4, costMicros: 4_200 });
    expect(await openCallsOf(books.db, campaignId, 10)).toHaveLength(3);
    await books.expectInOrder(campaignId);
  });

  it('stays as it ended, whatever is heard afterwards, again, or from a projection that starts over', async () => {
    const campaignId = await books.withRecipients(1);
    const id = recipientCallId(campaignId, 2);
    const events = [ofCampaign(campaignId, 2), started(1), answered(1), ended(1)];
    await books.project(id, events);
    await books.db.query('delete from outbound_calls where id = $1', [id]);
    await books.project(id, events);
    expect(await books.stateOf(campaignId, 2)).toEqual({
      state: 'completed',
      reason: 'user_hangup',
      attempts: 1,
    });
    expect((await books.counts(campaignId)).attempts).toBe(1);
    await books.expectInOrder(campaignId);
  });

  it('is the same, and so is its call, whether events come one by one or many at a time', async () => {
    const campaignId = await books.withRecipients(6);
    await books.claim(campaignId, 6);
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
    const trying = books.db.transaction(async (tx) => {
      await projectOutboundCalls(tx, batch, tools);
      await projectOutboundCalls(tx, batch, tools);
      together = await rowsIn(tx);
      throw undone;
    });
    await expect(trying).rejects.toBe(undone);
    for (const recorded of batch)
      await books.db.transaction((tx) => projectOutboundCalls(tx, [recorded], tools));
    expect(await rowsIn(books.db)).toEqual(together);
    await books.expectInOrder(campaignId);
  });

  it('that nobody may call is skipped, not failed', async () => {
    const campaignId = await books.withRecipients(1);
    const forbidden = {
      ...abandoned(1, null),
      data: { ...abandoned(1, null).data, reason: 'suppressed_dnc' as const },
    };
    await books.project(recipientCallId(campaignId, 2), [ofCampaign(campaignId, 2), started(1), forbidden]);
    expect(await books.stateOf(campaignId, 2)).toMatchObject({ state: 'skipped', reason: 'suppressed_dnc' });
  });
});

describe('cancelling', () => {
  it('ends in batches who was never called, and leaves the others to their calls', async () => {
    const campaignId = await books.withRecipients(6);
    await books.claim(campaignId, 3);
    await books.project(recipientCallId(campaignId, 2), [
      ofCampaign(campaignId, 2),
      started(1),
      abandoned(1, at(900)),
    ]);
    await books.db.transaction((tx) => stopClaims(tx, campaignId));
    expect(await books.db.transaction((tx) => cancelPending(tx, campaignId, 2))).toBe(2);
    expect(await books.db.transaction((tx) => cancelPending(tx, campaignId, 2))).toBe(1);
    expect(await leftBehind(books.db, campaignId, after(14), 10)).toEqual([]);
    const left = await leftBehind(books.db, campaignId, after(15), 10);
    expect(left.map(({ rowNumber }) => rowNumber).sort()).toEqual([3, 4]);
    await books.db.transaction((tx) => cancelLeftBehind(tx, campaignId, [3, 4], after(15)));
    expect(await openCallsOf(books.db, campaignId, 10)).toEqual([recipientCallId(campaignId, 2)]);
    await books.project(
      recipientCallId(campaignId, 2),
      [ofCampaign(campaignId, 2), started(1), abandoned(1, at(900)), cancelled(null)],
      3,
    );
    expect((await books.counts(campaignId)).recipients).toMatchObject({
      cancelled: 6,
      pending: 0,
      queued: 0,
    });
    await books.expectInOrder(campaignId);
  });
});

describe('the outcomes by hour', () => {
  const settledAt = async (campaignId: string, rowNumber: number, iso: string): Promise<void> => {
    await books.db.query(
      `update campaign_recipients set state = 'completed', updated_at = $3 where campaign_id = $1 and row_number = $2`,
      [campaignId, rowNumber, iso],
    );
  };
  const read = async (campaignId: string, timeZone: string) => {
    const { counts, isComplete } = await outcomesByHour(books.db, organizationId, campaignId, timeZone);
    return {
      isComplete,
      counts: counts.map(({ at: hour, state, recipients }) => [hour.toISOString(), state, recipients]),
    };
  };

  it('count each recipient once, however often its call is heard of, and need no recipient to be read', async () => {
    const campaignId = await books.withRecipients(4);
    await books.claim(campaignId, 4);
    const first = (rowNumber: number) => [ofCampaign(campaignId, rowNumber), started(1)];
    const streams = [
      [2, [...first(2), answered(1), ended(1)]],
      [3, [...first(3), answered(1), ended(1)]],
      [4, [...first(4), rejected(1, null)]],
      [5, [...first(5), abandoned(1, at(500))]],
    ] as const;
    for (const [rowNumber, events] of [...streams, ...streams])
      await books.project(recipientCallId(campaignId, rowNumber), events);
    await books.db.query('delete from campaign_recipients where campaign_id = $1', [campaignId]);
    const hour = at(0);
    expect(await read(campaignId, 'UTC')).toEqual({
      isComplete: true,
      counts: [
        [hour, 'busy', 1],
        [hour, 'completed', 2],
      ],
    });
    expect((await outcomesByHour(books.db, 'org_2', campaignId, 'UTC')).counts).toEqual([]);
  });

  it('begin with the hours of the time zone, also where clocks are put back and half an hour beside', async () => {
    const campaignId = await books.withRecipients(5);
    const moments = ['2026-10-25T00:10Z', '2026-10-25T00:59:59Z', '2026-10-25T01:10Z', '2026-10-25T01:40Z'];
    for (const [index, moment] of moments.entries()) await settledAt(campaignId, index + 2, moment);
    expect((await read(campaignId, 'Europe/Berlin')).counts).toEqual([
      ['2026-10-25T00:00:00.000Z', 'completed', 2],
      ['2026-10-25T01:00:00.000Z', 'completed', 2],
    ]);
    expect((await read(campaignId, 'Asia/Kolkata')).counts).toEqual([
      ['2026-10-24T23:30:00.000Z', 'completed', 1],
      ['2026-10-25T00:30:00.000Z', 'completed', 2],
      ['2026-10-25T01:30:00.000Z', 'completed', 1],
    ]);
    await settledAt(campaignId, 6, '2026-12-25T12:00Z');
    expect(await read(campaignId, 'UTC')).toEqual({
      isComplete: false,
      counts: [['2026-12-25T12:00:00.000Z', 'completed', 1]],
    });
  });
});

describe('the counts', () => {
  it('follow an import that is begun afresh', async () => {
    const campaignId = await books.withRecipients(20);
    await books.db.query('delete from campaign_recipients where campaign_id = $1', [campaignId]);
    expect(await books.counts(campaignId)).toEqual(noRecipients);
    await books.expectInOrder(campaignId);
  });

  it('that are wrong are found', async () => {
    const campaignId = await books.withRecipients(2);
    await books.db.query('update campaign_counts set recipients = 3 where campaign_id = $1', [campaignId]);
    expect(await books.faults(campaignId)).toEqual([
      'pending: 3 are kept and 2 counted, or their sums differ',
    ]);
  });
});
