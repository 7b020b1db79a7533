import { describe, expect, it } from '@jest/globals';
import { Starts } from './starts.js';

describe('starts', () => {
  it('are so many at the same time, in the order in which they were wanted', async () => {
    const starts = new Starts(2);
    const entered: number[] = [];
    const ends: (() => void)[] = [];
    const all = [1, 2, 3, 4].map(async (n) => {
      ends.push(await starts.enter());
      entered.push(n);
    });
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([1, 2]);
    ends[0]?.();
    ends[0]?.();
    await all[2];
    expect(entered).toEqual([1, 2, 3]);
    ends[1]?.();
    await all[3];
    for (const end of ends) end();
    await expect(starts.enter()).resolves.toBeInstanceOf(Function);
  });
});
