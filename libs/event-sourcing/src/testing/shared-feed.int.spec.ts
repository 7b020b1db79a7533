// Followers of one category in one process, which share a subscription once they have caught up.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, gate } from '@parlance/fixtures';
import { type Subscriptions, watchSubscriptions } from '@parlance/fixtures/subscriptions';
import { type Projector, postgresProjector, prepareEach, type Recorded } from '../index.js';
import { type LampEvent, lit, startWorld, type World } from './lamps.js';

describe('followers of one category', () => {
  let world: World;
  let subscriptions: Subscriptions;
  const started: Projector[] = [];
  const follow = (id: string, category: string, handle: (recorded: Recorded<LampEvent>) => Promise<void>) => {
    const prepare = prepareEach<LampEvent>(async (recorded) => {
      await handle(recorded);
      return async () => undefined;
    });
    const projector = postgresProjector({ ...world.subscriber(id), category, prepare });
    started.push(projector);
    return projector;
  };

  beforeAll(async () => {
    world = await startWorld();
    subscriptions = watchSubscriptions(world.eventStore);
  });
  afterAll(async () => {
    await Promise.all(started.map((projector) => projector.stop()));
    await world.stop();
  });

  it('share one subscription and what is decoded, and the last one that leaves ends it', async () => {
    const lamp = randomUUID();
    const seen = new Map<string, Recorded<LampEvent>[]>();
    const followers = ['first', 'second', 'third'].map((id) => {
      const own: Recorded<LampEvent>[] = [];
      seen.set(id, own);
      return follow(id, 'shared', async (recorded) => void own.push(recorded));
    });
    let count = 0;
    await eventually(async () => {
      count += 1;
      const last = await world.append(`shared-${lamp}`, lit(count));
      await Promise.all(followers.map((follower) => follower.whenProcessed(last)));
      expect(subscriptions.open()).toBe(1);
    });
    const last = await world.append(`shared-${lamp}`, lit(0));
    await Promise.all(followers.map((follower) => follower.whenProcessed(last)));
    const [first = [], ...others] = seen.values();
    expect(first.map(({ revision }) => Number(revision))).toEqual([...Array(count + 1).keys()]);
    for (const own of others) {
      expect(own).toEqual(first);
      expect(own.at(-1)).toBe(first.at(-1));
    }
    await Promise.all(followers.map((follower) => follower.stop()));
    await eventually(() => expect(subscriptions.open()).toBe(0));
  });

  it('do not wait for the slowest, which misses nothing and gets nothing twice', async () => {
    const lamp = randomUUID();
    const { opened: held, open: release } = gate();
    const slow: number[] = [];
    const slowOne = follow('slow', 'paced', async ({ revision }) => {
      slow.push(Number(revision));
      if (revision === 2n) await held;
    });
    const fast = follow('fast', 'paced', async () => undefined);
    for (let each = 0; each < 3; each += 1) {
      const last = await world.append(`paced-${lamp}`, lit(each));
      await Promise.all([fast.whenProcessed(last), each < 2 && slowOne.whenProcessed(last)]);
    }
    await eventually(() => expect(slow).toHaveLength(3));
    const more = Array.from({ length: 500 }, (_, each) => lit(each));
    let last = 0n;
    for (let each = 0; each < 4; each += 1) {
      last = await world.append(`paced-${lamp}`, ...more);
      await fast.whenProcessed(last);
    }
    release();
    await slowOne.whenProcessed(last);
    expect(slow).toEqual([...Array(2_003).keys()]);
  });

  it('that stand still under load are ended by the store, and come back without a gap or a repetition', async () => {
    const lamp = randomUUID();
    const { opened: held, open: release } = gate();
    const seen: number[] = [];
    const follower = follow('stopped', 'stopped', async ({ revision }) => {
      seen.push(Number(revision));
      if (revision === 1n) await held;
    });
    await follower.whenProcessed(await world.append(`stopped-${lamp}`, lit(0)));
    await world.append(`stopped-${lamp}`, lit(1));
    await eventually(() => expect(seen).toHaveLength(2));
    const more = Array.from({ length: 500 }, (_, each) => lit(each));
    for (let each = 0; each < 4; each += 1) await world.append(`stopped-${lamp}`, ...more);
    release();
    const last = await world.append(`stopped-${lamp}`, lit(2));
    await follower.whenProcessed(last);
    expect(subscriptions.tooSlow()).toBeGreaterThan(0);
    expect(seen).toEqual([...Array(2_003).keys()]);
    expect(follower.trouble?.()).toBeUndefined();
  });
});
