// Reading: one cache of answers, with keys that begin with the operation.
import {
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { ask } from './client.js';
import { usePace } from './live/pace.js';
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
}

/** The answer of an operation that reads, as React Query tells it. */
export const useOperation = <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  { enabled = true, everyMs, isTold, keepsPrevious = false }: ReadOptions = {},
) =>
  useQuery({
    ...operationQuery(id, parts),
    enabled,
    refetchInterval: usePace(everyMs, isTold),
    ...(keepsPrevious ? { placeholderData: (previous: unknown) => previous as never } : {}), // the same query's data
  });

const listQuery = <Id extends OperationId>(id: Id, parts: RequestOf<Id>) =>
  infiniteQueryOptions({
    queryKey: [id, parts, 'pages'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const asked: RequestOf<Id> =
        pageParam === undefined
          ? parts
          : { ...parts, query: { ...(parts as { query?: object }).query, cursor: pageParam } }; // a list that has a next page takes a cursor
      const { data, nextCursor } = await ask(id, asked, { signal });
      return { rows: data as readonly RecordOf<Id>[], nextCursor }; // the operation answers a list
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A list page by page: `rows` has all pages so far. */
export const useList = <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  { enabled = true, everyMs, isTold }: ReadOptions = {},
) => {
  const query = useInfiniteQuery({
    ...listQuery(id, parts),
    enabled,
    refetchInterval: usePace(everyMs, isTold),
  });
  return {
    rows: query.data?.pages.flatMap(({ rows }) => rows),
    error: query.error,
    isLoading: query.isLoading,
    isRefreshing: query.isRefetching,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refresh: () => query.refetch(),
  };
};

/** Asks again for what has failed, such as after an outage. */
export const askFailedAgain = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

/** Forgets the answers of these operations, or of all whose name begins so (`agents.`). The page asks again for the ones that it shows. */
export const invalidate = (...operations: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [id] }) =>
      typeof id === 'string' &&
      operations.some((name) => (name.endsWith('.') ? id.startsWith(name) : id === name)),
  });
