// The reading order of a page: columns of prose one after the other, and the rows of tables and of plain text line by
// line. Coordinates are those of the page as it is shown, in points from its upper left corner.

/** A run of text as the library gives it. */
export interface Run {
  readonly text: string;
  /** The beginning of the baseline. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
}

export interface Line {
  readonly text: string;
  readonly height: number;
  readonly y: number;
}

/** Text that belongs together on one baseline: a line of prose, or a cell of a table. */
type Fragment = Run;

const sameBaseline = (first: Run, second: Run): boolean =>
  Math.abs(first.y - second.y) <= Math.max(2, second.height / 2);

const gapBetween = (first: Run, second: Run): number =>
  second.isRightToLeft && first.isRightToLeft
    ? first.x - (second.x + second.width)
    : second.x - (first.x + first.width);

/** Wider gaps than these many heights part columns, and narrower ones no words. */
const columnGap = 1.2;
const wordGap = 0.15;

const joined = (first: Fragment, second: Run): Fragment => {
  const gap = gapBetween(first, second);
  const isApart = gap > wordGap * second.height && !/\s$/.test(first.text) && !/^\s/.test(second.text);
  const x = Math.min(first.x, second.x);
  return {
    text: `${first.text}${isApart ? ' ' : ''}${second.text}`,
    x,
    y: first.y,
    width: Math.max(first.x + first.width, second.x + second.width) - x,
    height: Math.max(first.height, second.height),
    isRightToLeft: first.isRightToLeft,
  };
};

/** Joins the runs of words. Runs that follow each other in the file mostly do so on the page as well. */
const fragmentsOf = (runs: readonly Run[]): Fragment[] => {
  const fragments: Fragment[] = [];
  for (const run of runs) {
    const before = fragments.at(-1);
    const gap = before === undefined ? 0 : gapBetween(before, run);
    const follows = before !== undefined && sameBaseline(before, run) && gap > -run.height / 2;
    if (follows && gap <= columnGap * Math.max(run.height, before.height))
      fragments[fragments.length - 1] = joined(before, run);
    else fragments.push(run);
  }
  return fragments;
};

const byHeightOnPage = (first: Run, second: Run): number => first.y - second.y || first.x - second.x;

/** Fragments on the same baseline, from the top. */
const rowsOf = (fragments: readonly Fragment[]): Fragment[][] => {
  const rows: Fragment[][] = [];
  for (const fragment of [...fragments].sort(byHeightOnPage)) {
    const [first] = rows.at(-1) ?? [];
    if (first !== undefined && sameBaseline(first, fragment)) rows.at(-1)?.push(fragment);
    else rows.push([fragment]);
  }
  return rows;
};

const lineOf = (row: readonly Fragment[]): Line => {
  const rightToLeft = row.filter(({ isRightToLeft }) => isRightToLeft).length > row.length / 2;
  const ordered = [...row].sort((first, second) => (rightToLeft ? second.x - first.x : first.x - second.x));
  return {
    text: ordered
      .map(({ text }) => text.trim())
      .join(' ')
      .replaceAll(/\s+/g, ' '),
    height: Math.max(...row.map(({ height }) => height)),
    y: row[0]?.y ?? 0,
  };
};

/** A page that is wider than this, in points, is judged in coarser steps. */
const mostSteps = 4_000;
/** The share of lines that may reach into the space between two columns, such as headings over both. */
const crossing = 0.12;
const narrowestGutter = 6;

interface Gutter {
  readonly start: number;
  readonly end: number;
}

/** The vertical stripes that hardly any line crosses, between the columns of the page. */
const guttersOf = (fragments: readonly Fragment[]): Gutter[] => {
  const left = Math.min(...fragments.map(({ x }) => x));
  const right = Math.max(...fragments.map(({ x, width }) => x + width));
  const step = Math.max(1, (right - left) / mostSteps);
  const covered = new Uint32Array(Math.ceil((right - left) / step) + 1);
  for (const { x, width } of fragments) {
    const end = Math.ceil((x + width - left) / step);
    for (let at = Math.floor((x - left) / step); at < end; at += 1) covered[at] = (covered[at] ?? 0) + 1;
  }
  const most = Math.floor(rowsOf(fragments).length * crossing);
  const gutters: Gutter[] = [];
  let start: number | undefined;
  for (const [at, count] of covered.entries()) {
    if (count <= most) start ??= at;
    else if (start !== undefined) {
      if ((at - start) * step >= narrowestGutter && start > 0)
        gutters.push({ start: left + start * step, end: left + at * step });
      start = undefined;
    }
  }
  return gutters;
};

const crosses = ({ x, width }: Fragment, { start, end }: Gutter): boolean => x < start && x + width > end;

const fewestLines = 3;
/** The share of the lines of a column that continue a sentence. The cells of a table begin new ones. */
const continuing = 0.3;
/** Where letters have no case, lines of prose fill their column. */
const filling = 0.6;
const fewestCharacters = 10;

/** True for a column of sentences that run over its lines. */
const isProse = (column: readonly Fragment[]): boolean => {
  const texts = column.map(({ text }) => text.trim());
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  if (average < fewestCharacters) return false;
  const hasCase = texts.some((text) => /[\p{Ll}\p{Lu}]/u.test(text));
  const width = Math.max(...column.map((fragment) => fragment.width));
  const good = column.filter((fragment, index) =>
    hasCase ? index > 0 && /^["'“„(]?\p{Ll}/u.test(texts[index] ?? '') : fragment.width >= filling * width,
  );
  return good.length >= (column.length - 1) * (hasCase ? continuing : filling);
};

const columnsBy = (fragments: readonly Fragment[], gutters: readonly Gutter[]): Fragment[][] => {
  const columns: Fragment[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const fragment of fragments) {
    const middle = fragment.x + fragment.width / 2;
    columns[gutters.filter(({ end }) => middle >= end).length]?.push(fragment);
  }
  return columns;
};

/** Text that crosses a gutter, such as a heading over all columns, ends the columns above it. */
const bandsBy = (fragments: readonly Fragment[], gutters: readonly Gutter[]): Fragment[][] => {
  const bands: Fragment[][] = [];
  let isOver = true;
  for (const row of rowsOf(fragments)) {
    const goesOver = row.some((fragment) => gutters.some((gutter) => crosses(fragment, gutter)));
    if (goesOver !== isOver || bands.length === 0) bands.push([]);
    bands.at(-1)?.push(...row);
    isOver = goesOver;
  }
  return bands;
};

const linesByRow = (fragments: readonly Fragment[]): Line[] => rowsOf(fragments).map(lineOf);

/** The lines of a page in the order in which a person reads them. */
export const linesOfPage = (runs: readonly Run[]): Line[] => {
  const fragments = fragmentsOf(runs.filter(({ text }) => text.trim() !== ''));
  if (fragments.length < 2 * fewestLines) return linesByRow(fragments);
  const gutters = guttersOf(fragments);
  const columns = columnsBy(
    fragments.filter((fragment) => !gutters.some((gutter) => crosses(fragment, gutter))),
    gutters,
  ).filter((column) => column.length > 0);
  const long = columns.filter((column) => column.length >= fewestLines);
  if (long.length < 2 || !long.every((column) => isProse([...column].sort(byHeightOnPage))))
    return linesByRow(fragments);
  const isRightToLeft = fragments.filter((one) => one.isRightToLeft).length > fragments.length / 2;
  return bandsBy(fragments, gutters).flatMap((band) => {
    const inBand = columnsBy(band, gutters);
    const hasOver = band.some((fragment) => gutters.some((gutter) => crosses(fragment, gutter)));
    if (hasOver) return linesByRow(band);
    return (isRightToLeft ? inBand.reverse() : inBand).flatMap(linesByRow);
  });
};
