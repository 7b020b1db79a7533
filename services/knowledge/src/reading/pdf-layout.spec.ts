// The reading order of pages: pure, from runs of text and their places.
import { describe, expect, it } from '@jest/globals';
import { linesOfPage, type Run } from './pdf-layout.js';

const run = (text: string, x: number, y: number, more: Partial<Run> = {}): Run => ({
  text,
  x,
  y,
  width: text.length * 5,
  height: 10,
  isRightToLeft: false,
  ...more,
});
const textsOf = (runs: readonly Run[]): string[] => linesOfPage(runs).map(({ text }) => text);

const story = (name: string): string[] => [
  `${name} tells how`,
  'the people of this',
  'workshop work and',
  'what they do all',
  'day long for you.',
];
/** Columns beside each other, in the file line by line, as some programs write them. */
const columns = (names: readonly string[], y = 100): Run[] =>
  story('').flatMap((_, line) =>
    names.map((name, column) => run(story(name)[line] ?? '', 50 + column * 110, y + line * 14)),
  );

describe('the lines of a page', () => {
  it.each([[2], [3], [5]])('in %d columns are read one column after the other', (count) => {
    const names = ['Anna', 'Bert', 'Carl', 'Dora', 'Emil'].slice(0, count);
    expect(textsOf(columns(names))).toEqual(names.flatMap(story));
  });

  it('begin again below a heading over all columns', () => {
    const heading = run('A heading that reaches over both of the columns', 50, 200);
    const runs = [...columns(['Anna', 'Bert']), heading, ...columns(['Carl', 'Dora'], 230)];
    expect(textsOf(runs)).toEqual([
      ...story('Anna'),
      ...story('Bert'),
      heading.text,
      ...story('Carl'),
      ...story('Dora'),
    ]);
  });

  it('of a table are its rows', () => {
    const rows = Array.from({ length: 6 }, (_, row) => [`Article ${row}`, `${row} days`, `${row} euros`]);
    const runs = rows.flatMap((cells, row) =>
      cells.map((text, column) => run(text, 50 + column * 110, 100 + row * 14)),
    );
    expect(textsOf(runs)).toEqual(rows.map((cells) => cells.join(' ')));
  });

  it('of a table of sentences are its rows', () => {
    const rows = Array.from({ length: 6 }, (_, row) => [`Question number ${row}`, `Answer to it ${row}`]);
    const runs = rows.flatMap((cells, row) =>
      cells.map((text, column) => run(text, 50 + column * 160, 100 + row * 14)),
    );
    expect(textsOf(runs)).toEqual(rows.map((cells) => cells.join(' ')));
  });

  it('are in the order of the page, whatever the order of the file', () => {
    const runs = [run('third', 50, 300), run('first', 50, 100), run('second', 50, 200)];
    expect(textsOf(runs)).toEqual(['first', 'second', 'third']);
  });

  it('join pieces of words, and part words without a blank between them', () => {
    const runs = [run('work', 50, 100), run('shop', 70, 100), run('open', 95, 100)];
    expect(textsOf(runs)).toEqual(['workshop open']);
  });

  it('from right to left begin at the right, and so do their columns', () => {
    const rtl = { isRightToLeft: true };
    expect(textsOf([run('שלום', 100, 100, rtl), run('עולם', 70, 100, rtl)])).toEqual(['שלום עולם']);
    const line = (column: number, row: number) =>
      run(`${'ש'.repeat(14)} ${column}${row}`, 50 + column * 150, 100 + row * 14, rtl);
    const runs = [0, 1, 2, 3].flatMap((row) => [line(0, row), line(1, row)]);
    expect(textsOf(runs).map((text) => text.slice(-2))).toEqual([
      '10',
      '11',
      '12',
      '13',
      '00',
      '01',
      '02',
      '03',
    ]);
  });
});
