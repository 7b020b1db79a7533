import { describe, expect, it } from '@jest/globals';
import { FreshCache } from './fresh-cache.js';

interface Thing {
  readonly name: string;
}

const setUp = () => {
  let now = 1_000_000;
  let loads = 0;
  let stored: Thing | undefined = { name: 'first' };
  let failing = false;
  const cache = new FreshCache<Thing>(() => now);
  const load = async (): Promise<Thing | undefined> => {
    loads += 1;
    if (failing) throw new Error('no database');
    return stored;
  };
  return {
    cache,
    load,
    get: () => cache.get('key', load),
    pass: (ms: number) => {
      now += ms;
    },
    store: (thing: Thing | undefined) => {
      stored = thing;
    },
    fail: (fails: boolean) => {
      failing = fails;
    },
    loads: () => loads,
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('FreshCache', () => {
  it('looks up once while the value is fresh, however many ask', async () => {
    const { get, loads } = setUp();
    await Promise.all([get(), get(), get()]);
    await get();
    expect(loads()).toBe(1);
  });

  it('looks up again in the background while a value is still good, and by then must', async () => {
    const { get, pass, store, loads } = setUp();
    await get();
    store({ name: 'second' });
    pass(2_500);
    expect(await get()).toEqual({ name: 'first' });
    await settled();
    expect(loads()).toBe(2);
    expect(await get()).toEqual({ name: 'second' });
  });

  it('does not use a value for more than four seconds after the look-up began', async () => {
    const { get, pass, store } = setUp();
    await get();
    store(undefined);
    pass(4_001);
    expect(await get()).toBeUndefined();
  });

  it('serves what is fresh enough while look-ups fail, and then fails', async () => {
    const { get, pass, fail } = setUp();
    await get();
    fail(true);
    pass(3_900);
    expect(await get()).toEqual({ name: 'first' });
    pass(200);
    await expect(get()).rejects.toThrow('no database');
    fail(false);
    expect(await get()).toEqual({ name: 'first' });
  });

  it('believes for one second that there is nothing', async () => {
    const { get, pass, store, loads } = setUp();
    store(undefined);
    expect(await get()).toBeUndefined();
    expect(await get()).toBeUndefined();
    expect(loads()).toBe(1);
    store({ name: 'late' });
    pass(1_001);
    expect(await get()).toEqual({ name: 'late' });
  });

  it('forgets at once, and keeps nothing of a look-up that was under way', async () => {
    const { cache, get, store } = setUp();
    const underWay = get();
    cache.delete('key');
    store(undefined);
    expect(await underWay).toEqual({ name: 'first' });
    expect(await get()).toBeUndefined();
  });

  it('forgets whatever fits', async () => {
    const { cache, get, store } = setUp();
    await get();
    cache.deleteWhere(({ name }) => name === 'other');
    store(undefined);
    expect(await get()).toEqual({ name: 'first' });
    cache.deleteWhere(({ name }) => name === 'first');
    expect(await get()).toBeUndefined();
  });
});
