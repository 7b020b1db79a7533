// A difference shows every line of both texts, and no line twice.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf } from './difference.js';

const words = (before: string, after: string) =>
  differenceOf(before, after).map(({ kind, text }) => `${kind} ${text}`);

describe('the difference of two texts', () => {
  it('shows a changed line as removed and added, between the lines that stayed', () => {
    expect(words('one\ntwo\nthree', 'one\n2\nthree')).toEqual([
      'same one',
      'removed two',
      'added 2',
      'same three',
    ]);
  });

  it('holds exactly the lines of both texts, in their order', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differenceOf(before, after);
        const without = (kind: string) =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect([without('added'), without('removed')]).toEqual([before, after]);
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      }),
    );
  });
});
