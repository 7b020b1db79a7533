// What the stream of a recipient's outbound call tells about the recipient; written by the projection of outbound calls
// together with its own row, so that the two never disagree.
import type { EndedReason } from '@parlance/contracts';
import type { Tx } from '@parlance/persistence';
import type { Ended } from '../outbound-call/outbound-call-state.js';
import { attemptsOf, type Known, toOutboundCall } from '../outbound-call/outbound-call-view.js';
import { type RecipientState, type TerminalState, terminalStates } from './recipient-states.js';

/** Nobody was called because nobody may: no failure of anything. */
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
  /** Null leaves it as it is: the call was placed, and its first attempt is in the hands of whoever placed it. */
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

/** What an outbound call means for the recipient that it was placed for. */
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

/** The campaign whose dialers attempt this call; what a person asked for again is not the campaign's any more. */
export const campaignInCharge = ({ placed, retryIds }: Known): string | null =>
  retryIds.length === 0 ? placed.campaignId : null;

/** An outbound call as its stream tells it up to a revision. */
export interface CallAt {
  readonly id: string;
  readonly call: Known;
  readonly revision: bigint;
}

/**
 * Of calls that a campaign is in charge of, none twice. Does nothing for what was heard before, and for a recipient that
 * has ended.
 */
export const recordCalls = async (tx: Tx, calls: readonly CallAt[]): Promise<void> => {
  const ids = calls.map(({ id }) => id);
  const revisions = calls.map(({ revision }) => revision);
  // In this order like everybody else: the campaigns' counts first, then their recipients. Not for what is known already:
  // a read model that is made anew must not stand in the way of the one in use.
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
