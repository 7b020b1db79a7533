// The pages of a list that somebody reads, and their change when some of them are asked again. Rows stay where they are. Changed ones
// change, deleted ones go, and new ones wait until the person wants them. Pure.

export interface PageAnswer<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}

export interface ListPage<Row> extends PageAnswer<Row> {
  /** The request's cursor; undefined for the beginning of the list. */
  readonly cursor: string | undefined;
  /** Number of the look that has brought these rows. */
  readonly look: number;
}

export interface ListPages<Row> {
  readonly pages: readonly ListPage<Row>[];
  /** Number of the last look. A page of an earlier one may have changed. */
  readonly look: number;
  /** Ids of rows that are there, and wait. */
  readonly waiting: readonly string[];
  /** More rows may wait than one page has. */
  readonly moreWait: boolean;
  /** Of a list that grows at its end: the edition that all pages were asked for. */
  readonly edition?: string;
}

/** Answers by the cursors of their requests. */
export type PageAnswers<Row> = ReadonlyMap<string | undefined, PageAnswer<Row>>;

/** Rows of lists that keep their place have an id. */
export const idOf = (row: unknown): string => {
  const { id, rowNumber } = row as { readonly id?: unknown; readonly rowNumber?: unknown };
  // The people of a campaign have no id of their own: they are rows of its file.
  return String(id ?? rowNumber);
};

/** A list anew, from its beginning. */
export const fromTop = <Row>(pages: readonly ListPage<Row>[], look: number): ListPages<Row> => ({
  ...{ pages, look, waiting: [], moreWait: false },
});

/** The rows of all pages; each once, because a row may stand in two pages after a deletion. */
export const rowsOf = <Row>({ pages }: ListPages<Row>): readonly Row[] => {
  const seen = new Set<string>();
  return pages
    .flatMap(({ rows }) => rows)
    .filter((row) => {
      const id = idOf(row);
      if (seen.has(id)) return false;
      seen.add(id);
      return true;
    });
};

const isIn =
  (ids: ReadonlySet<string>) =>
  ({ rows }: ListPage<unknown>): boolean =>
    rows.some((row) => ids.has(idOf(row)));

/** Cursors of the pages that have one of these rows. */
export const cursorsIn = (
  { pages }: ListPages<unknown>,
  shown: ReadonlySet<string>,
): readonly (string | undefined)[] => pages.filter(isIn(shown)).map(({ cursor }) => cursor);

/** As `cursorsIn`, but only pages that the last look has left out. */
export const staleIn = (list: ListPages<unknown>, shown: ReadonlySet<string>) =>
  cursorsIn({ ...list, pages: list.pages.filter(({ look }) => look < list.look) }, shown);

interface Merged<Row> {
  readonly page: ListPage<Row>;
  readonly waiting: readonly string[];
  readonly hasNoOldRow: boolean;
}

/**
 * One page with the rows of a new answer to the same request.
 * @param known ids of all rows of the list
 */
const mergedPage = <Row>(
  before: ListPage<Row>,
  answer: PageAnswer<Row>,
  known: ReadonlySet<string>,
  look: number,
): Merged<Row> => {
  const own = new Set(before.rows.map(idOf));
  const fresh = new Map(answer.rows.map((row) => [idOf(row), row]));
  const lastOwn = answer.rows.findLastIndex((row) => own.has(idOf(row)));
  const lastKept = before.rows.findLastIndex((row) => fresh.has(idOf(row)));
  const isEnd = answer.nextCursor === undefined;
  // Rows behind the last one that is still there may have been pushed out of the answer by new rows.
  const kept = before.rows.flatMap((row, index) => {
    const now = fresh.get(idOf(row));
    if (now !== undefined) return [now];
    return isEnd || index < lastKept ? [] : [row];
  });
  const isNew = (row: Row): boolean => !known.has(idOf(row));
  const inFront = lastOwn === -1 ? answer.rows : answer.rows.slice(0, lastOwn);
  // The list has grown at its end, which was shown.
  const behind =
    before.nextCursor === undefined && lastOwn !== -1 ? answer.rows.slice(lastOwn + 1).filter(isNew) : [];
  return {
    page: {
      ...{ cursor: before.cursor, look, rows: [...kept, ...behind] },
      nextCursor: before.nextCursor ?? (behind.length > 0 ? answer.nextCursor : undefined),
    },
    waiting: inFront.filter(isNew).map(idOf),
    hasNoOldRow: lastOwn === -1 && before.rows.length > 0 && !isEnd,
  };
};

/** The list with some of its pages asked again, and no row moved. @param look of the answers */
export const keepingPlace = <Row>(
  list: ListPages<Row>,
  answers: PageAnswers<Row>,
  look: number,
): ListPages<Row> => {
  const known = new Set(list.pages.flatMap(({ rows }) => rows.map(idOf)));
  // The beginning tells anew which rows wait.
  const isWhole = answers.has(undefined);
  const waiting = new Set(isWhole ? [] : list.waiting);
  let moreWait = !isWhole && list.moreWait;
  const pages: ListPage<Row>[] = [];
  for (const before of list.pages) {
    const answer = answers.get(before.cursor);
    if (answer === undefined) {
      pages.push(before);
      continue;
    }
    const { page, waiting: found, hasNoOldRow } = mergedPage(before, answer, known, look);
    pages.push(page);
    for (const id of found) waiting.add(id);
    if (before.cursor === undefined) moreWait = hasNoOldRow;
  }
  return { pages, look, waiting: [...waiting], moreWait };
};

/** The list with its next page. Nothing changes where the page was loaded meanwhile. */
export const withNext = <Row>(
  list: ListPages<Row>,
  cursor: string,
  answer: PageAnswer<Row>,
): ListPages<Row> =>
  list.pages.at(-1)?.nextCursor === cursor
    ? { ...list, pages: [...list.pages, { ...answer, cursor, look: list.look }] }
    : list;

/** A row is corrected soon after it came: so many of the newest ones are asked again. */
const mayBeCorrected = 20;

/** Index of the first page of the end, which a list that grows there asks again: the pages with its newest rows. */
export const beginOfEnd = ({ pages }: ListPages<unknown>): number => {
  let begin = Math.max(0, pages.length - 1);
  let newest = pages[begin]?.rows.length ?? 0;
  while (begin > 0 && newest < mayBeCorrected) {
    begin -= 1;
    newest += pages[begin]?.rows.length ?? 0;
  }
  return begin;
};

/** The list with its end asked again. @param begin index of the first page of the end */
export const withEnd = <Row>(
  list: ListPages<Row>,
  begin: number,
  end: readonly ListPage<Row>[],
): ListPages<Row> => {
  const next = end.at(-1)?.nextCursor;
  // Pages that were loaded while the others were asked.
  const behind = next === undefined ? -1 : list.pages.findIndex(({ cursor }) => cursor === next);
  return {
    ...list,
    look: end[0]?.look ?? list.look,
    pages: [...list.pages.slice(0, begin), ...end, ...(behind === -1 ? [] : list.pages.slice(behind))],
  };
};
