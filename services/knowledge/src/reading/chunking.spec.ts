// The invariants of the chunks of every text, with any blocks, words and scripts.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf, fewestTokens, mostTokens } from './chunking.js';
import { countTokens } from './tokens.js';

const words = [
  'price',
  'Haircut',
  'zwölf',
  'часы',
  '営業時間は九時から。',
  '👩‍👩‍👧‍👦',
  '𝒳𝒴',
  'x'.repeat(90),
  '&',
  'e.g.',
  '12,50;',
];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 })
  .map((list) => `${list.join(' ')}.`);
const lines = fc.array(sentence, { minLength: 1, maxLength: 12 });
const block = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...words))
    .map(([level, title]) => `${'#'.repeat(level)} ${title}`),
  lines.map((list) => list.join(' ')),
  lines.map((list) => list.map((line) => `- ${line}`).join('\n')),
  lines.map((list) => list.map((line) => `| ${line} | ${line} |`).join('\n')),
  lines.map((list) => `\`\`\`\n${list.join('\n\n')}\n\`\`\``),
  // A word without end, and letters of two code units without a blank.
  fc.nat(6_000).map((length) => 'a1Z'.repeat(length)),
  fc.nat(1_500).map((length) => '😀'.repeat(length)),
);
const document = fc.oneof(
  { weight: 3, arbitrary: fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join('\n\n')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 2_000 }) },
);

const isBlank = (text: string): boolean => text.trim() === '';

describe('the chunks of a text', () => {
  it('stand where they say, follow each other, and leave nothing out but blanks', () => {
    fc.assert(
      fc.property(document, (text) => {
        const chunks = chunksOf(text);
        let end = 0;
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk.ordinal).toBe(index);
          expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
          expect(chunk.start).toBeGreaterThanOrEqual(end);
          expect(isBlank(text.slice(end, chunk.start))).toBe(true);
          end = chunk.end;
        }
        expect(isBlank(text.slice(end))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('have no more tokens than a chunk may have, and no half of a letter', () => {
    fc.assert(
      fc.property(document, (text) => {
        for (const chunk of chunksOf(text)) {
          // Bytes cannot hold half of a surrogate pair.
          expect(Buffer.from(chunk.text).toString()).toBe(chunk.text);
          expect(chunk.tokens).toBeLessThanOrEqual(mostTokens);
          // The count adds up pieces, and tokens may join or part where pieces meet.
          expect(countTokens(chunk.text)).toBeLessThanOrEqual(mostTokens * 1.05);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are not short where prose goes on', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 100, maxLength: 150 }), (list) => {
        const chunks = chunksOf(list.join(' '));
        for (const chunk of chunks.slice(0, -1))
          expect(chunk.tokens).toBeGreaterThanOrEqual(fewestTokens / 2);
      }),
      { numRuns: 10 },
    );
  });

  it('have the title above them also where it follows another title at once', () => {
    const [chunk] = chunksOf('# Shop\n\n## Prices\n\nA haircut costs twenty euros.');
    expect(chunk?.headings).toEqual(['Shop', 'Prices']);
  });
});
