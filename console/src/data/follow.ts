// Following one record that changes by itself, as long as news of it is expected.
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useOperation } from './queries.js';
import type { DataOf, OperationId, RequestOf } from './types.js';

/**
 * The answer of an operation, and the milliseconds until it is asked again.
 * @param everyMsOf undefined: no news is expected, given the last answer and its moment
 */
export const useFollowed = <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  everyMsOf: (data: DataOf<Id>, at: number) => number | undefined,
): readonly [UseQueryResult<DataOf<Id>>, number | undefined] => {
  const [everyMs, setEveryMs] = useState<number>();
  const query = useOperation(id, parts, everyMs === undefined ? {} : { everyMs });
  // Reading the moment draws the component anew with every answer, also with one that is the same.
  const at = query.dataUpdatedAt;
  const wanted = query.data === undefined ? undefined : everyMsOf(query.data, at);
  if (wanted !== everyMs) setEveryMs(wanted);
  return [query, everyMs];
};
