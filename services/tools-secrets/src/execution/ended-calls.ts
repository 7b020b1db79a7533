// Calls that ended. The token of a call is good for longer than the call, because nobody knows how long it will be.
import type { EventOf, events } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { isRemoved, type Tx } from '@parlance/persistence';

/** What a call still has to do after its end, such as writing down what came of it. */
const usableAfterMs = 600_000;

export const noteEnded = async (
  tx: Tx,
  { organizationId, data }: EventOf<typeof events.callEnded>,
): Promise<void> => {
  if (await isRemoved(tx, organizationId)) return;
  await tx.query(
    `insert into ended_calls (organization_id, call_id, ended_at) values ($1, $2, $3) on conflict do nothing`,
    [organizationId, data.callId, data.endedAt],
  );
};

/** @throws AppError UNAUTHENTICATED for a call that ended more than ten minutes ago */
export const refuseEnded = async (
  tx: Tx,
  organizationId: string,
  callId: string,
  now: Date,
): Promise<void> => {
  const { rowCount } = await tx.query({
    name: 'ended_call',
    text: 'select 1 from ended_calls where organization_id = $1 and call_id = $2 and ended_at < $3',
    values: [organizationId, callId, new Date(now.getTime() - usableAfterMs)],
  });
  if (rowCount > 0) throw new AppError('UNAUTHENTICATED');
};
