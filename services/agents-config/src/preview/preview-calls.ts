// The calls of preview sessions, for as long as the media server may still tell of their rooms.
import { CallContext } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { stringifyStored } from '@parlance/json';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, deleteInPieces, type Tx } from '@parlance/postgres';

/** A session lasts minutes; the rest is for webhooks that come late. */
const keptForMs = 86_400_000;
const everyMs = 600_000;

/**
 * Keeps the call; its row goes with its agent.
 * @throws AppError AGENT_NOT_FOUND
 */
export const keepPreviewCall = async (tx: Tx, context: CallContext, now: Date): Promise<void> => {
  const { callId, organizationId, agentId } = context;
  const { rowCount } = await tx.query(
    `insert into preview_calls (call_id, organization_id, agent_id, context, created_at)
     select $1::text, organization_id, id, $4::jsonb, $5::timestamptz from agents where organization_id = $2 and id = $3 for key share`,
    [callId, organizationId, agentId, stringifyStored(context), now],
  );
  if (rowCount === 0) throw new AppError('AGENT_NOT_FOUND');
};

/** Finds the call in every organization: the metadata of its room does not name the organization. */
export const findPreviewCall = async (tx: Tx, callId: string): Promise<CallContext | null> => {
  const { rows } = await tx.query<{ context: unknown }>(
    'select context from preview_calls where call_id = $1',
    [callId],
  );
  return rows[0] === undefined ? null : CallContext.parse(rows[0].context);
};

/** Deletes the calls of rooms that are long gone. */
export const startForgettingPreviews = (parts: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): RunningPart =>
  startRounds({
    name: 'preview-calls',
    everyMs,
    logger: parts.logger,
    round: () =>
      deleteInPieces(parts.db, {
        table: 'preview_calls',
        where: 'created_at < $1',
        values: [new Date(parts.clock.now().getTime() - keptForMs)],
      }),
  });
