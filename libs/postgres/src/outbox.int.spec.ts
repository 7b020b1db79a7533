// The outbox with many events: new events come first, and the others follow in pieces that a crash can come between. The
// relay tells of work that it cannot do.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineEvent, eventSubject, makeEvent } from '@parlance/contracts';
import { type Nats, startNats } from '@parlance/engines';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger, type RunningPart } from '@parlance/observability';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import {
  addToOutbox,
  createDatabase,
  type Database,
  ensureEventStream,
  eventStreamName,
  migrate,
  startOutboxRelay,
} from './index.js';

const lit = defineEvent({ name: 'lamps.lamp.lit', version: 1, data: z.object({ n: z.int() }) });
const pieceSize = 5;

const directory = mkdtempSync(join(tmpdir(), 'parlance-outbox-'));
const logger = createLogger({ service: 'test', level: 'silent' });
const parts: RunningPart[] = [];
let engines: TestEngines;
let server: Nats;
let nats: NatsConnection;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  server = await startNats({
    dataDir: join(directory, 'nats'),
    logFile: join(directory, 'nats.log'),
    cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
    token: 'test-token',
  });
  nats = await connectNats({ url: server.url, name: 'test' });
  const { url } = await engines.databaseFor('outbox');
  db = createDatabase({ url, applicationName: 'outbox', max: 4 });
  const empty = pathToFileURL(`${mkdtempSync(join(directory, 'migrations-'))}/`);
  await migrate(db, { directory: empty, framework: true });
  await db.query(
    `create function refuse_large_statements() returns trigger language plpgsql as $$
     begin
       if (select count(*) from changed) > 100 then raise 'one statement changes % rows', (select count(*) from changed);
       end if;
       return null;
     end $$`,
  );
  for (const [change, rows] of [
    ['update', 'new'],
    ['delete', 'old'],
  ])
    await db.query(
      `create trigger ${change}_in_pieces after ${change} on outbox referencing ${rows} table as changed
       for each statement execute function refuse_large_statements()`,
    );
});
beforeEach(async () => {
  // Another stream than the one that is there: everything that counts as sent went to it.
  await db.query(
    `insert into outbox_broker (stream_created) values ('an earlier stream')
     on conflict (only_row) do update set stream_created = excluded.stream_created`,
  );
  await ensureEventStream(nats);
});
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
  const manager = await nats.jetstreamManager();
  await manager.streams.delete(eventStreamName);
  await db.query('truncate outbox, outbox_lost');
});
afterAll(async () => {
  await db.end();
  await nats.close();
  await server.stop();
  await engines.stop();
  rmSync(directory, { recursive: true, force: true });
});

const relay = (connection = nats): RunningPart => {
  const started = startOutboxRelay({
    db,
    nats: connection,
    logger,
    pieceSize,
    pollMs: 50,
    brokerCheckMs: 100,
  });
  parts.push(started);
  return started;
};

const eventOf = (n: number) =>
  makeEvent(lit, {
    id: randomUUID(),
    organizationId: 'o1',
    occurredAt: new Date().toISOString(),
    data: { n },
  });
const announce = (n: number): Promise<void> => db.transaction((tx) => addToOutbox(tx, eventOf(n)));

/** Events from 1 to `count` that were sent all at one instant. */
const sentBefore = async (count: number, age: string): Promise<void> => {
  await db.query(
    `insert into outbox (event_id, subject, payload, created_at, sent_at)
     select gen_random_uuid(), $2, jsonb_set($3, '{data,n}', to_jsonb(n)), now() - $4::interval, now() - $4::interval
     from generate_series(1, $1) n`,
    [count, eventSubject(lit), JSON.stringify(eventOf(0)), age],
  );
};

/** The numbers of the events in the stream, in its order. */
const published = async (): Promise<number[]> => {
  const manager = await nats.jetstreamManager();
  const { state } = await manager.streams.info(eventStreamName);
  const numbers: number[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const { data } = await manager.streams.getMessage(eventStreamName, { seq });
    numbers.push(lit.data.parse(JSON.parse(new TextDecoder().decode(data)).data).n);
  }
  return numbers;
};
const publishedAre = (count: number): Promise<void> =>
  eventually(
    async () => {
      const manager = await nats.jetstreamManager();
      const { state } = await manager.streams.info(eventStreamName);
      expect(state.messages).toBe(count);
    },
    { timeoutMs: 60_000 },
  );
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** Rows of the outbox that statements have read so far, with an index or without. */
const rowsRead = async (): Promise<number> => {
  await db.query('select pg_stat_force_next_flush()');
  const { rows } = await db.query<{ read: string }>(
    `select (seq_tup_read + idx_tup_fetch)::text as read from pg_stat_user_tables where relid = 'outbox'::regclass`,
  );
  return Number(rows[0]?.read);
};
const left = async (): Promise<number> => (await db.query('select 1 from outbox')).rowCount;

describe('events of a stream that was lost', () => {
  it('are sent again after new events, and an event that is new meanwhile comes before the rest of them', async () => {
    await sentBefore(300, '1 day');
    await announce(1_000);
    const subscription = nats.subscribe(eventSubject(lit));
    const hurried = (async () => {
      let seen = 0;
      for await (const _ of subscription) {
        seen += 1;
        if (seen === 50) return announce(1_001);
      }
      return undefined;
    })();
    relay();
    await hurried;
    await publishedAre(302);
    const order = await published();
    expect(order[0]).toBe(1_000);
    expect(order.indexOf(1_001)).toBeLessThan(200);
    expect(order.filter((n) => n < 1_000)).toEqual(range(1, 300));
    subscription.unsubscribe();
  });

  it('are found by the index, so that a piece of few events reads few rows of a table of many', async () => {
    await sentBefore(1_500, '1 day');
    await db.query('analyze outbox');
    const before = await rowsRead();
    const again = relay();
    await publishedAre(1_500);
    await again.stop();
    // Without the order of the index each of the 600 pieces would read every row that is left.
    expect((await rowsRead()) - before).toBeLessThan(20 * 1_500);
  });

  it('go on after a crash between two pieces where they were, and are not sent a third time', async () => {
    await sentBefore(300, '1 day');
    const dying = await connectNats({ url: server.url, name: 'dying' });
    const count = nats.subscribe(eventSubject(lit));
    const all: string[] = [];
    const crash = (async () => {
      for await (const message of count) {
        all.push(message.headers?.get('Nats-Msg-Id') ?? '');
        if (all.length === 53) await dying.close();
      }
    })();
    const first = relay(dying);
    await eventually(() => expect(all.length).toBeGreaterThanOrEqual(53));
    await first.stop();
    const { rows } = await db.query('select 1 from outbox_lost');
    expect(rows).toHaveLength(1);
    relay();
    await publishedAre(300);
    await eventually(async () => expect((await db.query('select 1 from outbox_lost')).rowCount).toBe(0));
    await nats.flush();
    count.unsubscribe();
    await crash;
    // Whole pieces were noted before the crash; of the one that it came into, each event may have gone out twice.
    expect(new Set(all).size).toBe(300);
    expect(all.length).toBeLessThanOrEqual(300 + pieceSize);
  });

  it('are not sent again by a relay that starts while the broker is the one that had them', async () => {
    await sentBefore(20, '1 day');
    await relay().stop();
    relay();
    await publishedAre(20);
    const count = nats.subscribe(eventSubject(lit));
    let again = 0;
    const counting = (async () => {
      for await (const message of count) if (message.headers?.get('Nats-Msg-Id')) again += 1;
    })();
    await Promise.all(parts.splice(0).map((part) => part.stop()));
    relay();
    await announce(2_000);
    await publishedAre(21);
    count.unsubscribe();
    await counting;
    expect(again).toBe(1);
  });
});

describe('events that are too old to keep', () => {
  it('are deleted piece by piece after new ones were sent, and not before the broker has them again', async () => {
    await sentBefore(300, '8 days');
    await announce(3_000);
    relay();
    // Sent again, they are kept for as long once more.
    await publishedAre(301);
    expect((await published())[0]).toBe(3_000);
    expect(await left()).toBe(301);
    await Promise.all(parts.splice(0).map((part) => part.stop()));
    const { rowCount: old } = await db.query(
      `update outbox set sent_at = sent_at - interval '8 days' where id % 4 = 0`,
    );
    relay();
    await eventually(async () => expect(await left()).toBe(301 - old));
  });
});

describe('a relay that cannot do its work', () => {
  it('tells so, for events that it cannot publish, and tells when it works again', async () => {
    const started = relay();
    await announce(4_000);
    await publishedAre(1);
    expect(started.trouble?.()).toBeUndefined();
    await db.query('alter table outbox rename column headers to gone');
    await eventually(() => expect(started.trouble?.()).toBe('cannot publish'));
    await db.query('alter table outbox rename column gone to headers');
    await eventually(() => expect(started.trouble?.()).toBeUndefined());
  });

  it('sends new events though it cannot send old ones again, and tells so', async () => {
    await sentBefore(20, '1 day');
    await db.query('alter table outbox_lost rename column id_after to gone');
    const started = relay();
    await announce(5_000);
    await publishedAre(1);
    await eventually(() => expect(started.trouble?.()).toBe('cannot send again what was lost'));
    await db.query('alter table outbox_lost rename column gone to id_after');
    await publishedAre(21);
    await eventually(() => expect(started.trouble?.()).toBeUndefined());
  });
});
