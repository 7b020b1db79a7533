// The state of a recipient, from the stream of its outbound call. The projection of outbound calls writes it together
// with its own row, so that the two never disagree.
import type { EndedReason } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import {
  type RecipientState,
  type TerminalState,
  terminalStates,
} from '../domain/campaign/recipient-states.js';
import type { Ended } from '../domain/outbound-call/outbound-call-state.js';
import { attemptsOf, type Known, toOutboundCall } from '../domain/outbound-call/outbound-call-view.js';

/** Reasons for which a recipient may not be called: a skip, no failure. */
const skipReasons: ReadonlySet<EndedReason | null> = new Set<EndedReason>([
  'suppressed_dnc',
  'outside_calling_window',
  'country_not_allowed',
  'concurrency_limit',
  'insufficient_balance',
]);

const endStateOf = (state: Ended): TerminalState => {
  if (state.status === 'failed' && skipReasons.has(state.endedReason)) return 'skipped';
  const { outcome } = toOutboundCall('', state);
  return outcome === null || outcome === 'answered' || outcome === 'transferred' ? 'completed' : outcome;
};

export interface RecipientNow {
  /** Null leaves the state as it is: the call was placed, and the process that placed it makes the first attempt. */
  readonly state: RecipientState | null;
  readonly reason: EndedReason | null;
  readonly attempts: number;
  readonly costMicros: number;
  readonly notBefore: string | null;
}

const stateOf = (call: Known): RecipientState | null => {
  switch (call.phase) {
    case 'queued':
      return call.past.length === 0 ? null : 'pending';
    case 'dialing':
    case 'connected':
      return 'in_progress';
    case 'ended':
      return endStateOf(call);
  }
};

/** The recipient's row after the state of its outbound call. */
export const recipientNow = (call: Known): RecipientNow => {
  const attempts = attemptsOf(call);
  return {
    state: stateOf(call),
    reason: call.phase === 'ended' ? call.endedReason : null,
    attempts: attempts.length,
    costMicros: attempts.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
    notBefore: call.phase === 'queued' ? call.notBefore : null,
  };
};

/** The campaign whose dialers attempt this call; null once a person ordered another attempt. */
export const campaignInCharge = ({ placed, retryIds }: Known): string | null =>
  retryIds.length === 0 ? placed.campaignId : null;

/** An outbound call as its stream tells it up to a revision. */
export interface CallAt {
  readonly id: string;
  readonly call: Known;
  readonly revision: bigint;
}

/**
 * Records the calls of recipients, each call once. Calls must be in a campaign's charge. Revisions that are already
 * recorded, and recipients that have ended, change nothing.
 */
export const recordCalls = async (tx: Tx, calls: readonly CallAt[]): Promise<void> => {
  const ids = calls.map(({ id }) => id);
  const revisions = calls.map(({ revision }) => revision);
  // The campaigns' counts are locked first, then their recipients, in the order that all code keeps. Known revisions
  // take no lock: a read model that is made anew must not block the one in use.
  // Statements without a name: each is planned for as many recipients as there are by then.
  await tx.query(
    `select lock_campaign_counts(array(
       select distinct r.campaign_id from campaign_recipients r
       join unnest($1::uuid[], $2::bigint[]) as heard (id, revision) on r.outbound_call_id = heard.id
       where r.revision < heard.revision and r.state <> all($3)))`,
    [ids, revisions, terminalStates],
  );
  const heard = calls.map(({ id, call, revision }) => {
    const { state, reason, attempts, costMicros: cost_micros, notBefore: not_before } = recipientNow(call);
    const row = { state, reason, attempts, cost_micros, not_before, updated_at: call.updatedAt };
    return { id, revision: String(revision), ...row };
  });
  await tx.query(
    `update campaign_recipients r
     set state = coalesce(heard.state, r.state), reason = heard.reason, attempts = heard.attempts,
       cost_micros = heard.cost_micros, not_before = heard.not_before, revision = heard.revision,
       claimed_by = case when heard.state is null then r.claimed_by end,
       claimed_until = case when heard.state is null then r.claimed_until end, updated_at = heard.updated_at
     from jsonb_to_recordset($1) as heard (id uuid, revision bigint, state text, reason text, attempts int,
       cost_micros bigint, not_before timestamptz, updated_at timestamptz)
     where r.outbound_call_id = heard.id and r.revision < heard.revision and r.state <> all($2)`,
    [JSON.stringify(heard), terminalStates],
  );
};
