// A vocabulary says of each word the same segments as the segments themselves do, and which of its words are similar.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gramsOf, spellingOf } from './spelling.js';
import {
  type Comparison,
  isBefore,
  mostSimilar,
  segmentsWith,
  similarTerms,
  termsOfSegments,
  toVocabulary,
} from './vocabulary.js';

const pause = async (): Promise<void> => undefined;
const all: Comparison = { isUnknown: false, mayFind: () => true };

const word = fc.string({
  unit: fc.constantFrom('a', 'k', 's', 'v', 'ж', '가', 'א'),
  minLength: 1,
  maxLength: 6,
});
const segments = fc.array(fc.uniqueArray(word, { maxLength: 12 }), { minLength: 1, maxLength: 5 });

it('names the segments of each word, and gives back the words of each segment', async () => {
  await fc.assert(
    fc.asyncProperty(segments, async (lists) => {
      const termsOf = new Map(lists.map((terms, at) => [`s${at}`, terms]));
      const vocabulary = await toVocabulary(termsOf, pause);
      for (const term of new Set(lists.flat()))
        expect([...segmentsWith(vocabulary, term)].map((at) => vocabulary.segmentIds[at])).toEqual(
          [...termsOf].filter(([, terms]) => terms.includes(term)).map(([id]) => id),
        );
      expect([...segmentsWith(vocabulary, 'nowhere')]).toEqual([]);
      const given = termsOfSegments(vocabulary, (id) => id !== 's0');
      expect([...given].map(([id, terms]) => [id, terms.sort()])).toEqual(
        [...termsOf].slice(1).map(([id, terms]) => [id, [...terms].sort()]),
      );
    }),
  );
});

it('finds the same similar words as a comparison with each word does', async () => {
  const similarity = (a: string, b: string): number => {
    const [of, others] = [gramsOf(spellingOf(a)), gramsOf(spellingOf(b))];
    return (2 * of.filter((gram) => others.includes(gram)).length) / (of.length + others.length);
  };
  const letters = fc.string({ unit: fc.constantFrom('a', 'k', 'm', 'o'), minLength: 4, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(letters, { minLength: 1, maxLength: 6 }),
      letters,
      async (terms, asked) => {
        const vocabulary = await toVocabulary(new Map([['s', terms]]), pause);
        const expected = terms.filter((term) => term !== asked && similarity(asked, term) >= 0.4);
        const found = similarTerms(vocabulary, asked, all);
        expect(found.map(({ term }) => term).sort()).toEqual(expected.sort());
        for (const each of found) expect(each.similarity).toBeCloseTo(similarity(asked, each.term), 5);
      },
    ),
  );
});

it('finds the same similar words in one vocabulary as in the best of two', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'k', 'o'), minLength: 4, maxLength: 6 });
  const lists = fc.uniqueArray(letters, { minLength: 14, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lists, letters, fc.nat(30), async (terms, asked, cut) => {
      const similarIn = async (some: readonly string[]) =>
        similarTerms(await toVocabulary(new Map([['s', some]]), pause), asked, all);
      const ofBoth = [...(await similarIn(terms.slice(0, cut))), ...(await similarIn(terms.slice(cut)))];
      expect(ofBoth.sort((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, mostSimilar)).toEqual(
        await similarIn(terms),
      );
    }),
  );
});

describe('similar words', () => {
  const terms = ['gearbox', 'gearing', 'zirconium', 'christopher', 'px-1120', 'delivery'];
  const similar = async (term: string, change: Partial<Comparison> = {}) =>
    similarTerms(await toVocabulary(new Map([['s', terms]]), pause), term, { ...all, ...change }).map(
      (each) => each.term,
    );

  it('come with the most similar one first', async () => {
    expect(await similar('gearboxes')).toEqual(['gearbox', 'gearing']);
  });

  it('are compared by their sound where the word is unknown', async () => {
    expect(await similar('girbachs')).toEqual([]);
    expect(await similar('girbachs', { isUnknown: true })).toEqual(['gearbox']);
  });

  it('are not sought for a code', async () => {
    expect(await similar('px-1121')).toEqual([]);
  });

  it('are only those that may be found', async () => {
    expect(await similar('gearboxes', { mayFind: (term) => term !== 'gearbox' })).toEqual(['gearing']);
  });
});
