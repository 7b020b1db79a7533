// The call log as a file: over NATS, of a whole service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type RequestOf } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import type { IndexedCall } from '../read-models/call-index.js';
import { finishedCall, userOf, World } from '../testing/world.js';
import { callTable } from './call-table.js';
import { exportCalls, mostRows } from './export-calls.js';

type Query = RequestOf<(typeof contract)['callsExport']>['query'];

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});

const open = (organizationId: string, query: Query = {}) =>
  world.rpc.open(
    contract.callsExport,
    { params: {}, query: contract.callsExport.query.parse(query), body: {} },
    { caller: userOf(organizationId), requestId: randomUUID() },
  );
const textOf = async (stream: AsyncIterable<{ readonly data: unknown }>): Promise<string> => {
  let text = '';
  for await (const { data } of stream) text += String(Reflect.get(Object(data), 'text'));
  return text;
};
/** For calls with cells that need no quotes. */
const rowsOf = async (organizationId: string, query: Query = {}): Promise<Record<string, string>[]> => {
  const [header = [], ...lines] = (await textOf(await open(organizationId, query)))
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
};

describe('the call log as a file', () => {
  it('holds the calls of the organization that fit the filters, newest first', async () => {
    const org = randomUUID();
    const calls = [1, 2, 3].map((minute) =>
      finishedCall(org, {
        startedAt: `2026-03-01T10:0${minute}:00.000Z`,
        answeredAt: `2026-03-01T10:0${minute}:05.000Z`,
        endedAt: `2026-03-01T10:0${minute + 1}:05.000Z`,
        ...(minute === 2 ? { channel: 'widget' } : {}),
      }),
    );
    for (const call of [...calls, finishedCall(randomUUID())]) await world.ingest(call);
    await eventually(async () => expect(await world.list(org)).toHaveLength(3));
    const rows = await rowsOf(org);
    expect(rows.map(({ id }) => id)).toEqual(calls.map(({ callId }) => callId).reverse());
    expect(rows[0]).toMatchObject({
      ...{ startedAt: '2026-03-01T10:03:00.000Z', status: 'completed', fromNumber: "'+14155550177" },
      ...{ durationSeconds: '60', messageCount: '3', campaignId: '' },
    });
    expect((await rowsOf(org, { channel: 'widget' })).map(({ id }) => id)).toEqual([calls[1]?.callId]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])(
    'holds no formula of an agent that is called %s',
    async (name) => {
      const org = randomUUID();
      world.agentName = name;
      try {
        await world.ingest(finishedCall(org));
      } finally {
        world.agentName = 'Front desk';
      }
      await eventually(async () => expect(await world.list(org)).toHaveLength(1));
      expect((await rowsOf(org)).map(({ agentName }) => agentName)).toEqual([`'${name}`]);
    },
  );

  it('of an organization without calls is its header', async () => {
    expect(await textOf(await open(randomUUID()))).toBe(callTable.header);
  });

  it('is made once at a time for an organization, and again when its reader has gone', async () => {
    const org = randomUUID();
    // They come together, so that the first one is still read when the others arrive.
    const opened = await Promise.allSettled(Array.from({ length: 5 }, () => open(org)));
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED' });
    for (const one of opened) if (one.status === 'fulfilled') one.value.cancel();
    await eventually(async () => expect(await textOf(await open(org))).toBe(callTable.header));
  });
});

describe('a log of millions of calls', () => {
  it('is read page by page, and ends after a million', async () => {
    let [found, asked] = [0, 0];
    const indexed = (index: number): IndexedCall => ({
      ...{ callId: String(index), revision: 0, startedAt: '2026-03-01T10:00:00.000Z' },
    });
    const pages = {
      find: async (_org: string, _filter: object, { limit }: { readonly limit: number }) => {
        asked += 1;
        found += limit;
        return Array.from({ length: limit }, (_, index) => indexed(found - limit + index));
      },
      logsOf: async () => [],
    };
    const { signal } = new AbortController();
    const texts: unknown[] = [];
    for await (const text of exportCalls({ pages, organizationId: 'o', filter: {}, signal }))
      texts.push(text);
    expect([found, asked, texts.length]).toEqual([mostRows, mostRows / 500, 1]);
  });

  it('is given up when nobody reads it any more', async () => {
    const stop = new AbortController();
    const pages = {
      find: async () => {
        stop.abort(new Error('gone'));
        return Array.from({ length: 500 }, () => ({ callId: 'c', revision: 0, startedAt: '' }));
      },
      logsOf: async () => [],
    };
    const all = async (): Promise<void> => {
      for await (const _ of exportCalls({ pages, organizationId: 'o', filter: {}, signal: stop.signal }));
    };
    await expect(all()).rejects.toThrow('gone');
  });
});
