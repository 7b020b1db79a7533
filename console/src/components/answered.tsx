// The three states of something that was asked for: on its way, failed, there.
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.js';
import { Loading } from './status.js';

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows the data of a query. A failure shows only where there is no data yet. */
export const Answered = <Data,>({
  query,
  children,
  loading = <Loading />,
}: {
  readonly query: Asked<Data>;
  readonly children: (data: Data) => ReactNode;
  readonly loading?: ReactNode;
}) => {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  return loading;
};
