// The calls of rooms that need no second look, for the reconciler: on the call index, of all organizations.
import type { Tx } from '@parlance/postgres';

/**
 * The given calls that need no look at their room. A look is needed for an unknown call. It is also needed for a call
 * without a dialer that began before this moment and has no answer.
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
