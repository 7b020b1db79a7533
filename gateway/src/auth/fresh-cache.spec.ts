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
  const cache = new FreshCache<Thing>({ now: () => now });
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
    pass(700);
    expect(await get()).toEqual({ name: 'first' });
    await settled();
    expect(loads()).toBe(2);
    expect(await get()).toEqual({ name: 'second' });
  });

  it('does not use a value for more than a second after the look-up began', async () => {
    const { get, pass, store } = setUp();
    await get();
    store(undefined);
    pass(1_001);
    expect(await get()).toBeUndefined();
  });

  it('serves what was known a few seconds ago while look-ups fail, and then fails', async () => {
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

  it('serves nothing that was removed, although it cannot be looked up', async () => {
    const { cache, get, pass, fail } = setUp();
    await get();
    fail(true);
    pass(2_000);
    const asked = get();
    cache.delete('key');
    await expect(asked).rejects.toThrow('no database');
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

  describe('when a revocation races the look-up of its credential', () => {
    /** A cache whose look-up reads the database at once, and has its result when the test says so. */
    const slowLookUp = () => {
      let now = 0;
      let stored: Thing | undefined = { name: 'good' };
      const cache = new FreshCache<Thing>({ now: () => now });
      const arrivals: (() => void)[] = [];
      const load = (): Promise<Thing | undefined> => {
        const read = stored;
        return new Promise((resolve) => arrivals.push(() => resolve(read)));
      };
      return {
        cache,
        get: () => cache.get('key', load),
        revoke: () => {
          stored = undefined;
        },
        pass: (ms: number) => {
          now += ms;
        },
        arrive: () => arrivals.shift()?.(),
      };
    };

    it('keeps nothing of a look-up that read before the revocation and ends after its message', async () => {
      const { cache, get, revoke, arrive } = slowLookUp();
      const before = get();
      revoke();
      cache.delete('key');
      const after = get();
      arrive();
      expect(await before).toEqual({ name: 'good' });
      arrive();
      expect(await after).toBeUndefined();
      expect(await get()).toBeUndefined();
    });

    it('removes a value that was filled between the revocation and its message', async () => {
      const { cache, get, revoke, arrive } = slowLookUp();
      const before = get();
      revoke();
      arrive();
      await before;
      cache.delete('key');
      const after = get();
      arrive();
      expect(await after).toBeUndefined();
    });

    it('uses a value for a second after the look-up began when the message is lost, however slow the look-up was', async () => {
      const { get, revoke, pass, arrive } = slowLookUp();
      const before = get();
      revoke();
      pass(900);
      arrive();
      expect(await before).toEqual({ name: 'good' });
      pass(101);
      const after = get();
      arrive();
      expect(await after).toBeUndefined();
    });

    it('does not fill the cache with a look-up in the background that read before the revocation', async () => {
      const { cache, get, revoke, pass, arrive } = slowLookUp();
      const first = get();
      arrive();
      await first;
      pass(600);
      expect(await get()).toEqual({ name: 'good' });
      revoke();
      cache.delete('key');
      arrive();
      await settled();
      const after = get();
      arrive();
      expect(await after).toBeUndefined();
    });
  });
});
