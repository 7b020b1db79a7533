import { describe, expect, it } from '@jest/globals';
import { numbersIn } from './number-lines.js';

describe('numbers that were pasted', () => {
  it('are taken one by one, each once, however they are separated', () => {
    expect(numbersIn(' +14155550100\r\n+49 30 1234567, +14155550100;\n\n+33123456789 ')).toEqual([
      '+14155550100',
      '+49301234567',
      '+33123456789',
    ]);
    expect(numbersIn(' \n,;')).toEqual([]);
  });

  it('keep an extension, so that the contract refuses them', () => {
    expect(numbersIn('+1 (415) 555-0104 x123\n+14155550106;ext=9')).toEqual([
      '+14155550104x123',
      '+14155550106',
      'ext=9',
    ]);
  });

  it('may have full-width digits', () => {
    expect(numbersIn('＋１ ４１５ ５５５ ０１００')).toEqual(['+14155550100']);
  });
});
