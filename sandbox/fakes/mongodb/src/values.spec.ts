// The byte encoding is the order: every index and every sort rest on these properties.
import { describe, expect, it } from '@jest/globals';
import { Long } from 'bson';
import fc from 'fast-check';
import { compareValues, encodeEntry, encodeValue, inverted } from './values.js';

const order = (a: Buffer, b: Buffer): number => Math.sign(Buffer.compare(a, b));
const scalar = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constant(null),
);

describe('the encoding of values', () => {
  it('orders numbers as numbers', () => {
    const finite = fc.double({ noNaN: true });
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        expect(order(encodeValue(a), encodeValue(b))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  it('orders 64-bit integers exactly, next to doubles', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        const expected = a === b ? 0 : a < b ? -1 : 1;
        expect(order(encodeValue(Long.fromBigInt(a)), encodeValue(Long.fromBigInt(b)))).toBe(expected);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (n) => {
        expect(encodeValue(Long.fromNumber(n))).toEqual(encodeValue(n));
      }),
    );
  });

  it('orders strings by their UTF-8 bytes, zero bytes included', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(order(encodeValue(a), encodeValue(b))).toBe(order(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('orders compound keys field by field, ascending and descending', () => {
    const key = fc.tuple(scalar, scalar);
    fc.assert(
      fc.property(key, key, (a, b) => {
        const [first, second] = [compareValues(a[0], b[0]), compareValues(a[1], b[1])];
        const expected = Math.sign(first) || -Math.sign(second) || 0;
        expect(order(encodeEntry(1, a, [1, -1]), encodeEntry(1, b, [1, -1]))).toBe(expected);
      }),
    );
  });

  it('never makes one value the beginning of another, so that a prefix is a whole key', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        const [one, other] = [encodeValue(a), encodeValue(b)];
        if (!one.equals(other)) expect(other.subarray(0, one.length).equals(one)).toBe(false);
        expect(inverted(inverted(one))).toEqual(one);
      }),
    );
  });
});
