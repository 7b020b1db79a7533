import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { contentHash } from '@parlance/fixtures/deciders';
import { createLogger } from '@parlance/observability';
import { countParked, type Tx } from '@parlance/postgres';
import { connectMongo, type Mongo } from '@parlance/postgres/mongo';
import {
  type MongoReadModel,
  type PostgresReadModel,
  type Projector,
  type Recorded,
  replayParked,
  startReadModel,
} from '../index.js';
import { type LampEvent, lampEvents, lit, startWorld, type World } from './lamps.js';

/** A release that cannot take negative brightness, and the one that can. */
const lampsOf = (category: string, canTakeAll: () => boolean): PostgresReadModel<LampEvent> => ({
  ...{ id: category, category, codec: lampEvents, tables: ['lamps'] },
  handle: async (tx: Tx, { entityId, event }: Recorded<LampEvent>) => {
    if (event.type !== 'LampLit') return;
    if (event.data.brightness < 0 && !canTakeAll()) throw new Error('darkness cannot be lit');
    await tx.query(
      `insert into lamps (lamp, lit, brightness) values ($1, 1, $2)
       on conflict (lamp) do update set lit = lamps.lit + 1, brightness = excluded.brightness`,
      [entityId, event.data.brightness],
    );
  },
});

interface LampDocument {
  readonly _id: string;
  readonly revision: number;
  readonly lit: number;
}

const documentsOf = (category: string, canTakeAll: () => boolean): MongoReadModel<LampEvent> => ({
  ...{ id: category, category, codec: lampEvents, collections: ['replayed'] },
  prepare: async () => undefined,
  handle: async (copy, events) => {
    const documents = copy.collection<LampDocument>('replayed');
    for (const { entityId: _id, event, revision } of events) {
      if (event.type === 'LampLit' && event.data.brightness < 0 && !canTakeAll())
        throw new Error('darkness cannot be lit');
      const known = await documents.findOne({ _id });
      if (known !== null && known.revision >= Number(revision)) continue;
      const document = { revision: Number(revision), lit: (known?.lit ?? 0) + 1 };
      await documents.replaceOne({ _id }, document, { upsert: true });
    }
  },
});

describe('a replay of what was set aside', () => {
  let world: World;
  let mongo: Mongo;
  const started: Projector[] = [];
  const engines = () => ({
    db: world.db,
    eventStore: world.eventStore,
    logger: createLogger({ service: 'lamps', level: 'silent' }),
    mongo: mongo.db,
  });
  const start = (projector: Projector): Projector => {
    started.push(projector);
    return projector;
  };
  const rows = async () => (await world.db.query('select * from lamps')).rows;

  beforeAll(async () => {
    world = await startWorld({ mongo: true });
    const url = new Secret(world.engines.mongoUrl);
    mongo = connectMongo({ url, appName: 'test', database: 'replay' });
  });
  afterAll(async () => {
    await Promise.all(started.map((projector) => projector.stop()));
    await mongo.close();
    await world.stop();
  });

  it('gives what there would be if nothing had ever been set aside; other streams never waited', async () => {
    let isMended = false;
    const model = lampsOf('poison', () => isMended);
    const projector = start(startReadModel(model, engines()));
    const poisoned = Array.from({ length: 10 }, () => randomUUID());
    for (const lamp of poisoned) await world.append(`poison-${lamp}`, lit(1), lit(-1), lit(2));
    let last = -1n;
    for (let lamp = 0; lamp < 200; lamp += 1)
      last = await world.append(`poison-${randomUUID()}`, lit(lamp), lit(1));
    await projector.whenProcessed(last, { timeoutMs: 30_000 });
    expect(await rows()).toHaveLength(210);
    expect(await projector.parked()).toBe(20);
    expect(await countParked(world.db)).toBe(20);

    const stillBroken = await replayParked(model, engines());
    expect(stillBroken).toHaveLength(10);
    for (const { failure } of stillBroken) expect(failure).toBe('Error: darkness cannot be lit');
    expect(await projector.parked()).toBe(20);

    isMended = true;
    const replayed = await replayParked(model, engines());
    expect(replayed.map(({ stream, events }) => [stream, events]).sort()).toEqual(
      poisoned.map((lamp) => [`poison-${lamp}`, 2]).sort(),
    );
    expect(await countParked(world.db)).toBe(0);
    expect(await replayParked(model, engines())).toEqual([]);
    for (const lamp of poisoned) last = await world.append(`poison-${lamp}`, lit(5));
    await projector.whenProcessed(last, { timeoutMs: 60_000 });
    const replayedRows = contentHash(await rows());
    await projector.stop();

    await world.db.query(`truncate lamps; delete from projection_checkpoints where id = 'poison'`);
    const fresh = start(startReadModel(model, engines()));
    await fresh.whenProcessed(last, { timeoutMs: 30_000 });
    expect(contentHash(await rows())).toBe(replayedRows);
    await fresh.stop();
  }, 240_000);

  it('takes what comes in while it works, and every event once', async () => {
    let isMended = false;
    const model = lampsOf('race', () => isMended);
    const projector = start(startReadModel(model, engines()));
    const lamp = randomUUID();
    await projector.whenProcessed(await world.append(`race-${lamp}`, lit(1), lit(-1)), { timeoutMs: 60_000 });
    isMended = true;
    let last = -1n;
    const appending = (async () => {
      for (let event = 0; event < 60; event += 1) last = await world.append(`race-${lamp}`, lit(event));
    })();
    let isOver = false;
    void appending.finally(() => {
      isOver = true;
    });
    while (!isOver) await replayParked(model, engines());
    await projector.whenProcessed(last, { timeoutMs: 60_000 });
    await replayParked(model, engines());
    expect(await rows()).toContainEqual({ lamp, lit: 62, brightness: 59 });
    expect(await projector.parked()).toBe(0);
    await projector.stop();
  });

  it('works for documents too', async () => {
    let isMended = false;
    const model = documentsOf('papers', () => isMended);
    const projector = start(startReadModel(model, engines()));
    const lamp = randomUUID();
    await world.append(`papers-${lamp}`, lit(1), lit(-1));
    await projector.whenProcessed(await world.append(`papers-${lamp}`, lit(2)), { timeoutMs: 60_000 });
    expect(await projector.parked()).toBe(2);
    isMended = true;
    expect(await replayParked(model, engines())).toEqual([{ stream: `papers-${lamp}`, events: 2 }]);
    await projector.whenProcessed(await world.append(`papers-${lamp}`, lit(3)), { timeoutMs: 60_000 });
    expect(await mongo.db.collection<LampDocument>('replayed').findOne({ _id: lamp })).toMatchObject({
      lit: 4,
    });
    expect(await projector.parked()).toBe(0);
    await projector.stop();
  });
});
