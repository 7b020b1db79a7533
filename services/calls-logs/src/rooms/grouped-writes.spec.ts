import { describe, expect, it } from '@jest/globals';
import { GroupedWrites } from './grouped-writes.js';

/** A store whose writes end when the test says so. */
const heldStore = () => {
  const writes: { readonly items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const grouped = new GroupedWrites<string, void>(
    (items) =>
      new Promise<void>(
        (resolve, reject) => void writes.push({ items: [...items], end: resolve, fail: reject }),
      ),
  );
  return { grouped, writes };
};
/** Lets what is due at once happen. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('GroupedWrites', () => {
  it('writes the first item at once and those that arrive meanwhile together', async () => {
    const { grouped, writes } = heldStore();
    const first = grouped.add('a');
    await turn();
    const others = ['b', 'c', 'd'].map((item) => grouped.add(item));
    await turn();
    expect(writes.map(({ items }) => items)).toEqual([['a']]);
    writes[0]?.end();
    await first;
    await turn();
    expect(writes.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
    writes[1]?.end();
    await Promise.all(others);
  });

  it('fails the items of a group whose write failed, and none of the next one', async () => {
    const { grouped, writes } = heldStore();
    const lost = grouped.add('a');
    await turn();
    const kept = grouped.add('b');
    writes[0]?.fail(new Error('away'));
    await expect(lost).rejects.toThrow('away');
    await turn();
    writes[1]?.end();
    await kept;
  });
});
