import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Secret } from '@parlance/config';
import { eventually } from '@parlance/fixtures';
import type { Tx } from '@parlance/postgres';
import { connectMongo } from '@parlance/postgres/mongo';
import { z } from 'zod';
import {
  defineEvents,
  type EventsOf,
  mongoProjector,
  type Projector,
  postgresProjector,
  type Recorded,
} from '../index.js';
import {
  type LampEvent,
  lampEvents,
  lit,
  meta,
  mirror,
  oldLampEvents,
  startWorld,
  type World,
} from './lamps.js';

const lightRow = async (tx: Tx, { entityId, event }: Recorded<LampEvent>): Promise<void> => {
  if (event.type !== 'LampLit') return;
  await tx.query(
    `insert into lamps (lamp, lit, brightness) values ($1, 1, $2)
     on conflict (lamp) do update set lit = lamps.lit + 1, brightness = excluded.brightness`,
    [entityId, event.data.brightness],
  );
};

describe('projectors', () => {
  let world: World;
  const started: Projector[] = [];
  const start = (projector: Projector): Projector => {
    started.push(projector);
    return projector;
  };
  const timesLit = async (lamp: string): Promise<number> => {
    const { rows } = await world.db.query<{ lit: number }>('select lit from lamps where lamp = $1', [lamp]);
    return rows[0]?.lit ?? 0;
  };
  const checkpoint = async (id: string): Promise<bigint> => {
    const { rows } = await world.db.query<{ position: string }>(
      'select position from projection_checkpoints where id = $1',
      [id],
    );
    return BigInt(rows[0]?.position ?? -1);
  };

  beforeAll(async () => {
    world = await startWorld({ mongo: true });
  });
  afterAll(async () => {
    await Promise.all(started.map((projector) => projector.stop()));
    await world.stop();
  });

  it('applies each event once, in order, and goes on where it stopped', async () => {
    const lamp = randomUUID();
    const options = { ...world.subscriber('once'), handle: lightRow };
    await world.append(`once-${lamp}`, lit(1), lit(2));
    const first = postgresProjector(options);
    await first.whenProcessed(await world.append(`once-${lamp}`, lit(3)));
    await first.stop();
    const last = await world.append(`once-${lamp}`, lit(4));
    const second = start(postgresProjector(options));
    await second.whenProcessed(last);
    expect(await timesLit(lamp)).toBe(4);
    expect(second.lagMs()).toBe(0);
  });

  it('leaves neither rows nor checkpoint of a batch that failed, and then applies it once', async () => {
    const lamp = randomUUID();
    let failures = 3;
    const last = await world.append(`failing-${lamp}`, lit(1), lit(2), lit(3));
    const projector = start(
      postgresProjector({
        ...world.subscriber('failing'),
        handle: async (tx, recorded) => {
          await lightRow(tx, recorded);
          if (recorded.entityId === lamp && recorded.revision === 1n && failures > 0) {
            failures -= 1;
            throw new Error('crash');
          }
        },
      }),
    );
    await projector.whenProcessed(last);
    expect(failures).toBe(0);
    expect(await timesLit(lamp)).toBe(3);
    expect(await projector.parked()).toBe(0);
  });

  it('sets a poison event and the later ones of its stream aside after five tries, and lets other streams flow', async () => {
    const [poisoned, other] = [randomUUID(), randomUUID()];
    let tries = 0;
    const projector = start(
      postgresProjector({
        ...world.subscriber('poison'),
        handle: async (tx, recorded) => {
          if (recorded.entityId === poisoned && recorded.revision === 1n) {
            tries += 1;
            throw new Error('cannot be');
          }
          await lightRow(tx, recorded);
        },
      }),
    );
    await world.append(`poison-${poisoned}`, lit(1), lit(2));
    await world.append(`poison-${other}`, lit(1));
    await world.append(`poison-${poisoned}`, lit(3));
    await projector.whenProcessed(await world.append(`poison-${other}`, lit(2)));
    expect(await timesLit(poisoned)).toBe(1);
    expect(await timesLit(other)).toBe(2);
    expect(await projector.parked()).toBe(2);
    expect(tries).toBeGreaterThanOrEqual(5);
    const { rows } = await world.db.query(
      `select revision, reason, attempts from projection_dead_letters where projection_id = 'poison' order by revision`,
    );
    expect(rows).toEqual([
      { revision: '1', reason: 'Error: cannot be', attempts: 5 },
      { revision: '2', reason: 'waits behind an event that was set aside', attempts: 0 },
    ]);
  });

  const timesOut = `do $$ begin
    raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`;
  const pace = { timeoutsBefore: 2, patientMs: 61_000, patientTries: 1, patientForMs: 0 };

  it('sets an event aside whose statements always time out, and lets every other stream flow', async () => {
    const [slow, other] = [randomUUID(), randomUUID()];
    await world.append(`slow-${other}`, lit(1));
    await world.append(`slow-${slow}`, lit(1));
    const last = await world.append(`slow-${other}`, lit(2));
    const projector = start(
      postgresProjector({
        ...world.subscriber('slow'),
        pace,
        handleBatch: async (tx, events) => {
          for (const recorded of events) await lightRow(tx, recorded);
          if (events.some(({ entityId }) => entityId === slow)) await tx.query(timesOut);
        },
      }),
    );
    await projector.whenProcessed(last, { timeoutMs: 60_000 });
    expect(await timesLit(other)).toBe(2);
    expect(await timesLit(slow)).toBe(0);
    expect(await projector.parked()).toBe(1);
  });

  it('gives a slow event that is alone more time, and handles it then', async () => {
    const slow = randomUUID();
    const limits: string[] = [];
    const last = await world.append(`patient-${slow}`, lit(1));
    const projector = start(
      postgresProjector({
        ...world.subscriber('patient'),
        pace,
        handle: async (tx, recorded) => {
          const { rows } = await tx.query<{ statement_timeout: string }>('show statement_timeout');
          limits.push(rows[0]?.statement_timeout ?? '');
          if (limits.at(-1) !== '61s') await tx.query(timesOut);
          await lightRow(tx, recorded);
        },
      }),
    );
    await projector.whenProcessed(last, { timeoutMs: 60_000 });
    expect(await timesLit(slow)).toBe(1);
    expect(await projector.parked()).toBe(0);
    expect(limits).toEqual(['5s', '5s', '61s']);
  });

  it('is handed the events that it is about, and notes that it has passed the others', async () => {
    const lamp = randomUUID();
    const given: LampEvent = { type: 'LampGiven', data: {}, personal: { to: 'Ada' } };
    const seen: string[] = [];
    const options = {
      ...world.subscriber('about'),
      about: ['LampLit'] as const,
      handle: async (tx: Tx, recorded: Recorded<LampEvent>) => {
        seen.push(recorded.event.type);
        await lightRow(tx, recorded);
      },
    };
    const projector = start(postgresProjector(options));
    await projector.whenProcessed(await world.append(`about-${lamp}`, given, lit(1), given));
    const passed = await world.append(`about-${lamp}`, given);
    await projector.whenProcessed(passed);
    await eventually(async () => expect(await checkpoint('about')).toBe(passed));
    await projector.whenProcessed(await world.append(`about-${lamp}`, lit(2)));
    expect(seen).toEqual(['LampLit', 'LampLit']);
    expect(await timesLit(lamp)).toBe(2);
  });

  it('opens no event that is of no concern to it, so that a damaged one does not stop its stream', async () => {
    const lamp = randomUUID();
    const options = { ...world.subscriber('unconcerned'), about: ['LampLit'] as const, handle: lightRow };
    const lost = new Error('no key opens it');
    const open = jest.spyOn(mirror, 'open').mockRejectedValue(lost);
    try {
      const projector = start(postgresProjector(options));
      const given: LampEvent = { type: 'LampGiven', data: {}, personal: { to: 'Ada' } };
      await projector.whenProcessed(await world.append(`unconcerned-${lamp}`, lit(1)));
      open.mockClear();
      const { position } = await world.eventStore.append(
        `unconcerned-${lamp}`,
        [given, lit(2)],
        0n,
        meta(),
        lampEvents,
      );
      await projector.whenProcessed(position ?? -1n);
      expect(open).not.toHaveBeenCalled();
      expect(await timesLit(lamp)).toBe(2);
      expect(await projector.parked()).toBe(0);
    } finally {
      open.mockRestore();
    }
  });

  it('gets the sealed part of an event that folds without, and opens the others, where it needs what a fold needs', async () => {
    const lamp = randomUUID();
    const words = z.object({ to: z.string() });
    const codec = defineEvents({
      LampGiven: { version: 1, data: z.object({}), personal: words },
      LampEngraved: { version: 1, data: z.object({}), personal: words, foldsWithoutPersonal: true },
    });
    const seen: unknown[] = [];
    const projector = start(
      postgresProjector<EventsOf<typeof codec>>({
        ...{ ...world.subscriber('folded'), codec },
        personal: 'folded',
        handle: async (_tx, { event, sealed }) => {
          seen.push([event.personal, await mirror.open(`folded-${lamp}`, sealed ?? '')]);
        },
      }),
    );
    const { position } = await world.eventStore.append(
      `folded-${lamp}`,
      [
        { type: 'LampGiven', data: {}, personal: { to: 'Ada' } },
        { type: 'LampEngraved', data: {}, personal: { to: 'Grace' } },
      ],
      'none',
      meta(),
      codec,
    );
    await projector.whenProcessed(position ?? -1n);
    expect(seen).toEqual([
      [{ to: 'Ada' }, { to: 'Ada' }],
      [null, { to: 'Grace' }],
    ]);
  });

  it('goes on when its checkpoint is touched while it has passed events and waits for the next one', async () => {
    const lamp = randomUUID();
    const given: LampEvent = { type: 'LampGiven', data: {}, personal: { to: 'Ada' } };
    const options = { ...world.subscriber('touched'), about: ['LampLit'] as const, handle: lightRow };
    const projector = start(postgresProjector(options));
    await projector.whenProcessed(await world.append(`touched-${lamp}`, lit(1)));
    await world.db.query("update projection_checkpoints set fence = fence + 1 where id = 'touched'");
    // The checkpoint that it would write now is refused, with no event on its way.
    const passed = await world.append(`touched-${lamp}`, given);
    await eventually(async () => expect(await checkpoint('touched')).toBe(passed));
    await projector.whenProcessed(await world.append(`touched-${lamp}`, lit(2)));
    expect(await timesLit(lamp)).toBe(2);
  });

  it('stops before an event of a newer release, says which, and goes on with a copy that was upgraded', async () => {
    const [lamp, other] = [randomUUID(), randomUUID()];
    const options = { ...world.subscriber('newer'), handle: lightRow };
    await world.append(`newer-${lamp}`, lit(1));
    const before = await world.append(`newer-${other}`, lit(1), lit(2));
    const given = await world.append(`newer-${lamp}`, {
      type: 'LampGiven',
      data: {},
      personal: { to: 'Ada' },
    });
    const last = await world.append(`newer-${other}`, lit(3));
    const old = start(postgresProjector({ ...options, codec: oldLampEvents }));
    await old.whenProcessed(before);
    await eventually(() =>
      expect(old.trouble?.()).toBe(
        'cannot follow its events: LampGiven in version 1 is an event of a newer release: upgrade this service',
      ),
    );
    expect(await timesLit(other)).toBe(2);
    expect(await old.parked()).toBe(0);
    expect(await checkpoint('newer')).toBeLessThan(given);
    const upgraded = start(postgresProjector(options));
    await upgraded.whenProcessed(last);
    expect(await timesLit(other)).toBe(3);
    expect(await upgraded.parked()).toBe(0);
    expect(upgraded.trouble?.()).toBeUndefined();
  });

  it('waits out a dependency that is away instead of setting events aside', async () => {
    const lamp = randomUUID();
    const store = connectMongo({
      url: new Secret(world.engines.mongoUrl),
      appName: 'test',
      database: 'lamps',
    });
    const seen: bigint[] = [];
    let away = 6;
    const told = new Set<string | undefined>();
    const projector: Projector = start(
      mongoProjector({
        ...world.subscriber('mongo'),
        mongo: store.db,
        handle: async (mongo, events) => {
          if (events[0]?.entityId !== lamp) return;
          if (away > 0) {
            away -= 1;
            told.add(projector.trouble?.());
            await world.db.transaction(async () => {
              throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
            });
          }
          for (const { revision } of events) {
            seen.push(revision);
            await mongo
              .collection('lamps')
              .updateOne(
                { lamp, revision: { $lt: Number(revision) } },
                { $set: { revision: Number(revision) }, $inc: { lit: 1 } },
              );
          }
        },
      }),
    );
    await store.db.collection('lamps').insertOne({ lamp, revision: -1, lit: 0 });
    await projector.whenProcessed(await world.append(`mongo-${lamp}`, lit(1), lit(2)), { timeoutMs: 60_000 });
    expect(seen).toEqual([0n, 1n]);
    expect(told).toEqual(new Set([undefined, 'cannot follow its events']));
    expect(projector.trouble?.()).toBeUndefined();
    expect(await store.db.collection('lamps').findOne({ lamp })).toMatchObject({ lit: 2, revision: 1 });
    expect(await projector.parked()).toBe(0);
    await store.close();
  });

  it('has one active copy, and another takes over when it stops', async () => {
    const lamp = randomUUID();
    const seenBy: string[] = [];
    const copy = (name: string): Projector =>
      postgresProjector({
        ...world.subscriber('copies'),
        handle: async (_tx, { entityId }) => {
          if (entityId === lamp) seenBy.push(name);
        },
      });
    const first = start(copy('first'));
    await first.whenProcessed(await world.append(`copies-${lamp}`, lit(1)));
    const second = start(copy('second'));
    const later = await world.append(`copies-${lamp}`, lit(2));
    await first.whenProcessed(later);
    expect(seenBy).toEqual(['first', 'first']);
    await first.stop();
    await second.whenProcessed(await world.append(`copies-${lamp}`, lit(3)));
    expect(seenBy).toEqual(['first', 'first', 'second']);
  });

  it('moves its checkpoint past events of other categories', async () => {
    const projector = start(
      postgresProjector({ ...world.subscriber('idle'), handle: async () => undefined }),
    );
    const noise = Array.from({ length: 150 }, () => lit(1));
    for (let part = 0; part < 10; part += 1) await world.append(`noise-${randomUUID()}`, ...noise);
    await eventually(async () => expect(await checkpoint('idle')).toBeGreaterThan(0n), { timeoutMs: 60_000 });
    expect(projector.lagMs()).toBe(0);
  });
});
