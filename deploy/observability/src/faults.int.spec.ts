// The test makes faults, and the expressions of the alert rules find them in the metrics that a process serves.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { defineEvent, makeEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  checkEventStore,
  connectEventStore,
  defineEvents,
  type EventMeta,
  postgresProjector,
} from '@parlance/event-sourcing';
import { createLogger, Readiness } from '@parlance/observability';
import { type Ops, openOps } from '@parlance/ops-listener';
import { addToOutbox, createDatabase, type Database, migrate, startOutboxRelay } from '@parlance/persistence';
import { connectNats } from '@parlance/rpc';
import { startNats } from '@parlance/sandbox-engines';
import { eventually, type TestEngines, testEngines } from '@parlance/testing';
import { z } from 'zod';
import { holdsIn } from './testing/holds.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const directory = mkdtempSync(join(tmpdir(), 'parlance-faults-'));
const personalData = { seal: async () => '', open: async () => null };
let engines: TestEngines;
let ops: Ops;
let readiness: Readiness;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, eventStore: true });
  ops = await openOps({ service: 'calls-logs', env: { OPS_PORT: 0 }, logger });
  readiness = new Readiness(logger);
  ops.started(() => readiness.report());
  const { url } = await engines.databaseFor('faults');
  db = createDatabase({ url, applicationName: 'calls-logs', max: 4 });
  await migrate(db, { directory: pathToFileURL(`${directory}/`), framework: true });
});
afterAll(async () => {
  readiness?.stop();
  await db?.end();
  await ops?.stop();
  await engines?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const scrape = async (): Promise<string> => (await fetch(`${ops.url}/metrics`)).text();
const readingOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );

describe('an outbox whose broker is away', () => {
  const lit = defineEvent({ name: 'lamps.lamp.lit', version: 1, data: z.object({ n: z.int() }) });
  const tell = (n: number) =>
    db.transaction((tx) =>
      addToOutbox(
        tx,
        makeEvent(lit, {
          id: randomUUID(),
          occurredAt: new Date().toISOString(),
          organizationId: 'organization',
          data: { n },
        }),
      ),
    );
  const size = 'parlance_outbox_size{parlance_process="calls-logs"}';

  it('shows how much waits and for how long, and empties when the broker is back', async () => {
    const options = {
      dataDir: join(directory, 'nats'),
      logFile: join(directory, 'nats.log'),
      cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
      token: 'test-token',
    };
    const server = await startNats(options);
    const nats = await connectNats({ url: server.url, name: 'test' });
    const relay = startOutboxRelay({ db, nats, logger, pollMs: 50 });
    await server.stop();
    await tell(1);
    await db.query(`update outbox set created_at = now() - interval '10 minutes'`);
    await tell(2);
    const stuck = await scrape();
    expect(readingOf(stuck, size)).toBe(2);
    expect(holdsIn('ParlanceOutboxStuck', stuck)).toBe(true);

    const again = await startNats({ ...options, port: server.port });
    await eventually(async () => expect(readingOf(await scrape(), size)).toBe(0));
    const well = await scrape();
    expect(holdsIn('ParlanceOutboxStuck', well)).toBe(false);
    expect(
      readingOf(well, 'parlance_outbox_sent_total{parlance_process="calls-logs",parlance_result="sent"}'),
    ).toBe(2);
    expect(readingOf(well, 'db_client_connection_max{db_client_connection_pool_name="calls-logs"}')).toBe(4);
    await relay.stop();
    await nats.close();
    await again.stop();
  });
});

describe('a projection', () => {
  const lampEvents = defineEvents({ LampLit: { version: 1, data: z.object({ brightness: z.int() }) } });
  const meta = (): EventMeta => ({
    ...{ commandId: randomUUID(), organizationId: 'organization', actor: 'user:1', requestId: 'request' },
    occurredAt: new Date().toISOString(),
  });
  const lag = 'parlance_projection_lag_seconds{parlance_projection="call-index"}';

  it('that cannot write shows its lag, and one that cannot read an event shows what it set aside', async () => {
    const esdb = connectEventStore({ url: new Secret(engines.eventStoreUrl), name: 'test', personalData });
    let isAway = true;
    let isPoisoned = true;
    const projector = postgresProjector({
      ...{ id: 'call-index', category: 'call', codec: lampEvents, db, esdb, logger },
      handle: async () => {
        if (isAway) throw new AppError('SERVICE_UNAVAILABLE');
        if (isPoisoned) throw new Error('cannot be handled');
      },
    });
    const stream = `call-${randomUUID()}`;
    const { revision } = await esdb.read(stream, lampEvents);
    await esdb.append(stream, [{ type: 'LampLit', data: { brightness: 1 } }], revision, meta(), lampEvents);
    await eventually(async () => expect(readingOf(await scrape(), lag)).toBeGreaterThan(1));
    // As it reads after a minute.
    const later = (await scrape()).replace(new RegExp(`(${lag.replaceAll(/\W/g, '\\$&')}) .*`), '$1 61.5');
    expect(holdsIn('ParlanceProjectionLags', later)).toBe(true);

    isAway = false;
    await eventually(async () => expect(holdsIn('ParlanceEventsParked', await scrape())).toBe(true));
    isPoisoned = false;
    await eventually(async () => expect(readingOf(await scrape(), lag)).toBe(0));
    await projector.stop();
    expect(await scrape()).not.toContain(lag);
    await esdb.close();
  });
});

describe('an engine that does not answer', () => {
  it('shows as a dependency that is down, and the process stays ready where it can do without', async () => {
    const esdb = connectEventStore({
      url: new Secret('esdb://127.0.0.1:1?tls=false'),
      name: 'test',
      personalData,
    });
    readiness.add('eventStore', { required: false, check: () => checkEventStore(esdb), intervalMs: 50 });
    readiness.start();
    await eventually(async () => {
      const text = await scrape();
      expect(holdsIn('ParlanceDependencyDown', text)).toBe(true);
      expect(text).toContain(
        'parlance_dependency_up{parlance_process="calls-logs",parlance_dependency="eventStore"} 0',
      );
      expect(holdsIn('ParlanceNotReady', text)).toBe(false);
    });
    await esdb.close();
  });
});
