// The invariants of the chunks of every text, with any blocks, words and scripts.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from './chunking.js';
import { countTokens, fewestTokens, mostTokens } from './tokens.js';

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
  lines.map((list) => ['| A | B |', '|---|---|', ...list.map((line) => `| ${line} | x |`)].join('\n')),
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
          // Rows of a table may have the titles of their columns before them.
          expect(chunk.text.endsWith(text.slice(chunk.start, chunk.end))).toBe(true);
          if (!chunk.text.startsWith('| A | B |')) expect(chunk.text.length).toBe(chunk.end - chunk.start);
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

  const found = (text: string, most?: number) =>
    chunksOf(text, most).map(({ headings, text: chunk }) => [headings.join(' > '), chunk]);

  it.each([
    [
      'a short section apart from the next one',
      '# Catalogue\n\n## Gearboxes\n\nThe zirconium gearbox costs 90 euros.\n\n## Bearings\n\nA bearing costs 4 euros.',
      [
        ['Catalogue > Gearboxes', '# Catalogue\n\n## Gearboxes\n\nThe zirconium gearbox costs 90 euros.'],
        ['Catalogue > Bearings', '## Bearings\n\nA bearing costs 4 euros.'],
      ],
    ],
    [
      'text before the first heading apart',
      'Welcome to us.\n\n# Prices\n\nTwenty euros.',
      [
        ['', 'Welcome to us.'],
        ['Prices', '# Prices\n\nTwenty euros.'],
      ],
    ],
    [
      'a title without a text apart from the section that follows it',
      '# Hours\n\n# Prices\n\nTwenty euros.',
      [
        ['Hours', '# Hours'],
        ['Prices', '# Prices\n\nTwenty euros.'],
      ],
    ],
    [
      'titles that no text follows together',
      '# Shop\n\n## Hours\n\n## Prices\n\n## Staff',
      [['Shop', '# Shop\n\n## Hours\n\n## Prices\n\n## Staff']],
    ],
    [
      'the path of a section that rises by two levels',
      '# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n# D\n\nfour',
      [
        ['A', '# A\n\none'],
        ['A > B', '## B\n\ntwo'],
        ['A > B > C', '### C\n\nthree'],
        ['D', '# D\n\nfour'],
      ],
    ],
  ])('keep %s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('never hold text of two sections, whatever the lengths', () => {
    fc.assert(
      fc.property(fc.array(lines, { minLength: 2, maxLength: 8 }), (sections) => {
        const text = sections.map((list, index) => `## Part ${index}\n\n${list.join(' ')}`).join('\n\n');
        for (const chunk of chunksOf(text)) {
          const titles = new Set(chunk.text.match(/## Part \d/g));
          expect(titles.size).toBeLessThanOrEqual(1);
          for (const title of titles) expect(title).toBe(`## ${chunk.headings.join()}`);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keep a heading with the beginning of the list or the table below it', () => {
    const rows = Array.from({ length: 60 }, (_, row) => `| Article ${row} | ${row} euros and no more |`);
    const texts = [
      `## Prices\n\n| Article | Price |\n|---|---|\n${rows.slice(0, 28).join('\n')}`,
      `## Prices\n\n${rows.slice(0, 36).join('\n').replaceAll('| ', '- ')}`,
    ];
    for (const text of texts)
      for (const chunk of chunksOf(text)) expect(chunk.text.length).toBeGreaterThan('## Prices'.length);
  });

  it('repeat the titles of a table before its later rows', () => {
    const rows = Array.from(
      { length: 150 },
      (_, row) => `| AB-${1000 + row} | ${row} days | ${200 + row} EUR |`,
    );
    const titles = '| Article | Warranty | Deposit |\n|---|---|---|\n';
    const chunks = chunksOf(`# Articles\n\n${titles}${rows.join('\n')}\n\nThat is all.`);
    expect(chunks.length).toBeGreaterThan(3);
    for (const row of rows) {
      const holding = chunks.filter(({ text }) => text.includes(row));
      expect(holding).toHaveLength(1);
      expect(holding[0]?.text.split(titles)).toHaveLength(2);
    }
  });

  it('are not more than the limit for a document of very many sections, and lose none of its text', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `## Term ${index}\n\nMeaning ${index}.`).join(
      '\n\n',
    );
    expect(chunksOf(text)).toHaveLength(5_000);
    const few = chunksOf(text, 1_000);
    expect(few.length).toBeLessThanOrEqual(1_000);
    expect(few.map((chunk) => chunk.text).join('\n\n')).toBe(text);
  });

  it('of a document that is nothing but headings are few', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `## Title ${index}`).join('\n');
    const chunks = chunksOf(text);
    expect(chunks.length).toBeLessThan(250);
    expect(chunks.every(({ tokens }) => tokens <= fewestTokens)).toBe(true);
  });
});

describe('the context of a chunk', () => {
  it('is the text around it within the section above, and not of another section', () => {
    const chunks = chunksOf(
      '# Terms\n\nAll prices include tax.\n\n## Delivery\n\nTwo days.\n\n## Returns\n\nWithin a month.\n\n# Staff\n\nAnn and Bob.',
    );
    expect(chunks.map(({ context }) => context)).toEqual([
      '## Delivery\n\nTwo days.\n\n## Returns\n\nWithin a month.\n\n# Staff\n\nAnn and Bob.',
      '# Terms\n\nAll prices include tax.\n\n## Returns\n\nWithin a month.',
      '# Terms\n\nAll prices include tax.\n\n## Delivery\n\nTwo days.',
      '# Terms\n\nAll prices include tax.\n\n## Delivery\n\nTwo days.\n\n## Returns\n\nWithin a month.',
    ]);
  });

  it('is short, and missing where a chunk is long or alone', () => {
    expect(chunksOf('# Prices\n\nTwenty euros.')[0]?.context).toBeNull();
    fc.assert(
      fc.property(document, (text) => {
        for (const { context, tokens } of chunksOf(text)) {
          expect((context ?? '').length).toBeLessThan(1_100);
          expect(Buffer.from(context ?? '').toString()).toBe(context ?? '');
          if (tokens >= fewestTokens) expect(context).toBeNull();
        }
      }),
      { numRuns: 30 },
    );
  });
});
