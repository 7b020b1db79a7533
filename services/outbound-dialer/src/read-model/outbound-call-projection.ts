// The read model: every stream folded into a row, with the same `evolve` that decisions are made on. The row of a
// campaign's recipient follows in the same transaction.
import type { PostgresReadModel, Recorded } from '@parlance/event-sourcing';
import type { Tx } from '@parlance/persistence';
import { outboundCallDecider } from '../outbound-call/outbound-call.js';
import { type OutboundCallEvent, outboundCallEvents } from '../outbound-call/outbound-call-events.js';
import { outboundCallCategory } from '../outbound-call/outbound-call-repository.js';
import type { OutboundCall } from '../outbound-call/outbound-call-state.js';
import { type Known, statusOf } from '../outbound-call/outbound-call-view.js';
import { campaignInCharge, recordCall } from '../recipients/recipient-of-call.js';

/** Notified when a call may be due. */
export const dueChannel = 'outbound_dialer_due';

interface Row {
  readonly state: OutboundCall;
  readonly revision: string;
}

const load = async (tx: Tx, id: string): Promise<Row | undefined> => {
  const { rows } = await tx.query<Row>({
    name: 'outbound-call-for-update',
    text: 'select state, revision from outbound_calls where id = $1 for update',
    values: [id],
  });
  return rows[0];
};

const save = (tx: Tx, id: string, state: Known, revision: bigint): Promise<unknown> =>
  tx.query({
    name: 'outbound-call-save',
    text: `insert into outbound_calls (id, organization_id, agent_id, mode, status, phase, not_before, hang_up,
             current_call_id, created_at, updated_at, revision, state, campaign_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
           on conflict (id) do update set status = excluded.status, phase = excluded.phase,
             not_before = excluded.not_before, hang_up = excluded.hang_up, current_call_id = excluded.current_call_id,
             updated_at = excluded.updated_at, revision = excluded.revision, state = excluded.state,
             campaign_id = excluded.campaign_id`,
    values: [
      id,
      state.placed.organizationId,
      state.placed.agentId,
      state.placed.mode,
      statusOf(state),
      state.phase,
      state.phase === 'queued' ? state.notBefore : null,
      state.phase === 'ended' && state.hangUp !== null,
      state.phase === 'dialing' || state.phase === 'connected' ? state.current.callId : null,
      state.placed.placedAt,
      state.updatedAt,
      revision,
      JSON.stringify(state),
      campaignInCharge(state),
    ],
  });

const saveAttempt = (tx: Tx, id: string, organizationId: string, callId: string): Promise<unknown> =>
  tx.query(
    `insert into outbound_attempts (call_id, organization_id, outbound_call_id) values ($1, $2, $3)
     on conflict (call_id) do nothing`,
    [callId, organizationId, id],
  );

/** Applies one event; one that was applied before changes nothing. */
export const projectOutboundCall = async (tx: Tx, recorded: Recorded<OutboundCallEvent>): Promise<void> => {
  const { entityId: id, event, revision } = recorded;
  const row = await load(tx, id);
  if (row !== undefined && BigInt(row.revision) >= revision) return;
  const state = outboundCallDecider.evolve(row?.state ?? outboundCallDecider.initialState, event);
  if (state.phase === 'absent') throw new Error('a stream that does not begin with its placing');
  await save(tx, id, state, revision);
  if (event.type === 'AttemptStarted')
    await saveAttempt(tx, id, state.placed.organizationId, event.data.callId);
  await recordCall(tx, id, state, revision);
  if (state.phase === 'queued') await tx.query(`select pg_notify($1, '')`, [dueChannel]);
};

/** Of all outbound calls and of the attempts behind calls. */
export const outboundCallsReadModel: PostgresReadModel<OutboundCallEvent> = {
  id: 'outbound-calls',
  category: outboundCallCategory,
  codec: outboundCallEvents,
  tables: ['outbound_calls', 'outbound_attempts'],
  handle: projectOutboundCall,
};
