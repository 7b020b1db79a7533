// Pages of the people of a campaign, in a real Postgres.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '@parlance/postgres';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import { insertBatch, toBatch } from '../import/recipient-batch.js';
import { recipientCallId } from '../recipients/recipient-ids.js';
import { created, report } from '../testing/campaign-histories.js';
import { abandoned, answered, at, ended, rejected, started } from '../testing/histories.js';
import { ofCampaign, organizationId, RecipientBooks, start, tools } from '../testing/recipient-books.js';
import { exportRecipients, recipientTable } from './export-recipients.js';
import { pageOfRecipients } from './recipient-pages.js';

type State = Parameters<typeof pageOfRecipients>[2];

let books: RecipientBooks;
beforeAll(async () => {
  books = await RecipientBooks.start();
});
afterAll(async () => {
  await books?.stop();
});

const running = {
  created: created.data,
  personal: created.personal,
  file: null,
  startedAt: null,
  updatedAt: start.toISOString(),
  phase: 'running',
} as const satisfies KnownCampaign;
const cancelled: KnownCampaign = { ...running, phase: 'cancelled', cancelledAt: start.toISOString() };

interface Asked {
  readonly after?: number;
  readonly limit?: number;
  readonly campaign?: KnownCampaign;
  readonly of?: string;
}

const pageOf = (
  campaignId: string,
  state?: State,
  { after = 0, limit = 100, campaign = running, of = organizationId }: Asked = {},
) =>
  pageOfRecipients(
    { db: books.db, ...tools },
    { organizationId: of, campaignId, campaign },
    state,
    { after, limit },
    start,
  );
const rowsOf = async (...asked: Parameters<typeof pageOf>) =>
  (await pageOf(...asked)).map(({ rowNumber }) => rowNumber);

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
}

const rowsRead = (node: PlanNode): number => {
  const perLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === 'campaign_recipients' ? perLoop * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
};

const refuse = (campaignId: string, rowNumbers: readonly number[]): Promise<void> =>
  insertBatch(
    books.db,
    { organizationId, campaignId },
    toBatch(
      () => randomUUID(),
      [],
      rowNumbers.map((rowNumber) => ({
        rowNumber,
        phoneNumber: '12',
        code: 'INVALID_PHONE',
        message: `row ${rowNumber}, phone: is not a phone number`,
      })),
    ),
  );

describe('the people of a campaign', () => {
  it('are those of the file in its order, each with state, reason, call and attempts', async () => {
    const campaignId = await books.withRecipients(5);
    await books.claim(campaignId, 5);
    const placed = (rowNumber: number) => [ofCampaign(campaignId, rowNumber), started(1)];
    const streams = [
      [2, placed(2)],
      [3, [...placed(3), answered(1), ended(1)]],
      [4, [...placed(4), rejected(1, null)]],
      [5, [...placed(5), abandoned(1, at(500))]],
    ] as const;
    for (const [rowNumber, events] of streams)
      await books.project(recipientCallId(campaignId, rowNumber), events);
    await refuse(campaignId, [7, 8]);
    const call = (rowNumber: number) => ({
      rowNumber,
      outboundCallId: recipientCallId(campaignId, rowNumber),
      callId: 'call-1',
      attempts: 1,
    });
    const list = await pageOf(campaignId);
    expect(list).toMatchObject([
      { ...call(2), state: 'in_progress', reason: null },
      { ...call(3), state: 'completed', reason: { code: 'user_hangup' }, costMicros: 4_200 },
      { ...call(4), state: 'busy', reason: { code: 'busy', message: 'The line was busy.' } },
      { ...call(5), state: 'pending', nextAttemptAt: at(500) },
      { rowNumber: 6, state: 'queued', reason: null, outboundCallId: null, callId: null },
      {
        rowNumber: 7,
        state: 'refused',
        phoneNumber: '12',
        attempts: 0,
        outboundCallId: null,
        reason: { code: 'INVALID_PHONE', message: 'row 7, phone: is not a phone number' },
      },
      { rowNumber: 8, state: 'refused' },
    ]);
    const states = [...new Set(list.map(({ state }) => state))];
    const byState = await Promise.all(states.map((state) => pageOf(campaignId, state)));
    expect(byState.flat().sort((a, b) => a.rowNumber - b.rowNumber)).toEqual(list);
    expect(await pageOf(campaignId, undefined, { of: 'org_2' })).toEqual([]);
  });

  it('come page by page, whoever of them cannot be called', async () => {
    const campaignId = await books.withRecipients(4);
    await refuse(campaignId, [6, 7, 10]);
    expect(await rowsOf(campaignId, undefined, { limit: 3 })).toEqual([2, 3, 4]);
    expect(await rowsOf(campaignId, undefined, { limit: 3, after: 4 })).toEqual([5, 6, 7]);
    expect(await rowsOf(campaignId, undefined, { limit: 3, after: 7 })).toEqual([10]);
    expect(await rowsOf(campaignId, 'refused', { limit: 2 })).toEqual([6, 7]);
    expect(await rowsOf(campaignId, 'pending', { limit: 2, after: 3 })).toEqual([4, 5]);
  });

  it('of a cancelled campaign are found as cancelled in one order, before all of that is written', async () => {
    const campaignId = await books.withRecipients(4);
    await books.db.query(
      `update campaign_recipients set state = 'cancelled', reason = 'campaign_cancelled'
       where campaign_id = $1 and row_number in (3, 5)`,
      [campaignId],
    );
    expect(await rowsOf(campaignId, 'cancelled', { campaign: cancelled, limit: 3 })).toEqual([2, 3, 4]);
    expect(await rowsOf(campaignId, 'pending', { campaign: cancelled })).toEqual([]);
  });

  it('have the refused rows of the report, where an older release read the file', async () => {
    const campaignId = await books.withRecipients(1);
    const campaign: KnownCampaign = { ...running, file: report };
    expect(await pageOf(campaignId, undefined, { campaign })).toMatchObject([
      { rowNumber: 2, state: 'pending' },
      { rowNumber: 4, state: 'refused', phoneNumber: null, reason: { code: 'INVALID_PHONE' } },
    ]);
    expect(await rowsOf(campaignId, 'refused', { campaign, after: 4 })).toEqual([]);
    await refuse(campaignId, [3]);
    expect(await rowsOf(campaignId, 'refused', { campaign })).toEqual([3]);
    expect(await rowsOf(campaignId, 'refused', { campaign, after: 3 })).toEqual([]);
  });

  it('cost a page no more rows than it shows, however many there are', async () => {
    const campaignId = await books.withRecipients(20_000);
    await books.db.query('analyze campaign_recipients');
    /** The rows of the table that Postgres reads for a page. */
    const costOf = async (state: State): Promise<number> => {
      let read = 0;
      const explaining: Pick<Tx, 'query'> = {
        query: async (statement, values) => {
          const { text, values: own } =
            typeof statement === 'string' ? { text: statement, values } : statement;
          const explained = await books.db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
            ...[`explain (analyze, format json) ${text}`, own],
          );
          for (const row of explained.rows) read += rowsRead(row['QUERY PLAN'][0].Plan);
          return books.db.query(statement, values);
        },
      };
      const of = { organizationId, campaignId, campaign: running };
      await pageOfRecipients({ db: explaining, ...tools }, of, state, { after: 15_000, limit: 101 }, start);
      return read;
    };
    const costs = await Promise.all(([undefined, 'pending', 'busy'] as const).map(costOf));
    expect(costs).toEqual([101, 101, 0]);
  });
});

describe('the people of a campaign as a file', () => {
  it('are a header and a line for each, over any number of pages, and no formula', async () => {
    const campaignId = await books.withRecipients(1_200);
    await books.db.query(
      `update campaign_recipients set row = $2 where campaign_id = $1 and row_number = 2`,
      [campaignId, JSON.stringify({ variables: { note: '=1+1' }, username: '=cmd()' })],
    );
    await refuse(campaignId, [1_300]);
    const { signal } = new AbortController();
    const of = { organizationId, campaignId, campaign: running };
    let text = '';
    const find = (page: { after: number; limit: number }) =>
      pageOfRecipients({ db: books.db, ...tools }, of, undefined, page, start);
    for await (const { data } of exportRecipients(find, signal)) text += data.text;
    const lines = text.trimEnd().split('\r\n');
    expect(`${lines[0]}\r\n`).toBe(recipientTable.header);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      [...Array.from({ length: 1_200 }, (_, index) => index + 2), 1_300].map(String),
    );
    expect(lines[1]).toMatch(/^2,'\+14155551002,'=cmd\(\),pending,waiting_for_turn,/);
    expect(lines[1]).toMatch(/,America\/New_York,"\{""note"":""=1\+1""\}"$/);
    expect(lines.at(-1)).toContain(',refused,INVALID_PHONE,"row 1300, phone: is not a phone number",0,');
  });

  it('are given up when nobody reads them any more', async () => {
    const stop = new AbortController();
    const all = async (): Promise<void> => {
      for await (const _ of exportRecipients(async () => [], stop.signal)) stop.abort(new Error('gone'));
    };
    await expect(all()).rejects.toThrow('gone');
  });
});
