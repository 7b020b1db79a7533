// A read by id is true at once, however far the read models have come. Here the read models stand still, because the
// test holds the locks with which a copy becomes the active one.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { contract, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { announcementsId, callDocuments, callIndex } from '../projections.js';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
let db: Database;
let held: { release(): Promise<void> }[] = [];

const letGo = async (): Promise<void> => {
  for (const lock of held.splice(0)) await lock.release();
};
const standStill = async (): Promise<void> => {
  await world.restart(async () => {
    for (const id of [callIndex.id, callDocuments.id, announcementsId])
      await eventually(async () => {
        const lock = await db.tryLock(`projection:${id}`);
        if (lock === undefined) throw new Error('another copy is still the active one');
        held.push(lock);
      });
  });
};

beforeAll(async () => {
  world = await World.start();
  db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test' });
  await standStill();
});
afterEach(async () => {
  if (held.length === 0) await standStill();
});
afterAll(async () => {
  held = [];
  await db?.end();
  await world?.stop();
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const turnsOf = (count: number) =>
  Array.from({ length: count }, (_, seq) => ({
    seq,
    role: seq % 2 === 0 ? ('agent' as const) : ('user' as const),
    text: `line ${seq}`,
    startMs: seq * 100,
  }));

const pageOf = (org: string, callId: string, query: { limit?: string; cursor?: string | undefined } = {}) =>
  world.request(contract.callsTranscripts, { params: { callId }, query }, userOf(org));

it('a transcript is whole right after its hand-over, and its pages go on when the documents have caught up', async () => {
  const org = randomUUID();
  const call = finishedCall(org, { transcript: turnsOf(250) });
  await world.ingest(call);
  const first = await pageOf(org, call.callId, { limit: '100' });
  expect(first.data.map(({ seq }) => seq)).toEqual(turnsOf(100).map(({ seq }) => seq));
  const second = await pageOf(org, call.callId, { limit: '100', cursor: first.nextCursor });
  expect(second.data.map(({ text }) => text)).toEqual(
    turnsOf(250)
      .slice(100, 200)
      .map(({ text }) => text),
  );
  await letGo();
  await eventually(async () => expect(await world.list(org)).toHaveLength(1));
  const third = await pageOf(org, call.callId, { limit: '100', cursor: second.nextCursor });
  expect(third.data.map(({ seq }) => seq)).toEqual(
    turnsOf(250)
      .slice(200)
      .map(({ seq }) => seq),
  );
  expect(third.nextCursor).toBeUndefined();
  // By now the turns come from the documents, and are the same.
  expect((await pageOf(org, call.callId, { limit: '100' })).data).toEqual(first.data);
});

it('a deleted call is unknown at once, its transcript too, though its documents are still there', async () => {
  const org = randomUUID();
  const call = finishedCall(org);
  await letGo();
  await world.ingest(call);
  await eventually(async () => expect(await world.list(org)).toHaveLength(1));
  await standStill();
  await world.request(contract.callsDelete, { params: { callId: call.callId } }, userOf(org));
  await expect(pageOf(org, call.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
  await expect(world.get(org, call.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
});

it('the transcript of a call of another organization is unknown', async () => {
  const [org, stranger] = [randomUUID(), randomUUID()];
  const call = finishedCall(org);
  await world.ingest(call);
  await expect(pageOf(stranger, call.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
});

it('how many calls an agent is in is answered by an index that has caught up, or not at all', async () => {
  const org = randomUUID();
  const call = finishedCall(org);
  const live = async () => {
    const data = await world.ask(
      serviceRequests.callsLiveCountOfAgent,
      { body: { agentId: call.agentId } },
      userOf(org),
    );
    return data.live;
  };
  await world.ingest(call);
  await expect(live()).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
  await letGo();
  await eventually(async () => expect(await live()).toBe(0));
});
