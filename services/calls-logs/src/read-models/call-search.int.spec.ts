// The call log searched and filtered: over NATS, of a whole service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallLog, contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { finishedCall, userOf, World } from '../testing/world.js';
import { type CallFilter, callsStatement } from './call-index.js';

let world: World;
let db: Database;
beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await db?.end();
  await world?.stop();
});

const ids = (calls: readonly CallLog[]): string[] => calls.map(({ id }) => id);
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

/** Calls of a new organization, the newest last. */
const told = async (changes: readonly object[]) => {
  const org = randomUUID();
  const calls = changes.map((change, minute) =>
    finishedCall(org, { startedAt: at(minute), answeredAt: at(minute), endedAt: at(minute + 1), ...change }),
  );
  for (const call of calls) await world.ingest(call);
  const found = async (query: object): Promise<number[]> =>
    ids(await world.list(org, query)).map((id) => calls.findIndex(({ callId }) => callId === id));
  await eventually(async () => expect(await world.list(org)).toHaveLength(calls.length));
  return { org, calls, found };
};

describe('a search of the call log', () => {
  it('finds the other party by its number, or by its last digits', async () => {
    const { found } = await told([
      { direction: 'inbound', fromNumber: '+14155550177', toNumber: '+14155550100' },
      { direction: 'outbound', fromNumber: '+14155550100', toNumber: '+4915112345177' },
      { direction: 'inbound', fromNumber: null },
    ]);
    await eventually(async () => expect(await found({ search: '177' })).toEqual([1, 0]));
    expect(await found({ search: '0177' })).toEqual([0]);
    expect(await found({ search: '+1 415 555 0177' })).toEqual([0]);
    expect(await found({ search: '0151 12345177' })).toEqual([1]);
    expect(await found({ search: '550177' })).toEqual([0]);
    expect(await found({ search: '9994155550177' })).toEqual([]);
  });

  it('finds the name of a person by a word of it or by all of it, and ids', async () => {
    const outboundCallId = randomUUID();
    const { calls, found } = await told([
      { dynamicVariables: { name: 'José Pérez' } },
      { dynamicVariables: { name: 'Ada', city: 'Jose' }, outboundCallId },
    ]);
    await eventually(async () => expect(await found({ search: 'perez' })).toEqual([0]));
    expect(await found({ search: 'JOSE' })).toEqual([0]);
    expect(await found({ search: 'jose pérez' })).toEqual([0]);
    expect(await found({ search: 'jos' })).toEqual([]);
    expect(await found({ search: calls[1]?.callId })).toEqual([1]);
    expect(await found({ search: outboundCallId })).toEqual([1]);
  });

  it('goes with filters and pages, and finds nothing of another organization', async () => {
    const { org, found } = await told([
      { fromNumber: '+14155550188', status: 'failed' },
      { fromNumber: '+14155550188' },
      { fromNumber: '+14155550188' },
    ]);
    await eventually(async () => expect(await found({ search: '0188' })).toEqual([2, 1, 0]));
    expect(await found({ search: '0188', status: 'failed' })).toEqual([0]);
    expect(await found({ search: '0188', from: at(1), to: at(1) })).toEqual([1]);
    const page = (query: object) => world.request(contract.callsList, { query }, userOf(org));
    const first = await page({ search: '0188', limit: '2' });
    const second = await page({ search: '0188', limit: '2', cursor: first.nextCursor });
    expect([...ids(first.data), ...ids(second.data)]).toEqual(ids(await world.list(org, { search: '0188' })));
    expect(await world.list(randomUUID(), { search: '0188' })).toEqual([]);
  });

  it('finds no call that was deleted', async () => {
    const { org, calls, found } = await told([{ fromNumber: '+14155550166' }]);
    await eventually(async () => expect(await found({ search: '0166' })).toEqual([0]));
    const callId = calls[0]?.callId ?? '';
    await world.request(contract.callsDelete, { params: { callId } }, userOf(org));
    await eventually(async () => expect(await found({ search: '0166' })).toEqual([]));
    await eventually(async () => {
      const { rows } = await db.query('select 1 from call_number_terms where call_id = $1', [callId]);
      expect(rows).toEqual([]);
    });
  });

  it('is made with keyed hashes: the tables have neither number nor name, and no two organizations the same', async () => {
    const terms = async () => {
      const { org, found } = await told([
        { fromNumber: '+14155550155', dynamicVariables: { name: 'Grace' } },
      ]);
      await eventually(async () => expect(await found({ search: 'grace' })).toEqual([0]));
      const { rows } = await db.query<{ suffixes: string[] }>(
        'select suffixes from call_number_terms where organization_id = $1',
        [org],
      );
      const names = await db.query<{ term: string }>(
        'select term from call_name_terms where organization_id = $1',
        [org],
      );
      return [...rows.flatMap(({ suffixes }) => suffixes), ...names.rows.map(({ term }) => term)];
    };
    const [one, two] = [await terms(), await terms()];
    // The last 3 digits to all 11, and the name.
    expect([one.length, two.length]).toEqual([10, 10]);
    expect(one.filter((term) => two.includes(term) || /grace|155/i.test(term))).toEqual([]);
  });

  it.each(['12', '+', ' - 1 -'])('for %s is refused', async (search) => {
    await expect(world.list(randomUUID(), { search })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('the filters of the call log', () => {
  it('choose by campaign, channel and outcome', async () => {
    const campaignId = randomUUID();
    const { found } = await told([
      { campaignId },
      { channel: 'widget' },
      {
        status: 'no_answer',
        endedReason: 'no_answer',
        answeredBy: null,
        answeredAt: null,
        durationSeconds: null,
      },
    ]);
    // A call is listed from its first event on, and its outcome comes with the last one.
    await eventually(async () => expect(await found({ outcome: 'no_answer' })).toEqual([2]));
    expect(await found({ campaignId })).toEqual([0]);
    expect(await found({ channel: 'widget' })).toEqual([1]);
  });

  const suffix = (length: number) => ({ length, hash: 'h' });
  it.each<[string, CallFilter]>([
    ['call_index_campaign', { campaignId: randomUUID() }],
    ['call_index_channel', { channel: 'widget' }],
    ['call_index_outcome', { outcome: 'answered' }],
    ['call_number_terms_last_3', { search: { kind: 'number', indexed: suffix(3), all: suffix(4) } }],
    ['call_number_terms_last_5', { search: { kind: 'number', indexed: suffix(5), all: suffix(5) } }],
    ['call_number_terms_last_7', { search: { kind: 'number', indexed: suffix(7), all: suffix(11) } }],
    ['call_name_terms_term', { search: { kind: 'name', term: 'h' } }],
  ])('read a page off %s, without sorting what they find', async (index, filter) => {
    const after = { startedAt: at(30), callId: randomUUID() };
    const { text, values } = callsStatement(randomUUID(), filter, { after, limit: 21 });
    const plan = await db.transaction(async (tx) => {
      // The planner reads all rows of a small table; of the log of a year it must not.
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_sort = off');
      await tx.query('set local enable_bitmapscan = off');
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain(`using ${index}`);
    expect(plan).not.toMatch(/Sort/);
  });
});
