import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { eventually } from '@parlance/fixtures';
import { contentHash } from '@parlance/fixtures/deciders';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Tx } from '@parlance/postgres';
import { connectMongo, type Mongo } from '@parlance/postgres/mongo';
import {
  CurrentCollections,
  type MongoReadModel,
  type PostgresReadModel,
  type Projector,
  type RebuildOptions,
  type Recorded,
  rebuildReadModel,
  startReadModel,
} from '../index.js';
import { type LampEvent, lampEvents, lit, startWorld, type World } from './lamps.js';

type LitEvent = Extract<LampEvent, { type: 'LampLit' }>;

const light = async (tx: Tx, { entityId, event }: Recorded<LampEvent>): Promise<void> => {
  if (event.type !== 'LampLit') return;
  if (event.data.brightness < 0) throw new Error('darkness cannot be lit');
  await tx.query(
    `insert into lamps (lamp, lit, brightness) values ($1, 1, $2)
     on conflict (lamp) do update set lit = lamps.lit + 1, brightness = excluded.brightness`,
    [entityId, event.data.brightness],
  );
  await tx.query(
    `insert into brightnesses (brightness, lamps) values ($1, 1)
     on conflict (brightness) do update set lamps = brightnesses.lamps + 1`,
    [event.data.brightness],
  );
};

/** The read model of a category of its own per test, in the tables that all of them share. */
const lamps = (category: string, handle = light): PostgresReadModel<LampEvent> => ({
  ...{ id: category, category, codec: lampEvents, tables: ['lamps', 'brightnesses'] },
  handle,
});

interface LampDocument {
  readonly _id: string;
  readonly revision: number;
  readonly total: number;
}

const lampDocuments = (category: string): MongoReadModel<LampEvent> => ({
  ...{ id: `${category}-documents`, category, codec: lampEvents, collections: ['lamps'] },
  prepare: async (copy) => {
    await copy.collection('lamps').createIndex({ total: 1 });
  },
  handle: async (copy, events) => {
    const documents = copy.collection<LampDocument>('lamps');
    const _id = events[0]?.entityId ?? '';
    const known = await documents.findOne({ _id });
    const fresh = events.filter(({ revision }) => Number(revision) > (known?.revision ?? -1));
    const brightness = fresh
      .map(({ event }) => event)
      .filter((event): event is LitEvent => event.type === 'LampLit')
      .reduce((sum, { data }) => sum + data.brightness, 0);
    const revision = Number(fresh.at(-1)?.revision ?? known?.revision);
    const total = (known?.total ?? 0) + brightness;
    await documents.replaceOne({ _id }, { revision, total }, { upsert: true });
  },
});

describe('a rebuild', () => {
  let world: World;
  let mongo: Mongo;
  let options: RebuildOptions;
  const engines = () => ({
    db: world.db,
    eventStore: world.eventStore,
    logger: createLogger({ service: 'lamps', level: 'silent' }),
    mongo: mongo.db,
  });
  const started: Projector[] = [];
  const start = (projector: Projector): Projector => {
    started.push(projector);
    return projector;
  };
  const tables = async () => ({
    lamps: (await world.db.query('select * from lamps')).rows,
    brightnesses: (await world.db.query('select * from brightnesses')).rows,
  });
  const hash = async (): Promise<string> => {
    const { lamps: rows, brightnesses } = await tables();
    return contentHash([...rows, ...brightnesses]);
  };
  const checkpoint = async (id: string) => {
    const { rows } = await world.db.query<{ position: string; generation: number }>(
      'select position, generation from projection_checkpoints where id = $1',
      [id],
    );
    return rows[0];
  };
  const shadows = async (): Promise<unknown[]> => {
    const { rows } = await world.db.query(
      `select relname from pg_class where relkind = 'r' and relnamespace = (current_schema() || '_shadow')::regnamespace`,
    );
    return rows;
  };
  const indexNames = async (): Promise<unknown[]> => {
    const { rows } = await world.db.query(
      `select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename = any($1) order by 1`,
      [['lamps', 'brightnesses']],
    );
    return rows;
  };
  const fill = async (category: string, streams: number): Promise<bigint> => {
    let last = -1n;
    for (let stream = 0; stream < streams; stream += 1)
      last = await world.append(`${category}-${randomUUID()}`, lit(stream % 7), lit(stream % 5), lit(3));
    return last;
  };

  beforeAll(async () => {
    world = await startWorld({ mongo: true });
    await world.db.query(`create table brightnesses (brightness int primary key, lamps int not null check (lamps > 0))
      with (fillfactor = 80)`);
    await world.db.query('create index lamps_bright on lamps (brightness desc) where lit > 1');
    const url = new Secret(world.engines.mongoUrl);
    mongo = connectMongo({ url, appName: 'test', database: 'rebuild' });
    options = { database: { url: world.url, applicationName: 'rebuild' }, graceMs: 0 };
  });
  afterAll(async () => {
    await Promise.all(started.map((projector) => projector.stop()));
    await mongo.close();
    await world.stop();
  });

  const empty = async (): Promise<void> => {
    await world.db.query('truncate lamps, brightnesses');
  };

  it('gives the same tables, with their indexes and settings under their names, and the projection goes on from it', async () => {
    await empty();
    const model = lamps('same');
    const projector = start(startReadModel(model, engines()));
    await projector.whenProcessed(await fill('same', 200));
    const before = { hash: await hash(), indexes: await indexNames() };
    const progress: number[] = [];
    const rebuilt = await rebuildReadModel(model, engines(), {
      ...options,
      onProgress: ({ events }) => progress.push(events),
    });
    expect(rebuilt).toMatchObject({ events: 600, parked: 0 });
    expect(progress.at(-1)).toBe(600);
    expect({ hash: await hash(), indexes: await indexNames() }).toEqual(before);
    const { rows } = await world.db.query(
      `select reloptions from pg_class where oid = 'brightnesses'::regclass`,
    );
    expect(rows).toEqual([{ reloptions: ['fillfactor=80'] }]);
    expect(await shadows()).toEqual([]);
    const lamp = randomUUID();
    const later = await world.append(`same-${lamp}`, lit(1));
    await projector.whenProcessed(later, { timeoutMs: 60_000 });
    expect((await tables()).lamps).toContainEqual({ lamp, lit: 1, brightness: 1 });
    await projector.stop();
  });

  it('shows readers nothing but whole states while events keep coming, and misses none of them', async () => {
    await empty();
    const model = lamps('busy');
    const projector = start(startReadModel(model, engines()));
    await projector.whenProcessed(await fill('busy', 150));
    const isOver = new AbortController();
    const seen: number[] = [];
    const polling = (async () => {
      while (!isOver.signal.aborted) {
        const { rows } = await world.db.query<{ lamps: number; lit: number; counted: number }>(
          `select count(*)::int as lamps, sum(lit)::int as lit,
             (select sum(lamps)::int from brightnesses) as counted from lamps`,
        );
        expect(rows[0]?.counted).toBe(rows[0]?.lit);
        seen.push(rows[0]?.lamps ?? 0);
      }
    })();
    const appending = fill('busy', 150);
    await rebuildReadModel(model, engines(), options);
    const last = await appending;
    isOver.abort();
    await polling;
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(150);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    await projector.whenProcessed(last, { timeoutMs: 60_000 });
    expect((await tables()).lamps).toHaveLength(300);
    const live = await hash();
    await rebuildReadModel(model, engines(), options);
    expect(await hash()).toBe(live);
    await projector.stop();
  });

  it('that is stopped in the middle leaves the live tables as they were, and the next one starts clean', async () => {
    await empty();
    const model = lamps('stopped');
    const projector = start(startReadModel(model, engines()));
    await projector.whenProcessed(await fill('stopped', 400));
    const before = await hash();
    const stop = new AbortController();
    const first = rebuildReadModel(model, engines(), {
      ...options,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(first).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await hash()).toBe(before);
    // The end of a killed process: its connections are gone, and nothing is put away.
    const own = createDatabase(options.database);
    const second = rebuildReadModel(
      model,
      { ...engines(), db: own },
      {
        ...options,
        onProgress: () => void own.end(),
      },
    );
    await expect(second).rejects.toThrow();
    expect(await shadows()).toHaveLength(4);
    expect(await hash()).toBe(before);
    await expect(rebuildReadModel(model, engines(), options)).resolves.toMatchObject({ events: 1_200 });
    expect(await hash()).toBe(before);
    expect(await shadows()).toEqual([]);
    await projector.stop();
  });

  it('runs alone in its service, and refuses a table that a migration has changed meanwhile', async () => {
    await empty();
    const model = lamps('alone');
    await fill('alone', 5);
    let other: Promise<unknown> | undefined;
    let migrated: Promise<unknown> | undefined;
    const first = rebuildReadModel(model, engines(), {
      ...options,
      onProgress: () => {
        other ??= expect(rebuildReadModel(model, engines(), options)).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        migrated ??= world.db.query(
          `insert into schema_migrations (name, checksum) values ('9999_other.sql', 'x') on conflict do nothing`,
        );
      },
    });
    await expect(first).rejects.toMatchObject({ code: 'CONFLICT' });
    await Promise.all([other, migrated]);
    expect((await tables()).lamps).toEqual([]);
  });

  it('lets whoever reads several tables finish, whatever they have read already', async () => {
    await empty();
    const model = lamps('readers');
    await fill('readers', 20);
    await rebuildReadModel(model, engines(), options);
    const isWaiting = async (): Promise<void> => {
      const { rows } = await world.db.query(
        `select 1 from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and mode = 'AccessExclusiveLock' and not granted`,
      );
      expect(rows).toHaveLength(1);
    };
    let rebuilding: Promise<unknown> | undefined;
    const read = await world.db.transaction(async (tx) => {
      const { rows: first } = await tx.query('select * from brightnesses');
      rebuilding = rebuildReadModel(model, engines(), options);
      await eventually(isWaiting, { timeoutMs: 60_000 });
      const { rows: second } = await tx.query('select * from lamps');
      return [first.length, second.length];
    });
    expect(read).toEqual([7, 20]);
    await rebuilding;
    expect((await tables()).lamps).toHaveLength(20);
  });

  it('works without a running projection, which then goes on from what was made', async () => {
    await empty();
    const model = lamps('cold');
    await fill('cold', 20);
    await rebuildReadModel(model, engines(), options);
    const made = await hash();
    expect((await tables()).lamps).toHaveLength(20);
    const projector = start(startReadModel(model, engines()));
    await projector.whenProcessed(await fill('cold', 1));
    expect((await tables()).lamps).toHaveLength(21);
    expect(await hash()).not.toBe(made);
    await projector.stop();
  });

  it('sets aside what it cannot apply, in the place of what the live projection had set aside', async () => {
    await empty();
    const poisoned = randomUUID();
    const projector = start(startReadModel(lamps('poisoned'), engines()));
    await world.append(`poisoned-${poisoned}`, lit(1), lit(-1), lit(2));
    await projector.whenProcessed(await fill('poisoned', 3));
    expect(await projector.parked()).toBe(2);
    const mended = lamps('poisoned', async (tx, recorded) => {
      const { event } = recorded;
      const isPoison = event.type === 'LampLit' && event.data.brightness < 0;
      await light(tx, isPoison ? { ...recorded, event: lit(9) } : recorded);
    });
    await expect(rebuildReadModel(lamps('poisoned'), engines(), options)).resolves.toMatchObject({
      parked: 2,
    });
    await expect(rebuildReadModel(mended, engines(), options)).resolves.toMatchObject({ parked: 0 });
    // The running copy had the stream among those that wait; now it flows.
    await projector.whenProcessed(await world.append(`poisoned-${poisoned}`, lit(4)), { timeoutMs: 60_000 });
    await eventually(async () =>
      expect((await tables()).lamps).toContainEqual({ lamp: poisoned, lit: 4, brightness: 4 }),
    );
    expect(await projector.parked()).toBe(0);
    await projector.stop();
  });

  it('turns readers of documents from one whole copy to the next, and removes what is left of others', async () => {
    const model = lampDocuments('documents');
    await mongo.db.collection<LampDocument>('lamps_1').insertOne({ _id: 'rest', revision: 0, total: 0 });
    const projector = start(startReadModel(model, engines()));
    await projector.whenProcessed(await fill('documents', 200), { timeoutMs: 60_000 });
    const current = new CurrentCollections(mongo.db, model.id);
    const read = async () => (await current.get()).collection<LampDocument>('lamps').find({}).toArray();
    const before = contentHash(await read());
    const isOver = new AbortController();
    const seen: number[] = [];
    const polling = (async () => {
      while (!isOver.signal.aborted) seen.push((await read()).length);
    })();
    await rebuildReadModel(model, engines(), { ...options, graceMs: 1_500 });
    isOver.abort();
    await polling;
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(contentHash(await read())).toBe(before);
    expect(await checkpoint(model.id)).toMatchObject({ generation: 1 });
    const names = (await mongo.db.listCollections().toArray()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('lamps'))).toEqual(['lamps_1']);
    const lamp = randomUUID();
    await projector.whenProcessed(await world.append(`documents-${lamp}`, lit(6)), { timeoutMs: 60_000 });
    expect(
      await (await current.get()).collection<LampDocument>('lamps').findOne({ _id: lamp }),
    ).toMatchObject({
      total: 6,
    });
    await projector.stop();
    // The state that a rebuild leaves when it is killed right after its commit.
    await mongo.db.collection('read_models').deleteMany({});
    await start(startReadModel(model, engines())).whenProcessed(0n);
    expect(
      await new CurrentCollections(mongo.db, model.id)
        .get()
        .then((copy) => copy.collection('lamps').collectionName),
    ).toBe('lamps_1');
  });
});
