// The rest of a list, beside its looks. It loads the next page, pages that come into view, and new rows that somebody wants to see.
import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type AskPage, catchUp, type Held, type Place, takeNewRows } from './list-looks.js';
import { type ListPages, withNext } from './list-pages.js';

/** A moment after the last movement. */
const restMs = 150;

/** Messages between a list and the table that shows it. */
export interface ListFollow {
  /** The number of new rows that wait until they are wanted, because the table is read further below. */
  readonly waiting: number;
  /** More of them may wait than that. */
  readonly moreWait: boolean;
  /** Shows the list from its beginning, with the rows that have waited. */
  readonly takeNew: () => void;
  /** The table tells where its reader is; undefined once it is gone. */
  readonly tellPlace: (place: Place | undefined) => void;
  /** The reader has moved. */
  readonly moved: () => void;
}

export interface ListParts<Row> {
  readonly queryKey: QueryKey;
  readonly held: Held<Row>;
  readonly askPage: AskPage<Row>;
  readonly place: RefObject<Place | undefined>;
  readonly data: ListPages<Row> | undefined;
}

interface More {
  /** Of the list whose next page this is. */
  readonly key: string;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** The answers that the failure belongs to. */
  readonly data: unknown;
}

export const useRestOfList = <Row>({ queryKey, held, askPage, place, data }: ListParts<Row>) => {
  const client = useQueryClient();
  const key = hashKey(queryKey);
  const [more, setMore] = useState<More>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isCatchingUp = useRef(false);

  /** A part of the list is no look: the age of the answers stays. */
  const put = (list: ListPages<Row>): void => {
    const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt;
    client.setQueryData<ListPages<Row>>(queryKey, list, updatedAt === undefined ? {} : { updatedAt });
  };

  const isLoadingMore = more?.key === key && more.isLoading;
  const cursor = data?.pages.at(-1)?.nextCursor;
  const load = async (next: string): Promise<void> => {
    setMore({ key, isLoading: true, error: null, data });
    try {
      const answer = await askPage(next);
      const list = held();
      if (list !== undefined) put(withNext(list, next, answer));
      setMore(undefined);
    } catch (error) {
      setMore({ key, isLoading: false, error, data: held() });
    }
  };

  const see = async (): Promise<void> => {
    if (isCatchingUp.current || place.current === undefined) return;
    isCatchingUp.current = true;
    try {
      const list = await catchUp(held, place.current.shown(), askPage);
      if (list !== undefined) put(list);
    } catch {
      // The pages stay as old as they are, and the next movement or look asks for them.
    } finally {
      isCatchingUp.current = false;
    }
  };
  const moved = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void see(), restMs);
  };
  const latest = useRef(moved);
  latest.current = moved;
  // A look may have left out pages that came into view while it was on its way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer is a reason
  useEffect(() => latest.current(), [data]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const takeNew = async (): Promise<void> => {
    try {
      put(await takeNewRows(held, askPage));
    } catch {
      // The rows still wait, and so does the button.
    }
  };

  const follow: ListFollow = {
    waiting: data?.waiting.length ?? 0,
    moreWait: data?.moreWait ?? false,
    takeNew: () => void takeNew(),
    tellPlace: (told) => {
      place.current = told;
    },
    moved,
  };
  return {
    error: more?.key === key && more.data === data ? more.error : null,
    list: {
      hasMore: cursor !== undefined,
      isLoadingMore,
      loadMore: (): void => {
        if (cursor !== undefined && !isLoadingMore) void load(cursor);
      },
      follow,
    },
  };
};
