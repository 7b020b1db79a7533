// A file that the page gives to a person is whole, however it arrives.
import { describe, expect, it } from '@jest/globals';
import { blobOf } from './download.js';

async function* pieces(count: number, fails = false): AsyncGenerator<string> {
  for (let piece = 0; piece < count; piece += 1) yield `${piece} ${'ü'.repeat(300_000)}\n`;
  if (fails) throw new TypeError('network');
}

describe('a file of many pieces', () => {
  it('has all of them in their order, and tells its bytes while it arrives', async () => {
    const told: number[] = [];
    const blob = await blobOf(pieces(10), 'text/csv', (bytes) => told.push(bytes));
    const lines = (await blob.text()).split('\n');
    expect(lines.slice(0, -1).map((line) => line.split(' ')[0])).toEqual([...Array(10).keys()].map(String));
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toBe(blob.size);
  });

  it('is none where it breaks off', () =>
    expect(blobOf(pieces(2, true), 'text/csv', () => undefined)).rejects.toThrow('network'));
});
