import { describe, expect, it } from '@jest/globals';
import { wordErrorRate, wordErrors } from './word-errors.js';

describe('word errors', () => {
  it('ignore case, punctuation, and whether a small number is a word or a figure', () => {
    expect(
      wordErrors('How long does a refund take, 5 days?', 'how long does a refund take. Five days'),
    ).toEqual({ errors: 0, words: 8 });
  });

  it('count substituted, missing and added words', () => {
    expect(wordErrors('do I get a letter', 'do I get the letter')).toEqual({ errors: 1, words: 5 });
    expect(wordErrors('do I get a letter', 'I get a letter')).toEqual({ errors: 1, words: 5 });
    expect(wordErrors('do I get a letter', 'so do I get a letter')).toEqual({ errors: 1, words: 5 });
    expect(wordErrors('do I get a letter', '')).toEqual({ errors: 5, words: 5 });
  });

  it('are shared by all words together, not by the average of the sentences', () => {
    expect(
      wordErrorRate([
        { errors: 1, words: 1 },
        { errors: 0, words: 9 },
      ]),
    ).toBe(0.1);
    expect(wordErrorRate([])).toBeNull();
  });
});
