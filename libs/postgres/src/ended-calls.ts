// The calls that ended a short time ago. The token of a call is good for the longest time of the call. After the call's
// end, its runtime has some minutes left to finish. The service has the table `ended_calls` in its migrations.
import type { EventOf, events } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import { deleteInPieces } from './in-pieces.js';
import { isRemoved } from './organization-closures.js';
import { queryAtCommit, type Tx } from './tx.js';

const minutesAfterEnd = 10;
/** Milliseconds in which ended calls gather to be noted together; nothing depends on them before those minutes are over. */
export const endedCallsGatherMs = 1_000;
/** The time for which a row is kept: every token of the call has expired by then. */
const keptHours = 4;

export const noteEndedCall = async (
  tx: Tx,
  { organizationId, data }: EventOf<typeof events.callEnded>,
): Promise<void> => {
  if (await isRemoved(tx, organizationId)) return;
  await queryAtCommit(tx, {
    name: 'ended-call-note',
    text: 'insert into ended_calls (organization_id, call_id, ended_at) values ($1, $2, $3) on conflict do nothing',
    values: [organizationId, data.callId, data.endedAt],
  });
};

/** @throws AppError UNAUTHENTICATED for a call that ended more than ten minutes ago */
export const refuseEndedCall = async (
  db: Tx,
  { organizationId, callId, clock }: { organizationId: string; callId: string; clock: Clock },
): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'ended-call',
    text: 'select 1 from ended_calls where organization_id = $1 and call_id = $2 and ended_at < $3',
    values: [organizationId, callId, new Date(clock.now().getTime() - minutesAfterEnd * 60_000)],
  });
  if (rowCount > 0) throw new AppError('UNAUTHENTICATED');
};

export const deleteOldEndedCalls = async (db: Tx): Promise<void> => {
  await deleteInPieces(db, {
    table: 'ended_calls',
    where: `ended_at < now() - interval '${keptHours} hours'`,
  });
};
