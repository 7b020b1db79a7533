// Asking a list again when something has changed. A look costs a request for the beginning of the list, and one for each further page
// that is in view. The number of loaded pages does not matter. The other pages are asked when they come into view.
import {
  beginOfEnd,
  cursorsIn,
  fromTop,
  keepingPlace,
  type ListPage,
  type ListPages,
  type PageAnswer,
  staleIn,
  withEnd,
} from './list-pages.js';

/** @param cursor undefined: the beginning of the list */
export type AskPage<Row> = (cursor: string | undefined) => Promise<PageAnswer<Row>>;

/** Where in the list its reader is. */
export interface Place {
  /** Ids of the rows in the window, and near it. */
  readonly shown: () => ReadonlySet<string>;
  /** True while the beginning of the list is above the window. */
  readonly isAway: () => boolean;
}

/** The list as it is at the moment of the question; undefined before the first answer. */
export type Held<Row> = () => ListPages<Row> | undefined;

const asked = async <Row>(
  cursors: readonly (string | undefined)[],
  askPage: AskPage<Row>,
): Promise<ReadonlyMap<string | undefined, PageAnswer<Row>>> =>
  new Map(await Promise.all(cursors.map(async (cursor) => [cursor, await askPage(cursor)] as const)));

const anew = <Row>(answer: PageAnswer<Row>, look: number): ListPages<Row> =>
  fromTop([{ ...answer, cursor: undefined, look }], look);

/** New rows stand in the list at once while its beginning is in view; they wait for somebody who reads further below. */
const takesNewRows = <Row>(list: ListPages<Row>, place: Place | undefined): boolean => {
  // The screen is being drawn: its reader comes back to where they were.
  if (place === undefined) return list.pages.length === 1;
  return !place.isAway() && cursorsIn(list, place.shown()).every((cursor) => cursor === undefined);
};

/** @returns the list after the look; pages that were loaded meanwhile stay in it */
export const lookAgain = async <Row>(
  held: Held<Row>,
  place: () => Place | undefined,
  askPage: AskPage<Row>,
): Promise<ListPages<Row>> => {
  const before = held();
  if (before === undefined) return anew(await askPage(undefined), 0);
  const look = before.look + 1;
  const shown = place()?.shown() ?? new Set<string>();
  const answers = await asked([...new Set([undefined, ...cursorsIn(before, shown)])], askPage);
  const list = held() ?? before;
  const first = answers.get(undefined);
  const looked = keepingPlace(list, answers, look);
  const isSame = looked.waiting.length === 0 && list.pages.length > 1;
  return first === undefined || isSame || !takesNewRows(list, place()) ? looked : anew(first, look);
};

/** Asks the pages in view that the last look has left out. @returns undefined where there is none */
export const catchUp = async <Row>(
  held: Held<Row>,
  shown: ReadonlySet<string>,
  askPage: AskPage<Row>,
): Promise<ListPages<Row> | undefined> => {
  const before = held();
  const stale = before === undefined ? [] : staleIn(before, shown);
  if (before === undefined || stale.length === 0) return undefined;
  const answers = await asked(stale, askPage);
  const list = held();
  // A look that came meanwhile knows better.
  return list === undefined || list.look !== before.look
    ? undefined
    : keepingPlace(list, answers, before.look);
};

/** The list from its beginning, with the rows that have waited. */
export const takeNewRows = async <Row>(held: Held<Row>, askPage: AskPage<Row>): Promise<ListPages<Row>> => {
  const answer = await askPage(undefined);
  return anew(answer, (held()?.look ?? 0) + 1);
};

/** Asks pages one after the other, so many at the most. */
const inARow = async <Row>(
  from: string | undefined,
  count: number,
  look: number,
  askPage: AskPage<Row>,
): Promise<readonly ListPage<Row>[]> => {
  const pages: ListPage<Row>[] = [];
  let cursor = from;
  do {
    const answer = await askPage(cursor);
    pages.push({ ...answer, cursor, look });
    cursor = answer.nextCursor;
  } while (cursor !== undefined && pages.length < count);
  return pages;
};

/** Asks every page again, for lists of few pages that nobody reads while they change. */
export const askWhole = async <Row>(held: Held<Row>, askPage: AskPage<Row>): Promise<ListPages<Row>> => {
  const before = held();
  const look = (before?.look ?? 0) + 1;
  return fromTop(await inARow(undefined, before?.pages.length ?? 1, look, askPage), look);
};

/**
 * Asks again for the end of a list that grows there, such as a transcript. A look costs the same for any number of pages.
 * @param edition another one asks for every page again
 */
export const askEnd = async <Row>(
  held: Held<Row>,
  edition: string,
  askPage: AskPage<Row>,
): Promise<ListPages<Row>> => {
  const before = held();
  if (before?.edition !== edition) return { ...(await askWhole(held, askPage)), edition };
  const begin = beginOfEnd(before);
  const count = before.pages.length - begin;
  const end = await inARow(before.pages[begin]?.cursor, count, before.look + 1, askPage);
  return withEnd(held() ?? before, begin, end);
};
