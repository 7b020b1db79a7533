import { describe, expect, it } from '@jest/globals';
import { isBackChannel, isDictation, isHanging, listeningHint } from './words.js';

describe('back channels', () => {
  it.each([
    ['Mm-hm.', 'en'],
    ['Uh-huh, okay.', 'en-US'],
    ['Yes, yes.', 'en'],
    ['Ja, genau.', 'de-DE'],
    ['Oui, d’accord.', 'fr'],
  ])('has %j in %s', (text, language) => {
    expect(isBackChannel(text, language)).toBe(true);
  });

  it.each([
    ['', 'en'],
    ['Stop.', 'en'],
    ['Yes, but not on Monday.', 'en'],
    ['Okay okay okay okay okay okay', 'en'],
    ['Nein.', 'de'],
  ])('does not have %j in %s', (text, language) => {
    expect(isBackChannel(text, language)).toBe(false);
  });

  it.each(['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'])(
    'are all that recognition is told to expect in %s',
    (language) => {
      const sentences = listeningHint(language).match(/[^.]+/g) ?? [];
      expect(sentences.filter((sentence) => !isBackChannel(sentence, language))).toEqual([]);
    },
  );
});

it.each([
  ['My name is', true],
  ['I would like to come on Monday and', true],
  ['That is what it is.', false],
  ['I need a doctor', false],
])('knows whether %j stops in its middle: %s', (text, expected) => {
  expect(isHanging(text, 'en')).toBe(expected);
});

it.each([
  ['0415 555', true],
  ['+49 30', true],
  ['at 5', false],
])('knows whether %j is being dictated: %s', (text, expected) => {
  expect(isDictation(text)).toBe(expected);
});
