// Whether the progress of a call may still be told, as far as the platform knows the call.
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import type { LiveCallKey } from './live-turns.js';

/** The time for which the token of a call is good after its end. */
const afterEndMs = 10 * 60 * 1_000;

interface Known {
  readonly organization_id: string;
  readonly agent_id: string;
  readonly phase: 'live' | 'closing' | 'ended';
  readonly ended_at: Date | null;
  readonly deleted_at: Date | null;
}

/**
 * The phase of the call in the index; `absent` when its first report is still under way.
 * @throws AppError CALL_NOT_FOUND for a call of others or a deleted one, UNAUTHENTICATED for one that ended long ago
 */
export const phaseOfKnown = async (
  tx: Tx,
  { callId, organizationId, agentId }: LiveCallKey,
  now: Date,
): Promise<Known['phase'] | 'absent'> => {
  const { rows } = await tx.query<Known>({
    name: 'known-call',
    text: `select organization_id, agent_id, phase, ended_at, deleted_at from call_index where call_id = $1`,
    values: [callId],
  });
  const [known] = rows;
  if (known === undefined) return 'absent';
  const isOwn = known.organization_id === organizationId && known.agent_id === agentId;
  if (!isOwn || known.deleted_at !== null) throw new AppError('CALL_NOT_FOUND');
  if (known.ended_at !== null && now.getTime() - known.ended_at.getTime() > afterEndMs)
    throw new AppError('UNAUTHENTICATED');
  return known.phase;
};
