// The cases of cursors, on the platform that the tests of bad input share.
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Account } from './accounts.js';
import { finishedCall, turns } from './bad-hand-overs.js';
import type { CarefulOrganization } from './careful-organization.js';
import { json, type Reply, send, toRefusal } from './refusals.js';

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
};
