// npm run bench -- outbox: a relay sends millions of events again to a broker that has lost everything. The bench measures
// the relay's time, the wait of new events meanwhile, and the time of deleting as many old events.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Secret } from '@parlance/config';
import { eventSubject, events, makeEvent } from '@parlance/contracts';
import { startNats, startPostgres } from '@parlance/engines';
import { createLogger } from '@parlance/observability';
import {
  addToOutbox,
  createDatabase,
  type Database,
  ensureEventStream,
  eventStreamName,
  migrate,
  startOutboxRelay,
} from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { met, showTable, tell, timed } from '../harness/report.js';

interface World {
  readonly db: Database;
  readonly nats: NatsConnection;
  close(): Promise<void>;
}

const password = 'bench';

const startWorld = async (): Promise<World> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-bench-'));
  const cacheDir = fileURLToPath(new URL('../../../../node_modules/.cache/parlance', import.meta.url));
  const place = (name: string) => ({
    dataDir: join(directory, name),
    logFile: join(directory, `${name}.log`),
  });
  const [postgres, server] = await Promise.all([
    startPostgres({ ...place('postgres'), password }),
    startNats({ ...place('nats'), token: password, cacheDir }),
  ]);
  const db = createDatabase({ url: new Secret(postgres.adminUrl), applicationName: 'bench' });
  const nats = await connectNats({ url: server.url, name: 'bench' });
  const none = join(directory, 'migrations');
  mkdirSync(none);
  await migrate(db, { directory: pathToFileURL(`${none}/`), framework: true });
  return {
    db,
    nats,
    close: async () => {
      await nats.close();
      await db.end();
      await Promise.all([postgres.stop(), server.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const event = () =>
  makeEvent(events.agentDeleted, {
    id: randomUUID(),
    organizationId: randomUUID(),
    occurredAt: new Date().toISOString(),
    data: { agentId: randomUUID(), name: 'Front desk' },
  });

const rowsAtOnce = 20_000;

/** Events that were sent at even distances within the last six days. */
const fill = async (db: Database, rows: number): Promise<void> => {
  const sample = event();
  for (let from = 0; from < rows; from += rowsAtOnce)
    await db.query(
      `insert into outbox (event_id, subject, payload, created_at, sent_at)
       select gen_random_uuid(), $3, $4::jsonb || jsonb_build_object('id', gen_random_uuid()), at, at
       from generate_series($1::int, $2::int) n, lateral (
         select now() - interval '6 days' * (1 - n::float / $5) as at) moment`,
      [from + 1, Math.min(rows, from + rowsAtOnce), eventSubject(sample), JSON.stringify(sample), rows],
    );
  await db.query('analyze outbox');
};

/** Looks by the index: counting millions of rows would take longer than a statement may. */
const isAnyTooOld = async (db: Database): Promise<boolean> =>
  (await db.query(`select 1 from outbox where sent_at < now() - interval '7 days' limit 1`)).rowCount > 0;

const mebibytes = async (db: Database): Promise<number> => {
  const { rows } = await db.query<{ bytes: string }>(
    `select pg_total_relation_size('outbox')::text as bytes`,
  );
  return Number(rows[0]?.bytes) / 1024 / 1024;
};

/** Milliseconds until an event that is written now has arrived at a subscriber. */
const arrival = async ({ db, nats }: World): Promise<number> => {
  const sample = event();
  const subscription = nats.subscribe(eventSubject(sample));
  const written = performance.now();
  await db.transaction((tx) => addToOutbox(tx, sample));
  for await (const message of subscription)
    if (message.json<{ id: string }>().id === sample.id) {
      subscription.unsubscribe();
      return performance.now() - written;
    }
  throw new Error('the subscription has ended');
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isAnythingLost = async (db: Database): Promise<boolean> =>
  (await db.query('select 1 from outbox_lost limit 1')).rowCount > 0;

interface Again {
  readonly seconds: number;
  /** Milliseconds that each new event took to arrive; the first was written before the relay began. */
  readonly waits: readonly number[];
  readonly messages: number;
}

const sendAllAgain = async (world: World): Promise<Again> => {
  const { db, nats } = world;
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const first = arrival(world);
  const began = performance.now();
  const relay = startOutboxRelay({ db, nats, logger });
  const waits = [await first];
  for (;;) {
    waits.push(await arrival(world));
    if (!(await isAnythingLost(db))) break;
    await pause(250);
  }
  const seconds = (performance.now() - began) / 1_000;
  await relay.stop();
  const { state } = await (await nats.jetstreamManager()).streams.info(eventStreamName);
  return { seconds, waits, messages: state.messages };
};

/** Seconds until a relay has deleted all that is too old. */
const pruneAll = async ({ db, nats }: World): Promise<number> => {
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const began = performance.now();
  const relay = startOutboxRelay({ db, nats, logger });
  while (await isAnyTooOld(db)) await pause(500);
  await relay.stop();
  return (performance.now() - began) / 1_000;
};

const makeOld = async (db: Database): Promise<void> => {
  const { rows } = await db.query<{ last: number }>('select max(id)::int as last from outbox');
  for (let from = 0; from <= (rows[0]?.last ?? 0); from += rowsAtOnce)
    await db.query(
      `update outbox set sent_at = now() - interval '8 days' where id > $1 and id <= $2 and sent_at is not null`,
      [from, from + rowsAtOnce],
    );
};

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Prints the measured values beside their goals. */
export const benchOutbox = async ({ rows }: { readonly rows: number }): Promise<void> => {
  const world = await startWorld();
  try {
    const { db, nats } = world;
    await timed(`${rows.toLocaleString('en')} events written as sent`, () => fill(db, rows));
    const before = await mebibytes(db);
    // Another stream than the one that they were sent to.
    await db.query(`insert into outbox_broker (stream_created) values ('an earlier stream')`);
    await ensureEventStream(nats);
    const again = await sendAllAgain(world);
    tell(`${again.messages.toLocaleString('en')} messages are in the stream`);
    const growth = (await mebibytes(db)) / before;
    const waits = again.waits.toSorted((left, right) => left - right);
    await timed('events made too old', () => makeOld(db));
    const pruning = await pruneAll(world);
    const [first = Number.NaN] = again.waits;
    showTable(
      ['measurement', 'result', 'goal', ''],
      [
        ['first new event', `${first.toFixed(0)} ms`, '1000 ms', met(first <= 1_000)],
        ...[
          [`new events meanwhile (${waits.length}), p50`, `${at(waits, 0.5).toFixed(0)} ms`, '', ''],
          [
            'new events meanwhile, p99',
            `${at(waits, 0.99).toFixed(0)} ms`,
            '1000 ms',
            met(at(waits, 0.99) <= 1_000),
          ],
        ],
        ['all again', `${again.seconds.toFixed(0)} s`, '600 s', met(again.seconds <= 600)],
        ['events per second', Math.round(rows / again.seconds).toLocaleString('en'), '', ''],
        ['table and indexes, after / before', growth.toFixed(2), '2', met(growth <= 2)],
        ['all too old deleted', `${pruning.toFixed(0)} s`, '600 s', met(pruning <= 600)],
      ],
    );
  } finally {
    await world.close();
  }
};
