// The cases of cursors, on the platform that the tests of bad input share.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { type Operation, operations } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import type { Account } from './accounts.js';
import { finishedCall, turns } from './bad-hand-overs.js';
import type { CarefulOrganization } from './careful-organization.js';
import { json, type Reply, send, toRefusal } from './refusals.js';
import { pathWith } from './sample-requests.js';

const all: readonly Operation[] = operations;
/** Lists with pages that need no record but an agent. */
const lists = all.filter(
  ({ errors, path }) => errors.includes('INVALID_CURSOR') && !/\{(?!agentId)/.test(path),
);
/** Records of a list that are made by a request. */
const made: Readonly<Record<string, (count: number) => object>> = {
  '/agents': (count) => ({ name: `Desk ${count}`, isActive: true, templateId: null }),
  '/secrets': (count) => ({ name: `SECRET_${count}`, value: 'a value' }),
  '/suppressions': (count) => ({ phoneNumbers: [`+1415555017${count}`] }),
};

export const cursorCases = (world: () => CarefulOrganization): void => {
  const page = async (
    person: Account,
    path: string,
  ): Promise<{ readonly reply: Reply; readonly cursor: string }> => {
    const reply = await send(`${world().platform.api}${path}`, { headers: person.headers });
    const { nextCursor = '' } = JSON.parse(reply.text) as { nextCursor?: string }; // the envelope
    return { reply, cursor: nextCursor };
  };

  it("that is tampered with, somebody else's, or of another question is refused", async () => {
    const owner = await world().accounts.create('owner');
    const organizationId = await world().organizationOf(owner);
    const callIds = [randomUUID(), randomUUID(), randomUUID()];
    for (const callId of callIds) {
      const change = { eventId: randomUUID(), callId, organizationId, transcript: turns(3) };
      const body = JSON.stringify({ ...finishedCall(await world().accounts.agent(owner)), ...change });
      const headers = { ...json, 'x-internal-key': world().internalKey };
      expect((await send(`${world().platform.api}/calls`, { method: 'POST', headers, body })).status).toBe(
        201,
      );
    }
    const { cursor } = await eventually(async () => {
      const first = await page(owner, '/calls?limit=2');
      expect(first.cursor).not.toBe('');
      return first;
    });
    const ofTurns = await eventually(async () => {
      const first = await page(owner, `/calls/${callIds[0]}/transcripts?limit=2`);
      expect(first.cursor).not.toBe('');
      return first.cursor;
    });
    expect((await page(owner, `/calls?limit=2&cursor=${cursor}`)).reply.status).toBe(200);
    const refusedFor = async (person: Account, path: string): Promise<void> => {
      expect([path, toRefusal((await page(person, path)).reply)]).toEqual([path, [400, 'INVALID_CURSOR']]);
    };
    await refusedFor(world().account, `/calls?limit=2&cursor=${cursor}`);
    for (const filter of [
      'status=completed',
      'direction=inbound',
      `agentId=${world().agentId}`,
      'from=2026-01-01T00:00:00Z',
    ])
      await refusedFor(owner, `/calls?limit=2&${filter}&cursor=${cursor}`);
    await refusedFor(owner, `/calls?limit=2&cursor=${ofTurns}`);
    await refusedFor(owner, `/calls/${callIds[1]}/transcripts?limit=2&cursor=${ofTurns}`);
    await refusedFor(owner, `/outbound-calls?limit=2&cursor=${cursor}`);
    for (let place = 0; place < cursor.length - 1; place += 5) {
      const other = cursor[place] === 'A' ? 'B' : 'A';
      await refusedFor(
        owner,
        `/calls?limit=2&cursor=${cursor.slice(0, place)}${other}${cursor.slice(place + 1)}`,
      );
    }
    await refusedFor(owner, `/calls?limit=2&cursor=${cursor.slice(0, -4)}`);
  });

  it('of one list is refused by every other list, and by the same list of another organization', async () => {
    const owner = await world().accounts.create('owner');
    const listOf = (row: Operation, agentId: string): string =>
      `${pathWith(row, { agentId })}?limit=1${row.path === '/kb' ? `&agentId=${agentId}` : ''}`;
    const agentId = await world().accounts.agent(owner);
    const cursors = await Promise.all(
      Object.entries(made).map(async ([path, bodyOf]) => {
        for (const count of [1, 2]) {
          const body = JSON.stringify(bodyOf(count));
          const headers = { ...owner.headers, ...json };
          const reply = await send(`${world().platform.api}${path}`, { method: 'POST', headers, body });
          expect([path, reply.status]).toEqual([path, 201]);
        }
        const { cursor } = await page(owner, `${path}?limit=1`);
        const next = await page(owner, `${path}?limit=1&cursor=${cursor}`);
        expect([path, cursor === '', next.reply.status]).toEqual([path, false, 200]);
        return [path, cursor] as const;
      }),
    );
    const accepted: string[] = [];
    const expectRefusal = async (person: Account, path: string, cursor: string): Promise<void> => {
      const refusal = toRefusal((await page(person, `${path}&cursor=${cursor}`)).reply);
      if (refusal.join(' ') !== '400 INVALID_CURSOR') accepted.push(`${path}: ${refusal.join(' ')}`);
    };
    expect(lists.length).toBeGreaterThan(10);
    for (const row of lists)
      for (const [path, cursor] of cursors) {
        if (row.path !== path) await expectRefusal(owner, listOf(row, agentId), cursor);
        else await expectRefusal(world().account, listOf(row, world().agentId), cursor);
      }
    expect(accepted).toEqual([]);
  });
};
