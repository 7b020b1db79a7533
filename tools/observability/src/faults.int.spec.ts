// The test makes faults, and the expressions of the alert rules find them in the metrics that a process serves.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Secret } from '@parlance/config';
import { defineEvent, eventSubject, makeEvent } from '@parlance/contracts';
import { startNats } from '@parlance/engines';
import { AppError } from '@parlance/errors';
import {
  checkEventStore,
  connectEventStore,
  defineEvents,
  type EventMeta,
  postgresProjector,
} from '@parlance/event-sourcing';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { holdsIn } from '@parlance/fixtures/alerts';
import { createLogger, Readiness } from '@parlance/observability';
import { type Ops, openOps } from '@parlance/ops-listener';
import {
  addToOutbox,
  createDatabase,
  type Database,
  ensureEventStream,
  migrate,
  observeConsumers,
  startConsumer,
  startOutboxRelay,
} from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { z } from 'zod';
import { alerts } from './alerts.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const directory = mkdtempSync(join(tmpdir(), 'parlance-faults-'));
const personalData = { seal: async () => '', open: async () => null, hashes: async () => [] };
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
/** Moves the clock of the process by a minute, as if everything that waits had waited for so long already. */
const aMinuteLater = () => {
  const now = Date.now.bind(Date);
  return jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
};
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

describe('a consumer that hangs', () => {
  const lit = defineEvent({ name: 'lamps.lamp.lit', version: 1, data: z.object({ n: z.int() }) });
  const out = defineEvent({ name: 'lamps.lamp.out', version: 1, data: z.object({ n: z.int() }) });
  const consumer = { durable: 'calls-logs', events: [lit, out] };
  const backlog = (state: string) =>
    `parlance_consumer_backlog{parlance_consumer="calls-logs",parlance_event_state="${state}"}`;

  it('shows what waits for it and what it has not settled, and nothing once it goes on', async () => {
    const server = await startNats({
      dataDir: join(directory, 'nats-of-consumer'),
      logFile: join(directory, 'nats-of-consumer.log'),
      cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
      token: 'test-token',
    });
    const nats = await connectNats({ url: server.url, name: 'test' });
    await ensureEventStream(nats);
    const endGauge = observeConsumers(nats, [consumer]);
    let goOn: () => void = () => undefined;
    const hung = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const started = startConsumer({ nats, db, logger, ...consumer, handle: () => hung });
    for (let n = 0; n < 50; n += 1) {
      const about = { id: randomUUID(), organizationId: 'o1', occurredAt: new Date().toISOString() };
      const event = makeEvent(lit, { ...about, data: { n } });
      await nats.jetstream().publish(eventSubject(event), JSON.stringify(event));
    }
    await eventually(async () =>
      expect(readingOf(await scrape(), backlog('unsettled'))).toBeGreaterThanOrEqual(32),
    );
    const behind = await scrape();
    expect(readingOf(behind, backlog('waiting'))).toBeGreaterThan(0);
    expect(readingOf(behind, backlog('waiting')) + readingOf(behind, backlog('unsettled'))).toBe(50);
    expect(holdsIn('ParlanceConsumerBehind', behind)).toBe(true);

    goOn();
    await eventually(async () => {
      const well = await scrape();
      expect([readingOf(well, backlog('waiting')), readingOf(well, backlog('unsettled'))]).toEqual([0, 0]);
      expect(holdsIn('ParlanceConsumerBehind', well)).toBe(false);
    });
    await started.stop();
    endGauge();
    await nats.close();
    await server.stop();
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
    const eventStore = connectEventStore({
      url: new Secret(engines.eventStoreUrl),
      name: 'test',
      personalData,
    });
    let isAway = true;
    let isPoisoned = true;
    const projector = postgresProjector({
      ...{ id: 'call-index', category: 'call', codec: lampEvents, db, eventStore, logger },
      handle: async () => {
        if (isAway) throw new AppError('SERVICE_UNAVAILABLE');
        if (isPoisoned) throw new Error('cannot be handled');
      },
    });
    const stream = `call-${randomUUID()}`;
    const { revision } = await eventStore.read(stream, lampEvents);
    await eventStore.append(
      stream,
      [{ type: 'LampLit', data: { brightness: 1 } }],
      revision,
      meta(),
      lampEvents,
    );
    await eventually(async () => expect(readingOf(await scrape(), lag)).toBeGreaterThan(1));
    expect(holdsIn('ParlanceProjectionLags', await scrape())).toBe(false);
    const clock = aMinuteLater();
    expect(holdsIn('ParlanceProjectionLags', await scrape())).toBe(true);
    clock.mockRestore();

    isAway = false;
    await eventually(async () => expect(holdsIn('ParlanceEventsParked', await scrape())).toBe(true));
    isPoisoned = false;
    await eventually(async () => expect(readingOf(await scrape(), lag)).toBe(0));
    await projector.stop();
    expect(await scrape()).not.toContain(lag);
    await eventStore.close();
  });

  it('whose lock a dead copy holds stands still, and goes on when the lock is free', async () => {
    const eventStore = connectEventStore({
      url: new Secret(engines.eventStoreUrl),
      name: 'test',
      personalData,
    });
    const active = 'parlance_projection_active{parlance_projection="sealed-call-search"}';
    const dead = await db.tryLock('projection:sealed-call-search');
    const projector = postgresProjector({
      ...{ id: 'sealed-call-search', category: 'call', codec: lampEvents, db, eventStore, logger },
      handle: async () => undefined,
    });
    expect(holdsIn('ParlanceProjectionStopped', await scrape())).toBe(true);
    await dead?.release();
    await eventually(async () => expect(readingOf(await scrape(), active)).toBe(1));
    expect(holdsIn('ParlanceProjectionStopped', await scrape())).toBe(false);
    await projector.stop();
    expect(await scrape()).not.toContain(active);
    await eventStore.close();
  });
});

describe('an engine that does not answer', () => {
  const upOf = (dependency: string, need: string): string =>
    `parlance_dependency_up{parlance_process="calls-logs",parlance_dependency="${dependency}",parlance_dependency_need="${need}"}`;

  it('wakes a person where the process needs it, and waits for the morning where it can do without', async () => {
    const eventStore = connectEventStore({
      url: new Secret('esdb://127.0.0.1:1?tls=false'),
      name: 'test',
      personalData,
    });
    const check = () => checkEventStore(eventStore);
    const severityOf = (alert: string) => alerts.find(({ name }) => name === alert)?.severity;
    readiness.add('eventStore', { required: false, check, intervalMs: 50 });
    readiness.start();
    await eventually(async () => {
      const text = await scrape();
      expect(holdsIn('ParlanceOptionalDependencyDown', text)).toBe(true);
      expect(severityOf('ParlanceOptionalDependencyDown')).toBe('ticket');
      expect(readingOf(text, upOf('eventStore', 'optional'))).toBe(0);
      expect(holdsIn('ParlanceDependencyDown', text)).toBe(false);
      expect(holdsIn('ParlanceNotReady', text)).toBe(false);
    });
    readiness.add('readModel', { required: true, check, intervalMs: 50 });
    await eventually(async () => {
      const text = await scrape();
      expect(holdsIn('ParlanceDependencyDown', text)).toBe(true);
      expect(severityOf('ParlanceDependencyDown')).toBe('page');
      expect(readingOf(text, upOf('readModel', 'required'))).toBe(0);
      expect(holdsIn('ParlanceNotReady', text)).toBe(true);
    });
    await eventStore.close();
  });
});
