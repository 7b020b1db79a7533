// Tables of HTML. A cell that reaches over several rows or columns stands in each of them, so that a row can be understood
// alone.
import { type Document, type Element, renamed } from './html-dom.js';

/** Cells of a table reach over this many columns at most; browsers allow 1,000. */
const widest = 50;
/** The characters that merged cells of one table may add. */
const mostRepeated = 1_000_000;
const mostTitleRows = 3;
/** Titles are short, and the cells of a first row without numbers usually are titles. */
const longestTitle = 60;

const spanOf = (cell: Element, name: 'rowspan' | 'colspan'): number => {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  // A span of 0 rows reaches to the end of the table.
  if (name === 'rowspan' && span === 0) return Number.POSITIVE_INFINITY;
  return Number.isFinite(span) && span > 0 ? span : 1;
};

const cellsOf = (row: Element): Element[] =>
  Array.from(row.children).filter(({ localName }) => localName === 'td' || localName === 'th');

interface Row {
  readonly cells: readonly string[];
  readonly isTitles: boolean;
}

const gridOf = (rows: readonly Element[], textOf: (cell: Element) => string): Row[] => {
  let repeatable = mostRepeated;
  /** For each column, the cell of a row above that reaches into it. */
  const open = new Map<number, { readonly text: string; left: number }>();
  return rows.map((row) => {
    const own = cellsOf(row);
    const cells: string[] = [];
    /** Beyond the limit, merged cells are no longer repeated. */
    const repeat = (text: string): void => {
      repeatable -= text.length + 1;
      if (repeatable >= 0) cells.push(text);
    };
    const takeOver = (): void => {
      for (let above = open.get(cells.length); above !== undefined; above = open.get(cells.length)) {
        above.left -= 1;
        if (above.left <= 0 || repeatable < 0) open.delete(cells.length);
        repeat(above.text);
      }
    };
    takeOver();
    for (const cell of own) {
      const text = textOf(cell);
      // A cell over the whole row, such as a remark, is said once.
      const columns = own.length === 1 && cells.length === 0 ? 1 : Math.min(widest, spanOf(cell, 'colspan'));
      const below = spanOf(cell, 'rowspan') - 1;
      for (let column = 0; column < columns && (column === 0 || repeatable >= 0); column += 1) {
        if (below > 0) open.set(cells.length, { text, left: below });
        if (column === 0) cells.push(text);
        else repeat(text);
      }
      takeOver();
    }
    const isTitles = own.length > 0 && own.every(({ localName }) => localName === 'th');
    return { cells, isTitles: isTitles || row.parentElement?.localName === 'thead' };
  });
};

/** Titles in several rows become one: a column below "Price" and "net" is "Price net". */
const joined = (rows: readonly Row[]): string[] => {
  const columns = Math.max(...rows.map(({ cells }) => cells.length));
  return Array.from({ length: columns }, (_, column) =>
    [...new Set(rows.map(({ cells }) => cells[column] ?? ''))].filter((title) => title !== '').join(' '),
  );
};

const looksLikeTitles = ([first, ...others]: readonly Row[]): boolean =>
  first !== undefined &&
  others.length >= 2 &&
  first.cells.length >= 2 &&
  first.cells.every((cell) => cell !== '' && cell.length <= longestTitle && !/\p{N}/u.test(cell));

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** @param textOf the text of a cell, on one line and without a bar */
export const markdownOfTable = (table: Element, textOf: (cell: Element) => string): string => {
  const rows = gridOf([...table.querySelectorAll('tr')], textOf).filter(({ cells }) =>
    cells.some((cell) => cell !== ''),
  );
  const firstText = rows.findIndex(({ isTitles }) => !isTitles);
  const marked = firstText === -1 ? 0 : Math.min(firstText, mostTitleRows);
  const titles = marked > 0 ? marked : Number(firstText !== -1 && looksLikeTitles(rows));
  const caption = table.querySelector('caption');
  const head = joined(rows.slice(0, Math.max(1, titles)));
  const lines = [
    ...(titles > 0 ? [lineOf(head), `|${head.map(() => '---|').join('')}`] : []),
    ...rows.slice(titles).map(({ cells }) => lineOf(cells)),
  ];
  return [caption === null ? '' : textOf(caption), lines.join('\n')].filter(Boolean).join('\n\n');
};

const isLayout = (table: Element): boolean =>
  /^(presentation|none)$/.test(table.getAttribute('role') ?? '') ||
  table.querySelector('table, h1, h2, h3, h4, h5, h6') !== null ||
  [...table.querySelectorAll('tr')].every((row) => cellsOf(row).length <= 1);

/** Turns tables that only arrange a page into plain elements: what is in their cells is no line of a table. */
export const unwrapLayoutTables = (document: Document): void => {
  const layouts = [...document.querySelectorAll('table')].filter(isLayout);
  for (const table of layouts) {
    const parts = [...table.querySelectorAll('thead, tbody, tfoot, tr, td, th, caption')].filter(
      (part) => part.closest('table') === table,
    );
    for (const part of parts) renamed(document, part, 'div');
    renamed(document, table, 'div');
  }
};
