// Reading: one cache of answers, with keys that begin with the operation.
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ask } from './client.js';
import { type AskPage, askEnd, askWhole, lookAgain, type Place } from './list-looks.js';
import { type ListPages, rowsOf } from './list-pages.js';
import { useRestOfList } from './list-rest.js';
import { usePace } from './pace.js';
import type { OperationId, RecordOf, RequestOf } from './types.js';

const freshForMs = 15_000;

/** The client of the interface repeats by itself, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: freshForMs, retry: false }, mutations: { retry: false } },
});

/** For loaders and for `useQueries`. */
export const operationQuery = <Id extends OperationId>(id: Id, parts: RequestOf<Id>) =>
  queryOptions({
    queryKey: [id, parts] as const,
    queryFn: async ({ signal }) => (await ask(id, parts, { signal })).data,
  });

export interface ReadOptions {
  /** False: not asked yet. */
  readonly enabled?: boolean;
  /** Asks again so often while the page is seen and no live events come; with them, rarely. */
  readonly everyMs?: number;
  /** A live event tells each change of the answer: with live events, nothing is asked by the clock. */
  readonly isTold?: true;
  /** Shows the last answer while the next one is on its way. */
  readonly keepsPrevious?: boolean;
  /** For a question that costs much. Only its own parts and `refetch` ask it again: live events and looks at the page do not. */
  readonly once?: true;
}

const onceOptions = { staleTime: Number.POSITIVE_INFINITY, meta: { once: true } } as const;

/** The answer of an operation that reads, as React Query tells it. */
export const useOperation = <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  { enabled = true, everyMs, isTold, keepsPrevious = false, once }: ReadOptions = {},
) =>
  useQuery({
    ...operationQuery(id, parts),
    enabled,
    refetchInterval: usePace(everyMs, isTold),
    ...(once === true ? onceOptions : {}),
    ...(keepsPrevious ? { placeholderData: (previous: unknown) => previous as never } : {}), // the same query's data
  });

export interface ListOptions extends Omit<ReadOptions, 'once'> {
  /**
   * For a list of many pages whose rows have ids, in a `DataTable` that gets its `follow`. Rows stay where they are while others change
   * something, and a change costs the same for any number of pages. Otherwise every page is asked again.
   */
  readonly keepsPlace?: boolean;
  /**
   * For a list that grows at its end: a look asks the end again, and rows further above stay. Every page is asked again when this is
   * another text.
   */
  readonly edition?: string;
}

/** A list page by page: `rows` has all pages so far. */
export const useList = <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  { enabled = true, everyMs, isTold, keepsPlace = false, edition }: ListOptions = {},
) => {
  type Row = RecordOf<Id>;
  const queryKey = [id, parts, 'pages'] as const;
  const place = useRef<Place>(undefined);
  const held = (): ListPages<Row> | undefined => queryClient.getQueryData<ListPages<Row>>(queryKey);
  const askPage =
    (signal?: AbortSignal): AskPage<Row> =>
    async (cursor) => {
      const asked: RequestOf<Id> =
        cursor === undefined
          ? parts
          : { ...parts, query: { ...(parts as { query?: object }).query, cursor } }; // a list that has a next page takes a cursor
      const { data, nextCursor } = await ask(id, asked, signal === undefined ? {} : { signal });
      return { rows: data as readonly Row[], nextCursor }; // the operation answers a list
    };
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }): Promise<ListPages<Row>> => {
      if (keepsPlace) return lookAgain(held, () => place.current, askPage(signal));
      return edition === undefined ? askWhole(held, askPage(signal)) : askEnd(held, edition, askPage(signal));
    },
    enabled,
    refetchInterval: usePace(everyMs, isTold),
  });
  const rest = useRestOfList({ queryKey, held, askPage: askPage(), place, data: query.data });
  const rows = useMemo(
    () => query.data && (keepsPlace ? rowsOf(query.data) : query.data.pages.flatMap((page) => page.rows)),
    [query.data, keepsPlace],
  );
  return { rows, error: query.error ?? rest.error, refresh: () => query.refetch(), ...rest.list };
};

/** Asks failed questions again, such as after an outage. */
export const askFailedAgain = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

/**
 * Forgets the answers of these operations, or of all whose name begins so (`agents.`). The page asks again for the ones that it shows.
 * A question that is on its way begins anew: after a command, no answer from before it is shown.
 */
export const invalidate = (...operations: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [id] }) =>
      typeof id === 'string' &&
      operations.some((name) => (name.endsWith('.') ? id.startsWith(name) : id === name)),
  });
