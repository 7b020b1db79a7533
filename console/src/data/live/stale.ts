// Live events make answers stale. A question that is on its way goes on, and is asked again once it is answered. Its answer may be from
// before the event. If each event began the question anew, a slow answer would never arrive.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Questions that are asked again when they are answered. */
const late = new WeakSet<Query>();

const isOnce = ({ meta }: Query): boolean => meta?.once === true;

/**
 * Makes answers stale, except those that are asked once. The page asks again for the ones that it shows.
 * @param isMeant by the key of the answer
 */
export const makeStale = async (
  client: QueryClient,
  isMeant: (queryKey: QueryKey) => boolean,
): Promise<void> => {
  const predicate = (query: Query): boolean => !isOnce(query) && isMeant(query.queryKey);
  for (const query of client.getQueryCache().findAll({ fetchStatus: 'fetching', predicate })) {
    if (late.has(query)) continue;
    late.add(query);
    void Promise.resolve(query.promise)
      .catch(() => undefined) // its own screen tells the failure
      .then(() => {
        late.delete(query);
        return client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
      });
  }
  await client.invalidateQueries({ predicate }, { cancelRefetch: false });
};
