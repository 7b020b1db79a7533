// Followers of one category whose rows are in one Postgres.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { eventually, gate } from '@parlance/fixtures';
import type { Tx } from '@parlance/postgres';
import type { Projector, Recorded } from '../index.js';
import { type PostgresHandler, postgresProjector } from '../projectors.js';
import { type LampEvent, lit, startWorld, type World } from './lamps.js';

const category = 'together';

describe('followers of one database', () => {
  let world: World;
  const started: Projector[] = [];
  const follow = (id: string, handler: PostgresHandler<LampEvent>): Projector => {
    const projector = postgresProjector({ ...world.subscriber(id), category, ...handler });
    started.push(projector);
    return projector;
  };
  /** Keeps a count for the follower and the lamp of each event. */
  const counting =
    (id: string) =>
    async (tx: Tx, { entityId }: Recorded<LampEvent>): Promise<void> => {
      await tx.query(
        `insert into lamps (lamp, lit, brightness) values ($1, 1, 0)
         on conflict (lamp) do update set lit = lamps.lit + 1`,
        [`${id} ${entityId}`],
      );
    };
  const countOf = async (id: string, lamp: string): Promise<number> => {
    const { rows } = await world.db.query<{ lit: number }>('select lit from lamps where lamp = $1', [
      `${id} ${lamp}`,
    ]);
    return rows[0]?.lit ?? 0;
  };
  /** The transactions that moved these checkpoints last. */
  const transactionsOf = async (...ids: readonly string[]): Promise<Set<string>> => {
    const { rows } = await world.db.query<{ transaction: string }>(
      'select xmin::text as transaction from projection_checkpoints where id = any($1)',
      [ids],
    );
    return new Set(rows.map(({ transaction }) => transaction));
  };
  const append = (lamp: string, brightness = 1) => world.append(`${category}-${lamp}`, lit(brightness));
  const handled = (position: bigint, ...followers: readonly Projector[]) =>
    Promise.all(followers.map((follower) => follower.whenProcessed(position)));

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await Promise.all(started.map((projector) => projector.stop()));
    await world.stop();
  });

  it('write the same events in one transaction once they have caught up', async () => {
    const lamp = randomUUID();
    const followers = ['one', 'two', 'three'].map((id) => follow(id, { handle: counting(id) }));
    let appended = 0;
    await eventually(async () => {
      appended += 1;
      await handled(await append(lamp), ...followers);
      expect((await transactionsOf('one', 'two', 'three')).size).toBe(1);
    });
    for (const id of ['one', 'two', 'three']) expect(await countOf(id, lamp)).toBe(appended);
  });

  it('are not held up by one that fails, whose event alone is set aside', async () => {
    const lamp = randomUUID();
    const poisoned = follow('poisoned', {
      handle: async (tx, recorded) => {
        if (recorded.entityId === lamp && recorded.revision === 1n) throw new Error('cannot be');
        await counting('poisoned')(tx, recorded);
      },
    });
    const healthy = follow('healthy', { handle: counting('healthy') });
    await handled(await append(lamp), poisoned, healthy);
    const failed = await append(lamp);
    await handled(failed, healthy);
    expect(await countOf('healthy', lamp)).toBe(2);
    await poisoned.whenProcessed(failed);
    expect([await poisoned.parked(), await healthy.parked()]).toEqual([1, 0]);
    expect(await countOf('poisoned', lamp)).toBe(1);
    const other = randomUUID();
    await handled(await append(other), poisoned, healthy);
    expect([await countOf('poisoned', other), await countOf('healthy', other)]).toEqual([1, 1]);
  });

  it('are not held up by one whose dependency is away, and that retries until it is back', async () => {
    const lamp = randomUUID();
    let isAway = true;
    let tries = 0;
    const retrying = follow('retrying', {
      handle: async (tx, recorded) => {
        if (recorded.entityId === lamp) tries += 1;
        if (isAway && recorded.entityId === lamp && recorded.revision === 1n)
          throw new AppError('SERVICE_UNAVAILABLE');
        await counting('retrying')(tx, recorded);
      },
    });
    const steady = follow('beside', { handle: counting('beside') });
    await handled(await append(lamp), retrying, steady);
    for (let more = 0; more < 3; more += 1) await steady.whenProcessed(await append(lamp));
    expect(await countOf('beside', lamp)).toBe(4);
    await eventually(() => expect(tries).toBeGreaterThan(3));
    isAway = false;
    await handled(await append(lamp), retrying, steady);
    expect([await countOf('retrying', lamp), await countOf('beside', lamp)]).toEqual([5, 5]);
    expect(await retrying.parked()).toBe(0);
  });

  it('do not wait for one whose checkpoint is locked, as a swap of its read model locks it', async () => {
    const lamp = randomUUID();
    const locked = follow('locked', { handle: counting('locked') });
    const free = follow('free', { handle: counting('free') });
    await handled(await append(lamp), locked, free);
    const { opened, open } = gate();
    const { opened: taken, open: take } = gate();
    const swap = world.db.transaction(async (tx) => {
      await tx.query(`select 1 from projection_checkpoints where id = 'locked' for update`);
      take();
      await opened;
    });
    await taken;
    const position = await append(lamp);
    await free.whenProcessed(position);
    expect([await countOf('locked', lamp), await countOf('free', lamp)]).toEqual([1, 2]);
    open();
    await swap;
    await locked.whenProcessed(position);
    expect(await countOf('locked', lamp)).toBe(2);
  });

  it('begin again at the stored checkpoint when another process has moved it, and the others write once', async () => {
    const lamp = randomUUID();
    const moved = follow('moved', { handle: counting('moved') });
    const steady = follow('steady', { handle: counting('steady') });
    await handled(await append(lamp), moved, steady);
    await world.db.query(`update projection_checkpoints set fence = fence + 1 where id = 'moved'`);
    await handled(await append(lamp), moved, steady);
    expect([await countOf('moved', lamp), await countOf('steady', lamp)]).toEqual([2, 2]);
    expect(moved.trouble?.()).toBeUndefined();
  });

  it('pass over events without an effect, and prepare outside of the transaction', async () => {
    const lamp = randomUUID();
    let prepared = 0;
    const picky = follow('picky', {
      prepare: async (events) => {
        const bright = events.filter(({ event }) => event.type === 'LampLit' && event.data.brightness > 5);
        prepared += events.filter(({ entityId }) => entityId === lamp).length;
        if (bright.length === 0) return undefined;
        return async (tx) => {
          for (const recorded of bright) await counting('picky')(tx, recorded);
        };
      },
    });
    await picky.whenProcessed(await append(lamp, 1));
    expect([prepared, await countOf('picky', lamp)]).toEqual([1, 0]);
    await picky.whenProcessed(await append(lamp, 9));
    expect([prepared, await countOf('picky', lamp)]).toEqual([2, 1]);
  });
});
