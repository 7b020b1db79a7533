// Which calls of rooms need no second look, for the reconciler: on the call index, of all organizations.
import type { Tx } from '@parlance/persistence';

/**
 * Of these calls those that are known well enough: all but the ones that nobody has heard of, and the ones that nobody
 * dialled, that began before this moment and of which nobody has told an answer.
 */
export const wellKnownCalls = async (
  tx: Tx,
  callIds: readonly string[],
  before: string,
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ call_id: string }>({
    name: 'index-well-known',
    text: `select call_id from call_index where call_id = any($1)
           and not (phase = 'live' and answered_at is null and outbound_call_id is null and started_at <= $2)`,
    values: [callIds, before],
  });
  return new Set(rows.map(({ call_id }) => call_id));
};
