// The three states of something that was asked for: on its way, failed, there.
import type { ReactNode } from 'react';
import { ErrorNote, StaleNote } from './error-note.js';
import { Loading } from './status.js';

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows the data of a query. A failure takes its place where there is no data yet, and stands above it otherwise. */
export const Answered = <Data,>({
  query,
  children,
  loading = <Loading />,
}: {
  readonly query: Asked<Data>;
  readonly children: (data: Data) => ReactNode;
  readonly loading?: ReactNode;
}) => {
  const retry = (): void => void query.refetch();
  if (query.data !== undefined)
    return (
      // The data keeps its place in the tree when a failure comes or goes. So text that is typed in it stays.
      <>
        {query.error ? <StaleNote error={query.error} retry={retry} /> : null}
        {children(query.data)}
      </>
    );
  if (query.error) return <ErrorNote error={query.error} retry={retry} />;
  return loading;
};
