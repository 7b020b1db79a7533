import { describe, expect, it } from '@jest/globals';
import { english, type Texts } from './english.js';
import { directionOf, languageOf, translated, wordsOf } from './languages.js';
import { loadTexts } from './translations.js';

describe('the words of the widget', () => {
  it.each([
    [['de-AT', 'fr'], 'de'],
    [[null, undefined, 'PT_br'], 'pt'],
    [['xx', 'ja'], 'ja'],
    [['en-US', 'de'], 'en'],
    [['', 'tlh'], 'en'],
  ])('are of the first known language of %j', (tags, language) => {
    expect(languageOf(tags)).toBe(language);
  });

  it.each(translated)('are complete in %s, and say the place in the queue', async (language) => {
    const texts = await loadTexts(language);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, value] of Object.entries(texts)) {
      expect([key, value.trim()]).not.toEqual([key, '']);
      expect([key, value.includes('{n}')]).toEqual([key, key === 'queuePosition']);
    }
  });

  it('run from right to left in Arabic and Hebrew', () => {
    expect(['ar', 'he', 'de', 'en'].map((code) => directionOf(languageOf([code])))).toEqual([
      ...['rtl', 'rtl', 'ltr', 'ltr'],
    ]);
  });

  it("are the organization's own where it chose some, and those of the language otherwise", async () => {
    const german: Texts = await loadTexts('de');
    const words = wordsOf(german, { launcher: 'Frag uns', start: english.start });
    expect(words).toMatchObject({ launcher: 'Frag uns', start: german.start, end: german.end });
  });
});
