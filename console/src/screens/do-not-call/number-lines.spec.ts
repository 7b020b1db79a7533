import { describe, expect, it } from '@jest/globals';
import { numbersIn } from './number-lines.js';

describe('numbers that were pasted', () => {
  it('are taken one by one, each once, however they are separated', () => {
    expect(numbersIn(' +14155550100\r\n+49 30 1234567, +14155550100;\n\n+33123456789 ')).toEqual([
      '+14155550100',
      '+49 30 1234567',
      '+33123456789',
    ]);
    expect(numbersIn(' \n,;')).toEqual([]);
  });
});
