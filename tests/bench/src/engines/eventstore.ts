// The throughput of the event store stand-in: the official client in this process, the server in one of its own.
// The client takes as much CPU as the server and more, so each row shows the CPU time of both.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent, START, streamNameFilter } from '@eventstore/db-client';
import {
  type BenchServer,
  describeMemory,
  type EngineRow,
  measure,
  memory,
  rowOf,
  startServer,
} from './engine-row.js';

const entry = fileURLToPath(new URL('../../../../sandbox/fakes/eventstore/dist/main.js', import.meta.url));
const storedInTheEnd = 1_000_000;
const writers = 64;
const eventsPerStream = 16;
const eventsPerBatch = 500;
const eventsPerRead = 50_000;
const aggregates = 20;
const eventsPerAggregate = 40;

interface Bench {
  readonly client: EventStoreDBClient;
  readonly pid: number;
  readonly seconds: number;
  /** Events that have been appended. */
  stored: number;
}

interface Load {
  readonly what: string;
  readonly workers: number;
  /** Events that one operation is about. */
  readonly units?: number;
  readonly operation: () => Promise<unknown>;
}

const ownCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const rowFor = async (
  { pid, seconds }: Bench,
  { what, workers, units = 1, operation }: Load,
): Promise<EngineRow> => {
  const before = ownCpu();
  const measured = await measure({ pid, seconds, workers, units }, operation);
  const each = ((ownCpu() - before) / measured.operations).toFixed(1);
  return rowOf(what, measured, `${each} µs of the client's CPU each`);
};

/** An event of some 200 bytes, as the platform's are. */
const eventNumber = (n: number) =>
  jsonEvent({
    type: 'AttemptStarted',
    data: {
      n,
      callId: `call-${n}`,
      startedAt: '2026-01-01T00:00:00.000Z',
      to: '+15550100',
      note: 'x'.repeat(80),
    },
    metadata: { organizationId: `org-${n % 100}`, correlationId: `request-${n}` },
  });

const appendBatch = (bench: Bench, stream: string, size: number): Promise<unknown> =>
  bench.client.appendToStream(
    stream,
    Array.from({ length: size }, () => eventNumber(bench.stored++)),
  );

const appends = (bench: Bench): [Load, ...Load[]] => {
  const single = (stream: string) => appendBatch(bench, stream, 1);
  const many = () =>
    `call-${bench.stored % writers}-${Math.floor(bench.stored / (writers * eventsPerStream))}`;
  const batch = () => appendBatch(bench, `batch-${Math.floor(bench.stored / 10_000)}`, eventsPerBatch);
  return [
    { what: 'single appends, 64 writers, many streams', workers: writers, operation: () => single(many()) },
    { what: 'single appends, 64 writers, one stream', workers: writers, operation: () => single('one') },
    { what: 'single appends, 1 writer', workers: 1, operation: () => single('alone') },
    { what: 'events in appends of 500, 4 writers', workers: 4, units: eventsPerBatch, operation: batch },
  ];
};

/** Stores enough events for the figures and the memory of a store in use. The last ones are aggregates to read. */
const fill = async (bench: Bench, onProgress: (text: string) => void): Promise<void> => {
  const last = storedInTheEnd - aggregates * eventsPerAggregate;
  const work = async (): Promise<void> => {
    while (bench.stored < last) {
      const size = Math.min(eventsPerBatch, last - bench.stored);
      onProgress(`storing events: ${Math.floor((100 * bench.stored) / storedInTheEnd)} %`);
      await appendBatch(bench, `filling-${Math.floor(bench.stored / 5_000)}`, size);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  for (let n = 0; n < aggregates; n += 1) await appendBatch(bench, `aggregate-${n}`, eventsPerAggregate);
};

const counted = async (read: AsyncIterable<unknown>): Promise<number> => {
  let events = 0;
  for await (const _ of read) events += 1;
  return events;
};

/** Follows $all from its start, for so many events of the streams with this prefix. */
const followed = async (client: EventStoreDBClient, most: number, prefix: string): Promise<void> => {
  const filter = prefix === '' ? {} : { filter: streamNameFilter({ prefixes: [prefix] }) };
  const subscription = client.subscribeToAll({ fromPosition: START, ...filter });
  let events = 0;
  await new Promise<void>((resolve, reject) => {
    const take = (): void => {
      events += 1;
      if (events === most) resolve();
    };
    subscription.on('data', take).on('error', reject);
  });
  await subscription.unsubscribe();
};

const reads = async ({ client }: Bench): Promise<Load[]> => {
  const anyAggregate = () => client.readStream(`aggregate-${Math.floor(Math.random() * aggregates)}`);
  const inOne = await counted(client.readStream('one'));
  const all = () => counted(client.readAll({ maxCount: eventsPerRead }));
  const rare = () => followed(client, aggregates * eventsPerAggregate, 'aggregate-');
  return [
    { what: 'events read from $all', workers: 1, units: eventsPerRead, operation: all },
    {
      what: 'events read from one stream',
      workers: 1,
      units: inOne,
      operation: () => counted(client.readStream('one')),
    },
    {
      what: 'streams of 40 events loaded, 16 at once',
      workers: 16,
      operation: () => counted(anyAggregate()),
    },
    {
      what: 'events of a subscription to $all',
      workers: 1,
      units: eventsPerRead,
      operation: () => followed(client, eventsPerRead, ''),
    },
    {
      what: 'events searched for the 800 with a prefix',
      workers: 1,
      units: storedInTheEnd,
      operation: rare,
    },
  ];
};

/** The server is killed with all its memory, and started again on its files. */
const restarted = async (
  server: BenchServer,
  start: () => Promise<BenchServer>,
): Promise<[BenchServer, EngineRow]> => {
  await server.stop();
  const begin = performance.now();
  const again = await start();
  const seconds = ((performance.now() - begin) / 1_000).toFixed(2);
  const what = `start after kill -9, ${storedInTheEnd.toLocaleString('en')} events`;
  return [again, { what, perSecond: 0, note: `${seconds} s with the process's own start` }];
};

/**
 * Starts the server on an empty directory, measures each operation for `seconds`, and throws all away. Every append is
 * on disk before it is answered. Storing a million events takes a minute or more; `onProgress` is told.
 */
export const benchEventStore = async ({
  seconds,
  onProgress = () => undefined,
}: {
  readonly seconds: number;
  readonly onProgress?: (text: string) => void;
}): Promise<EngineRow[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-bench-eventstore-data-'));
  const start = () => startServer('eventstore', () => [entry, '--data-dir', dataDir]);
  let server = await start();
  const client = EventStoreDBClient.connectionString(server.url);
  const bench: Bench = { client, pid: server.pid, seconds, stored: 0 };
  const rows: EngineRow[] = [];
  const run = async (loads: readonly Load[]): Promise<void> => {
    for (const load of loads) {
      onProgress(load.what);
      rows.push(await rowFor(bench, load));
    }
  };
  try {
    const [first, ...others] = appends(bench);
    // Both processes compile in their first seconds.
    await rowFor({ ...bench, seconds: 2 }, first);
    await run([first, ...others]);
    await fill(bench, onProgress);
    await run(await reads(bench));
    const what = `memory with ${storedInTheEnd.toLocaleString('en')} events stored`;
    rows.push({ what, perSecond: 0, note: describeMemory(await memory(bench.pid)) });
    await client.dispose();
    const [again, row] = await restarted(server, start);
    server = again;
    return [...rows, row];
  } finally {
    await client.dispose();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
