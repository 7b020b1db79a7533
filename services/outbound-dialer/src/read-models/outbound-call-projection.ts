// The read model: every stream folded into a row, with the same `evolve` that decisions are made on. The row of a
// campaign's recipient follows in the same transaction.
import type { HandlerTools, PostgresReadModel, Recorded } from '@parlance/event-sourcing';
import { stringifyStored } from '@parlance/json';
import type { Tx } from '@parlance/postgres';
import { outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import { type OutboundCallEvent, outboundCallEvents } from '../domain/outbound-call/outbound-call-events.js';
import { personalOf } from '../domain/outbound-call/outbound-call-evolve.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { type Known, statusOf } from '../domain/outbound-call/outbound-call-view.js';
import { subjectOfCall } from '../personal-data/forget-calls.js';
import { numberHash } from '../personal-data/number-hashes.js';
import { type CallAt, campaignInCharge, recordCalls } from '../recipients/recipient-of-call.js';
import { outboundCallCategory } from '../repositories/outbound-call-repository.js';

/** Notified when a call may be due. */
export const dueChannel = 'outbound_dialer_due';

interface Row {
  readonly id: string;
  readonly state: Known;
  readonly revision: string;
}

/** A call as it is after its events. */
interface Folded {
  readonly state: OutboundCall;
  readonly revision: bigint;
}

/** The new states of the calls to which the events of a batch belong. */
interface Changes {
  readonly calls: ReadonlyMap<string, CallAt>;
  /**
   * The calls in the state in which a campaign last had them. An attempt that a person ordered is not the campaign's
   * any more.
   */
  readonly campaigns: ReadonlyMap<string, CallAt>;
  readonly attempts: readonly AttemptRow[];
}

interface AttemptRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly outbound_call_id: string;
}

const load = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Folded>> => {
  const { rows } = await tx.query<Row>(
    'select id, state, revision from outbound_calls where id = any($1) order by id for update',
    [ids],
  );
  return new Map(rows.map(({ id, state, revision }) => [id, { state, revision: BigInt(revision) }]));
};

/** Applies events in their order; an event that was applied before changes nothing. */
const fold = (batch: readonly Recorded<OutboundCallEvent>[], folded: Map<string, Folded>): Changes => {
  const calls = new Map<string, CallAt>();
  const campaigns = new Map<string, CallAt>();
  const attempts: AttemptRow[] = [];
  for (const { entityId: id, event, revision } of batch) {
    const before = folded.get(id);
    if (before !== undefined && before.revision >= revision) continue;
    const state = outboundCallDecider.evolve(before?.state ?? outboundCallDecider.initialState, event);
    if (state.phase === 'absent') throw new Error('a stream that does not begin with its placing');
    folded.set(id, { state, revision });
    calls.set(id, { id, call: state, revision });
    if (campaignInCharge(state) !== null) campaigns.set(id, { id, call: state, revision });
    if (event.type === 'AttemptStarted') {
      const { organizationId: organization_id } = state.placed;
      attempts.push({ call_id: event.data.callId, organization_id, outbound_call_id: id });
    }
  }
  return { calls, campaigns, attempts };
};

/** The personal columns of a row. */
interface Sealed {
  readonly personal: string | null;
  readonly number_hash: string | null;
}

/** Columns that are null keep what they have. A row that an older release wrote stays in the clear until the sealing job comes to it. */
const unchanged: Sealed = { personal: null, number_hash: null };

/** Of the calls that were placed in this batch. */
const sealPlaced = async (
  batch: readonly Recorded<OutboundCallEvent>[],
  { personalData }: Pick<HandlerTools, 'personalData'>,
): Promise<ReadonlyMap<string, Sealed>> => {
  const sealed = new Map<string, Sealed>();
  for (const { entityId: id, event } of batch) {
    if (event.type !== 'OutboundCallPlaced') continue;
    if (event.personal === null) sealed.set(id, { personal: null, number_hash: '' });
    else
      sealed.set(id, {
        personal: await personalData.seal(subjectOfCall(id), personalOf(event.personal)),
        number_hash: await numberHash(personalData, event.data.organizationId, event.personal.phoneNumber),
      });
  }
  return sealed;
};

const rowOf = ({ id, call, revision }: CallAt, sealed: Sealed | undefined) => {
  const state = sealed === undefined ? call : { ...call, personal: null };
  return { ...columnsOf({ id, call: state, revision }), ...(sealed ?? unchanged) };
};

const columnsOf = ({ id, call: state, revision }: CallAt) => ({
  id,
  organization_id: state.placed.organizationId,
  agent_id: state.placed.agentId,
  mode: state.placed.mode,
  status: statusOf(state),
  phase: state.phase,
  not_before: state.phase === 'queued' ? state.notBefore : null,
  hang_up: state.phase === 'ended' && state.hangUp !== null,
  current_call_id: state.phase === 'dialing' || state.phase === 'connected' ? state.current.callId : null,
  created_at: state.placed.placedAt,
  updated_at: state.updatedAt,
  revision: String(revision),
  state,
  campaign_id: campaignInCharge(state),
});

const saveCalls = (tx: Tx, calls: readonly CallAt[], sealed: ReadonlyMap<string, Sealed>): Promise<unknown> =>
  tx.query({
    name: 'outbound-calls-save',
    text: `insert into outbound_calls (id, organization_id, agent_id, mode, status, phase, not_before, hang_up,
             current_call_id, created_at, updated_at, revision, state, campaign_id, personal, number_hash)
           select id, organization_id, agent_id, mode, status, phase, not_before, hang_up, current_call_id, created_at,
             updated_at, revision, state, campaign_id, personal, number_hash
           from jsonb_to_recordset($1) as calls (id uuid, organization_id text, agent_id uuid, mode text, status text,
             phase text, not_before timestamptz, hang_up boolean, current_call_id text, created_at timestamptz,
             updated_at timestamptz, revision bigint, state jsonb, campaign_id uuid, personal text, number_hash text)
           order by id
           on conflict (id) do update set status = excluded.status, phase = excluded.phase,
             not_before = excluded.not_before, hang_up = excluded.hang_up, current_call_id = excluded.current_call_id,
             updated_at = excluded.updated_at, revision = excluded.revision, state = excluded.state,
             campaign_id = excluded.campaign_id, personal = coalesce(excluded.personal, outbound_calls.personal),
             number_hash = coalesce(excluded.number_hash, outbound_calls.number_hash)`,
    values: [stringifyStored(calls.map((call) => rowOf(call, sealed.get(call.id))))],
  });

const saveAttempts = (tx: Tx, attempts: readonly AttemptRow[]): Promise<unknown> =>
  tx.query({
    name: 'outbound-attempts-save',
    text: `insert into outbound_attempts (call_id, organization_id, outbound_call_id)
           select call_id, organization_id, outbound_call_id
           from jsonb_to_recordset($1) as attempts (call_id text, organization_id text, outbound_call_id uuid)
           order by call_id on conflict (call_id) do nothing`,
    values: [JSON.stringify(attempts)],
  });

/** Dial workers wait for calls that no campaign has in hand. */
const isForWorkers = ({ call }: CallAt): boolean =>
  call.phase === 'queued' && campaignInCharge(call) === null;

/** Applies events in the order of the store: a handful of statements, however many calls they belong to. */
export const projectOutboundCalls = async (
  tx: Tx,
  batch: readonly Recorded<OutboundCallEvent>[],
  tools: Pick<HandlerTools, 'personalData'>,
): Promise<void> => {
  const ids = [...new Set(batch.map(({ entityId }) => entityId))];
  const { calls, campaigns, attempts } = fold(batch, await load(tx, ids));
  if (calls.size === 0) return;
  await saveCalls(tx, [...calls.values()], await sealPlaced(batch, tools));
  if (attempts.length > 0) await saveAttempts(tx, attempts);
  if (campaigns.size > 0) await recordCalls(tx, [...campaigns.values()]);
  if ([...calls.values()].some(isForWorkers)) await tx.query(`select pg_notify($1, '')`, [dueChannel]);
};

/** The read model of all outbound calls and of the attempts behind calls. */
export const outboundCallsReadModel: PostgresReadModel<OutboundCallEvent> = {
  id: 'outbound-calls',
  category: outboundCallCategory,
  codec: outboundCallEvents,
  tables: ['outbound_calls', 'outbound_attempts'],
  handleBatch: projectOutboundCalls,
};
