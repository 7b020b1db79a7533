// The runtime hands a call over until it gets an answer. The service dies in the middle of it, again and again. In the
// end the log holds every handed-over call once.
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CallLog, contract } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import fc from 'fast-check';
import { finishedCall, userOf, World } from '../testing/world.js';

const size = Number(process.env.PARLANCE_TEST_CALLS ?? 80);
const kills = Math.max(2, Math.ceil(size / 80));
const handOversAtOnce = 6;
/** The number of calls with a transcript that takes several appends. */
const long = { calls: 3, turns: 250, text: 2_800 };

type Body = ReturnType<typeof finishedCall>;

const day = '2026-03-01';
const organizationId = randomUUID();
const caller = userOf(organizationId);
const agentIds = [randomUUID(), randomUUID(), randomUUID()];

const call = fc.record({
  turns: fc.integer({ min: 0, max: 25 }),
  seconds: fc.integer({ min: 0, max: 600 }),
  copies: fc.integer({ min: 1, max: 5 }),
});
const plan = fc.array(call, { minLength: size, maxLength: size }).chain((calls) => {
  const handOvers = calls.flatMap(({ copies }, index) => Array.from({ length: copies }, () => index));
  const count = handOvers.length;
  return fc.record({
    calls: fc.constant(calls),
    order: fc
      .shuffledSubarray(
        handOvers.map((_, index) => index),
        { minLength: count },
      )
      .map((places) => places.map((place) => handOvers[place] ?? 0)),
    /** The hand-overs before which the service is killed. */
    kills: fc.uniqueArray(fc.nat(count - 1), { minLength: kills, maxLength: kills }),
  });
});

const bodyOf = (
  { seconds, turns }: { readonly seconds: number; readonly turns: number },
  n: number,
): Body => {
  const [count, length] = n < long.calls ? [long.turns, long.text] : [turns, 40];
  const startedAt = Date.parse(`${day}T01:00:00.000Z`) + n * 1_000;
  const endedAt = new Date(startedAt + seconds * 1_000).toISOString();
  return finishedCall(organizationId, {
    agentId: agentIds[n % agentIds.length],
    startedAt: new Date(startedAt).toISOString(),
    answeredAt: new Date(startedAt).toISOString(),
    endedAt,
    durationSeconds: seconds,
    usage: [{ kind: 'telephony', quantity: seconds, unit: 'second', provider: 'p' }],
    transcript: Array.from({ length: count }, (_, seq) => ({
      seq,
      role: 'user',
      text: `${seq} of ${n} `.padEnd(length, 'x'),
      startMs: seq,
    })),
  });
};

let world: World;
beforeAll(async () => {
  world = await World.start({ asProcess: true });
  await eventually(() => world.list(organizationId), { timeoutMs: 60_000 });
});
afterAll(() => world?.stop());

/** Repeats the hand-over until it is answered, as the runtime does. Resolves to the code of a refusal, or undefined. */
const handOver = (body: Body): Promise<string | undefined> =>
  eventually(
    async () => {
      try {
        await world.ingest(body);
        return undefined;
      } catch (error) {
        if (error instanceof AppError && errorCodes[error.code].retryable !== true) return error.code;
        throw error;
      }
    },
    { timeoutMs: 120_000, intervalMs: 100 },
  );

const pages = async <T>(
  read: (cursor: string | undefined) => Promise<{ data: T[]; nextCursor?: string }>,
) => {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
};
const paged = (cursor: string | undefined) => ({ limit: '100', ...(cursor === undefined ? {} : { cursor }) });
const wholeLog = (): Promise<CallLog[]> =>
  pages((cursor) => world.request(contract.callsList, { query: paged(cursor) }, caller));
const textsOf = async (callId: string): Promise<string[]> => {
  const turns = await pages((cursor) =>
    world.request(contract.callsTranscripts, { params: { callId }, query: paged(cursor) }, caller),
  );
  return turns.map(({ text }) => text);
};

/** Everything of the list by so many at a time. */
const inTurns = async <T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T, index: number) => Promise<void>,
) => {
  const waiting = list.entries();
  const worker = async (): Promise<void> => {
    for (const [index, one] of waiting) await work(one, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const theStorm = async (seed: number): Promise<Body[]> => {
  const [planned] = fc.sample(plan, { seed, numRuns: 1 });
  const bodies = (planned?.calls ?? []).map(bodyOf);
  const refusals: string[] = [];
  let crash = Promise.resolve();
  await inTurns(planned?.order ?? [], handOversAtOnce, async (n, index) => {
    if (planned?.kills.includes(index)) crash = crash.then(() => world.crash());
    const body = bodies[n] ?? finishedCall(organizationId);
    // The runtime lost its memory too, now and then, and hands over under another event id.
    const refused = await handOver(index % 3 === 0 ? { ...body, eventId: randomUUID() } : body);
    if (refused !== undefined) refusals.push(refused);
  });
  await crash;
  expect(refusals).toEqual([]);
  return bodies;
};

const everythingOnce = async (bodies: readonly Body[]): Promise<void> => {
  const byId = (a: string, b: string) => (a < b ? -1 : 1);
  const expected = bodies.map(({ callId }) => callId).sort(byId);
  await eventually(async () => expect((await wholeLog()).map(({ id }) => id).sort(byId)).toEqual(expected), {
    timeoutMs: 60_000,
    intervalMs: 250,
  });
  await inTurns(bodies, 8, async ({ callId, transcript: turns }) => {
    const texts = turns.map(({ text }) => text);
    await eventually(async () => expect(await textsOf(callId)).toEqual(texts), { timeoutMs: 60_000 });
  });
  const seconds = bodies.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const query = { range: 'custom', from: day, to: day } as const;
  const data = await world.ask(contract.dashboardSummary, { query }, caller);
  expect(data.kpis).toMatchObject({ totalCalls: size, totalMinutes: Math.round((seconds / 60) * 100) / 100 });
  const ends = world.ends;
  expect(new Set(ends.map(({ id }) => id)).size).toBe(size);
  expect(new Set(ends.map(({ data: { callId } }) => callId)).size).toBe(size);
};

it(`${size.toLocaleString('en')} calls, each handed over up to five times while the service is killed, are in the log once`, async () => {
  const seed = randomInt(2 ** 31);
  try {
    await everythingOnce(await theStorm(seed));
  } catch (error) {
    throw new Error(`with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}, 900_000);
