// A remark on a document that was read, but not all of it.
export interface ReadWarning {
  readonly code: 'PAGES_WITHOUT_TEXT';
  readonly message: string;
}

/** The message names this many ranges of pages at most. */
const mostRanges = 20;

/** 2, 3, 4 and 7 become "2-4, 7". */
const rangesOf = (pages: readonly number[]): string => {
  const ranges: [from: number, to: number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const named = ranges
    .slice(0, mostRanges)
    .map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return `${named.join(', ')}${ranges.length > mostRanges ? ' and others' : ''}`;
};

export const pagesWithoutTextWarning = (without: readonly number[], pages: number): ReadWarning => ({
  code: 'PAGES_WITHOUT_TEXT',
  message: `${without.length} of ${pages} pages have no text: ${rangesOf(without)}. They are pictures or empty, and nothing on them can be found. Add a PDF with a text layer.`,
});
