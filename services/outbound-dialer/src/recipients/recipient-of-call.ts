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

/** Does nothing for what was heard before, and for a recipient that has ended. */
export const recordCall = async (tx: Tx, id: string, call: Known, revision: bigint): Promise<void> => {
  if (campaignInCharge(call) === null) return;
  const { state, reason, attempts, costMicros, notBefore } = recipientNow(call);
  // In this order like everybody else: the campaign's counts first, then its recipients. Not for what is known already:
  // a read model that is made anew must not stand in the way of the one in use.
  await tx.query({
    name: 'recipient-before-record',
    text: `select lock_campaign_counts(array[campaign_id]) from campaign_recipients
           where outbound_call_id = $1 and revision < $2 and state <> all($3)`,
    values: [id, revision, terminalStates],
  });
  await tx.query({
    name: 'recipient-record-call',
    text: `update campaign_recipients
           set state = coalesce($3, state), reason = $4, attempts = $5, cost_micros = $6, not_before = $7, revision = $2,
             claimed_by = case when $3::text is null then claimed_by end,
             claimed_until = case when $3::text is null then claimed_until end, updated_at = $8
           where outbound_call_id = $1 and revision < $2 and state <> all($9)`,
    values: [
      ...[id, revision, state, reason, attempts, costMicros, notBefore, call.updatedAt, terminalStates],
    ],
  });
};
