// The promise of an acknowledgement. The server process is killed under load again and again, and comes back on its
// port. In the end every acknowledged event is there, once, in its writer's order. Stand-in only: it has to be killed.
// PARLANCE_TEST_KILLS=20 is the storm in full, EVENTSTORE_KILL_SEED repeats a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ANY, EventStoreDBClient, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Counted, collect, counted, deferred } from '../conformance/support.js';

const KILLS = Number(process.env.PARLANCE_TEST_KILLS ?? 4);
const SEED = Number(process.env.EVENTSTORE_KILL_SEED ?? randomInt(2 ** 31));
const WRITERS = 16;
const SHARED_STREAMS = 3;
const MOST_APPENDS_PER_ROUND = 300;
/** A writer numbers its events from its own number times this. */
const NUMBERS_EACH = 1_000_000;
const packageDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

let dataDir: string;
let server: ChildProcess;
let port: string;
let client: EventStoreDBClient;
/** Resolved while the server answers. */
let running = deferred<void>();

/** The process is killed as it would be run: from its entry, which `npm test` has built. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'eventstore-kill-'));
  const url = await start('0');
  port = new URL(url).port;
  client = EventStoreDBClient.connectionString(url);
});
afterAll(async () => {
  await client.dispose();
  await kill('SIGTERM');
  await rm(dataDir, { recursive: true });
});

async function start(on: string): Promise<string> {
  const args = [join(packageDir, 'dist/main.js'), '--data-dir', dataDir, '--port', on];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: server.stdout ?? process.stdin });
  const [url] = await once(lines, 'line');
  running.resolve();
  return String(url);
}

async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  running = deferred<void>();
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

/** Numbers below a bound that are the same for the same seed. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Repeats an append with the same event ids until it is acknowledged; a conflict would be a lost or doubled event. */
async function untilAcknowledged(append: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await running.promise;
    try {
      await append();
      return;
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw error;
    }
  }
}

/** The acknowledged writes of the writers; a test waits until their number reaches a target. */
class Progress {
  readonly ids = new Set<string>();
  appends = 0;
  private goal = { appends: 0, reached: deferred<void>() };

  acknowledge(ids: readonly string[]): void {
    for (const id of ids) this.ids.add(id);
    this.appends += 1;
    if (this.appends >= this.goal.appends) this.goal.reached.resolve();
  }

  more(appends: number): Promise<void> {
    this.goal = { appends: this.appends + appends, reached: deferred<void>() };
    return this.goal.reached.promise;
  }
}

/** Appends one or three events at a time, numbered: even writers to a stream of their own at its exact revision. */
async function write(writer: number, progress: Progress, done: () => boolean): Promise<void> {
  for (let next = 0, n = 0; !done(); n += 1) {
    const events = Array.from({ length: n % 3 === 0 ? 3 : 1 }, (_, i) =>
      counted(writer * NUMBERS_EACH + next + i),
    );
    const alone = writer % 2 === 0;
    const stream = alone ? `own-${writer}` : `shared-${writer % SHARED_STREAMS}`;
    const exactly = next === 0 ? NO_STREAM : BigInt(next - 1);
    await untilAcknowledged(() =>
      client.appendToStream(stream, events, { expectedRevision: alone ? exactly : ANY }),
    );
    progress.acknowledge(events.map(({ id }) => id));
    next += events.length;
  }
}

/** Reads everything back, as a whole and stream by stream. */
async function audit(acknowledged: ReadonlySet<string>): Promise<void> {
  const stored = (await collect(client.readAll())).flatMap(({ event }) => event ?? []);
  const ids = stored.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !acknowledged.has(id))).toEqual([]);
  expect(ids.length).toBe(acknowledged.size);
  const seen = new Array<number>(WRITERS).fill(0);
  for (const { data } of stored) {
    // The writers write nothing else.
    const { n } = data as Counted['data'];
    const writer = Math.floor(n / NUMBERS_EACH);
    expect(n % NUMBERS_EACH).toBe(seen[writer]);
    seen[writer] = (n % NUMBERS_EACH) + 1;
  }
  for (const stream of new Set(stored.map(({ streamId }) => streamId))) {
    const revisions = (await collect(client.readStream(stream))).map(({ event }) => Number(event?.revision));
    expect(revisions).toEqual(revisions.map((_, index) => index));
  }
}

describe(`kill -9 under load, ${KILLS} times (seed ${SEED})`, () => {
  it(
    'every acknowledged event is there once, in the order in which its writer appended, and nothing else',
    async () => {
      const random = seeded(SEED);
      const progress = new Progress();
      let done = false;
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer, progress, () => done));
      const failed = Promise.all(writers).then(() => undefined);
      for (let round = 0; round < KILLS; round += 1) {
        await Promise.race([progress.more(1 + random(MOST_APPENDS_PER_ROUND)), failed]);
        await kill('SIGKILL');
        await start(port);
      }
      await Promise.race([progress.more(WRITERS), failed]);
      done = true;
      await failed;
      await audit(progress.ids);
    },
    KILLS * 10_000,
  );
});
