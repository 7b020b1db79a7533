// A tiny event-sourced domain for the tests of libs/event-sourcing: lamps that are lit, and given to people.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Secret } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { z } from 'zod';
import {
  connectEventStore,
  defineEvents,
  type EventMeta,
  type EventStoreConnection,
  type EventsOf,
  type PersonalParts,
  type SubscriberOptions,
} from '../index.js';

const lampLit = { version: 1, data: z.object({ brightness: z.int() }) } as const;

export const lampEvents = defineEvents({
  LampLit: lampLit,
  LampGiven: { version: 1, data: z.object({}), personal: z.object({ to: z.string() }) },
});
export type LampEvent = EventsOf<typeof lampEvents>;

/** The event types of the same streams that an older release knows. */
export const oldLampEvents = defineEvents({ LampLit: lampLit });

export const lit = (brightness: number): LampEvent => ({ type: 'LampLit', data: { brightness } });

export const meta = (): EventMeta => ({
  commandId: randomUUID(),
  organizationId: 'org',
  actor: 'user:1',
  requestId: 'request',
  occurredAt: '2026-01-01T00:00:00.000Z',
});

/** Seals by turning the text around; enough to see whether the store seals at all. */
export const mirror: PersonalParts = {
  seal: async (subject, value) => [...`${subject} ${JSON.stringify(value)}`].reverse().join(''),
  open: async (subject, sealed) =>
    JSON.parse(
      [...sealed]
        .reverse()
        .join('')
        .slice(subject.length + 1),
    ),
  hashes: async (subject, texts) => texts.map((text) => `${subject} ${text}`),
};

export interface World {
  readonly engines: TestEngines;
  readonly db: Database;
  /** The URL of `db`. */
  readonly url: Secret;
  readonly eventStore: EventStoreConnection;
  openStore(): EventStoreConnection;
  /** The options of every subscriber of this world; it follows the category of its own name. */
  subscriber(id: string): Omit<SubscriberOptions<LampEvent>, 'about'>;
  /** Appends at the end of a stream, as the only writer. */
  append(stream: string, ...events: readonly LampEvent[]): Promise<bigint>;
  stop(): Promise<void>;
}

export const startWorld = async (
  wanted: { readonly nats?: boolean; readonly mongo?: boolean } = {},
): Promise<World> => {
  const engines = await testEngines({ postgres: true, eventStore: true, ...wanted });
  const { url } = await engines.databaseFor('lamps');
  const db = createDatabase({ url, applicationName: 'lamps' });
  const noMigrations = mkdtempSync(join(tmpdir(), 'parlance-lamps-'));
  await migrate(db, { directory: pathToFileURL(`${noMigrations}/`), framework: true });
  rmSync(noMigrations, { recursive: true });
  await db.query('create table lamps (lamp text primary key, lit int not null, brightness int not null)');
  const openStore = (): EventStoreConnection =>
    connectEventStore({ url: new Secret(engines.eventStoreUrl), name: 'lamps', personalData: mirror });
  const eventStore = openStore();
  const logger = createLogger({ service: 'lamps', level: 'silent' });
  return {
    engines,
    db,
    url,
    eventStore,
    openStore,
    subscriber: (id) => ({ id, category: id, codec: lampEvents, db, eventStore, logger }),
    append: async (stream, ...events) => {
      const { revision } = await eventStore.read(stream, lampEvents);
      const { position } = await eventStore.append(stream, events, revision, meta(), lampEvents);
      if (position === undefined) throw new Error('the store did not say where the events stand');
      return position;
    },
    stop: async () => {
      await eventStore.close();
      await db.end();
      await engines.stop();
    },
  };
};
