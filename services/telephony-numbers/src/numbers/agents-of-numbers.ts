// Agents as this service needs them: that one exists when it is given a number, its name, and that it is gone.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import type { Host } from '@parlance/service-host';
import { announceNumber } from './announce.js';
import type { NumberRow } from './number-record.js';
import type { AgentOfNumber } from './numbers-repository.js';

/**
 * A change of name that was made while we asked may be told with an earlier time than ours. Names told within this time
 * are taken again, which does no harm: the newest told comes last.
 */
const overlapMs = 10_000;

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT without an answer */
export const agentToAnswer = async (
  { rpc, callerFor, clock }: Pick<Host, 'rpc' | 'callerFor' | 'clock'>,
  organizationId: string,
  agentId: string,
  requestId: string,
): Promise<AgentOfNumber> => {
  const namedAt = new Date(clock.now().getTime() - overlapMs);
  const context = { caller: callerFor(organizationId), requestId };
  const { data } = await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, context);
  return { agentId, agentName: data.name, namedAt };
};

/**
 * Serializes all work on this agent until the transaction ends: an assignment either precedes its deletion or finds it
 * gone.
 */
const lockAgent = async (tx: Tx, agentId: string): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('agent ' || $1, 0))`, [agentId]);
};

/** @throws AppError AGENT_NOT_FOUND for an agent that was deleted since the question about it */
export const refuseDeletedAgent = async (tx: Tx, agentId: string): Promise<void> => {
  await lockAgent(tx, agentId);
  const { rowCount } = await tx.query('select 1 from deleted_agents where agent_id = $1', [agentId]);
  if (rowCount > 0) throw new AppError('AGENT_NOT_FOUND');
};

/** Takes a deleted agent off its numbers. */
export const forgetAgent = async (
  tx: Tx,
  host: Pick<Host, 'clock' | 'ids'>,
  organizationId: string,
  agentId: string,
): Promise<void> => {
  const now = host.clock.now();
  await lockAgent(tx, agentId);
  await tx.query('insert into deleted_agents (agent_id, deleted_at) values ($1, $2) on conflict do nothing', [
    agentId,
    now,
  ]);
  const { rows } = await tx.query<NumberRow>(
    `update numbers set agent_id = null, agent_name = null, agent_named_at = null, version = version + 1, updated_at = $3
     where organization_id = $1 and agent_id = $2 returning *`,
    [organizationId, agentId, now],
  );
  for (const row of rows) await announceNumber(tx, host, row);
};

/** Moves forward only: events may come late or twice. */
export const renameAgent = async (
  tx: Tx,
  organizationId: string,
  agent: { readonly agentId: string; readonly name: string },
  occurredAt: string,
): Promise<void> => {
  await tx.query(
    `update numbers set agent_name = $3, agent_named_at = $4
     where organization_id = $1 and agent_id = $2 and agent_named_at < $4`,
    [organizationId, agent.agentId, agent.name, occurredAt],
  );
};
