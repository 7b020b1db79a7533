// The transcript of a conversation while it lasts: live events tell each turn.
import { useEffect, useRef } from 'react';
import { useCan } from '../../../app/permission.js';
import { useList } from '../../../data/queries.js';

const everyMs = 5_000;

/** @param callId undefined before the conversation has begun */
export const useTurns = (callId: string | undefined, isOver: boolean) => {
  const verdict = useCan('calls.transcripts');
  const { rows, hasMore, isLoadingMore, loadMore, error } = useList(
    'calls.transcripts',
    { params: { callId: callId ?? '' }, query: { limit: 100 } },
    {
      enabled: callId !== undefined && verdict.allowed,
      // The hand-over replaces the turns that were told.
      edition: isOver ? 'whole' : 'live',
      ...(isOver ? {} : { everyMs }),
    },
  );
  const wantsMore = hasMore && !isLoadingMore && !error;
  const loadLatest = useRef(loadMore);
  loadLatest.current = loadMore;
  useEffect(() => {
    if (wantsMore) loadLatest.current();
  }, [wantsMore]);
  return rows ?? [];
};
