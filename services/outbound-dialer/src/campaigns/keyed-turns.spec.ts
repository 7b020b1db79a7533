import { describe, expect, it } from '@jest/globals';
import { KeyedTurns } from './keyed-turns.js';

describe('KeyedTurns', () => {
  it('runs works with one key one after the other, and does not hold up those with another', async () => {
    const turns = new KeyedTurns();
    const began: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = turns.take('a', async () => {
      began.push('a1');
      await gate;
    });
    const second = turns.take('a', async () => void began.push('a2'));
    await turns.take('b', async () => void began.push('b1'));
    expect(began).toEqual(['a1', 'b1']);
    open();
    await Promise.all([first, second]);
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('runs the next work after one that failed', async () => {
    const turns = new KeyedTurns();
    const failing = turns.take('a', () => Promise.reject(new Error('lost')));
    const next = turns.take('a', async () => 'done');
    await expect(failing).rejects.toThrow('lost');
    await expect(next).resolves.toBe('done');
  });
});
