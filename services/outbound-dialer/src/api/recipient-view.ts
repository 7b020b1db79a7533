// A person of a campaign as the interface shows it.
import type { CampaignRecipient, RecipientState as ShownState } from '@parlance/contracts';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import type { RecipientState } from '../domain/campaign/recipient-states.js';
import type { ListedRecipient, ListedRefusal } from '../read-models/recipient-list.js';
import type { RecipientRow } from '../recipients/recipient-row.js';
import { endOf, waitOf } from './recipient-reasons.js';

/**
 * The stored states that a shown state has. The people of a cancelled campaign count as cancelled at once, although
 * writing that down takes a while.
 */
export const storedStates = (
  shown: Exclude<ShownState, 'refused'>,
  { phase }: Pick<KnownCampaign, 'phase'>,
): readonly RecipientState[] => {
  if (phase !== 'cancelled') return [shown];
  if (shown === 'pending') return [];
  return shown === 'cancelled' ? ['cancelled', 'pending'] : [shown];
};

const stateAndReason = (
  recipient: ListedRecipient,
  campaign: KnownCampaign,
  now: Date,
): Pick<CampaignRecipient, 'state' | 'reason' | 'nextAttemptAt'> => {
  const { state } = recipient;
  if (state === 'queued' || state === 'in_progress') return { state, reason: null, nextAttemptAt: null };
  if (state !== 'pending') return { state, reason: endOf(recipient), nextAttemptAt: null };
  if (campaign.phase === 'cancelled')
    return { state: 'cancelled', reason: endOf({ reason: 'campaign_cancelled' }), nextAttemptAt: null };
  const { reason, until } = waitOf(recipient, campaign, now);
  return { state, reason, nextAttemptAt: until?.toISOString() ?? null };
};

/** The name of the callee; a variable `name` names the callee too. */
const nameOf = ({ username, variables }: RecipientRow): string | null => username || variables.name || null;

export const toRecipient = (
  recipient: ListedRecipient,
  campaign: KnownCampaign,
  now: Date,
): CampaignRecipient => ({
  rowNumber: recipient.rowNumber,
  phoneNumber: recipient.phoneNumber,
  name: nameOf(recipient.row),
  variables: recipient.row.variables,
  timezones: [...recipient.timeZones],
  ...stateAndReason(recipient, campaign, now),
  attempts: recipient.attempts,
  outboundCallId: recipient.isPlaced ? recipient.outboundCallId : null,
  callId: recipient.lastAttempt?.callId ?? null,
  costMicros: recipient.costMicros,
  updatedAt: recipient.updatedAt.toISOString(),
});

export const toRefused = ({
  rowNumber,
  phoneNumber,
  code,
  message,
  refusedAt,
}: ListedRefusal): CampaignRecipient => ({
  rowNumber,
  phoneNumber,
  name: null,
  variables: {},
  timezones: [],
  state: 'refused',
  reason: { code, message },
  attempts: 0,
  outboundCallId: null,
  callId: null,
  nextAttemptAt: null,
  costMicros: 0,
  updatedAt: refusedAt.toISOString(),
});
