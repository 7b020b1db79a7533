// The kept values never take more than their number of bytes, and the last used value stays.
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteLru } from './byte-lru.js';

it('keeps at most its bytes, and always the value that was used last, if it fits', () => {
  const use = fc.record({ key: fc.nat(9), bytes: fc.integer({ min: 1, max: 60 }) });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 100 }), (uses) => {
      const kept = new ByteLru<number, number>(100);
      const bytesOf = new Map<number, number>();
      for (const { key, bytes } of uses) {
        if (kept.get(key) === undefined) {
          kept.set(key, bytes, bytes);
          bytesOf.set(key, bytes);
        }
        expect(kept.get(key)).toBe(bytesOf.get(key));
        expect(kept.bytes).toBeLessThanOrEqual(100);
      }
      const all = [...bytesOf].filter(([key]) => kept.get(key) !== undefined);
      expect(kept.bytes).toBe(all.reduce((sum, [, bytes]) => sum + bytes, 0));
    }),
  );
});

it('drops what was used longest ago, and refuses a value that could never fit', () => {
  const kept = new ByteLru<string, string>(3);
  for (const key of ['a', 'b', 'c']) kept.set(key, key, 1);
  kept.get('a');
  kept.set('d', 'd', 1);
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).toEqual(['a', undefined, 'c', 'd']);
  kept.set('a', 'large', 4);
  expect(kept.get('a')).toBeUndefined();
  expect(kept.bytes).toBe(2);
});
