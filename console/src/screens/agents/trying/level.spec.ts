import { describe, expect, it } from '@jest/globals';
import { levelOf } from './level.js';

describe('the level of a microphone', () => {
  it.each([
    ['silence', [0, 0, 0, 0], 0],
    ['the loudest sound', [1, -1, 1, -1], 1],
    ['a tenth of the loudest', [0.1, -0.1, 0.1, -0.1], 2 / 3],
    ['noise below a thousandth', [0.000_5, -0.000_5], 0],
    ['no samples', [], 0],
  ])('of %s is %#', (_, samples, level) => expect(levelOf(Float32Array.from(samples))).toBeCloseTo(level, 5));
});
