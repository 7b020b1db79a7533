// Why a person of a campaign waits, was not called, or how the last call ended: a code and a public sentence.
import type { CampaignRecipient, EndedReason, WaitingReason } from '@parlance/contracts';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import type { ListedRecipient } from '../read-models/recipient-list.js';

export type Reason = NonNullable<CampaignRecipient['reason']>;

const endedSentences: Readonly<Record<EndedReason, string>> = {
  user_hangup: 'The person hung up.',
  agent_hangup: 'The agent ended the call.',
  operator_ended: 'A member of the organization ended the call.',
  call_transferred: 'The agent transferred the call.',
  voicemail_reached: 'A voicemail answered.',
  ivr_reached: 'An automatic menu answered.',
  silence_timeout: 'The line was silent for too long.',
  max_duration_reached: 'The call reached the longest duration that is allowed.',
  consent_declined: 'The person did not consent to the recording.',
  no_answer: 'Nobody picked up.',
  busy: 'The line was busy.',
  declined: 'The person declined the call.',
  invalid_destination: 'The number does not exist.',
  marked_as_spam: 'The carrier blocked the call as spam.',
  cancelled_by_user: 'A member of the organization cancelled the call.',
  campaign_cancelled: 'The campaign was cancelled.',
  suppressed_dnc: 'The number is on the do-not-call list.',
  outside_calling_window: 'The calling window is never open for this person.',
  country_not_allowed: 'The organization does not allow calls to the country of the number.',
  concurrency_limit: 'The limit of calls was reached.',
  insufficient_balance: 'The worst case of the call did not fit into the money that may be spent.',
  provider_rejected: 'The telephone provider refused the call, or the caller number is not owned any more.',
  provider_unavailable: 'The telephone provider could not be reached.',
  sip_error: 'The telephone network answered with an error.',
  media_failure: 'The sound of the call broke off.',
  agent_unavailable: 'The agent did not join the call.',
  error_llm: 'The language model failed.',
  error_stt: 'The speech recognition failed.',
  error_tts: 'The speech synthesis failed.',
  error_runtime: 'The voice runtime failed.',
  room_lost: 'The connection to the media server was lost.',
  outcome_unknown:
    'The provider did not report whether the phone rang, so the number is not called again automatically.',
  unknown: 'The reason is not known.',
};

/** Sentences for people who wait; the other reasons have the sentence of an end. */
const waitingSentences: Readonly<Partial<Record<EndedReason, string>> & Record<WaitingReason, string>> = {
  file_being_read: 'The file of the campaign is being read.',
  campaign_scheduled: 'The campaign has not started yet.',
  waiting_for_turn:
    'People are called in the order of the file, as fast as the pace and the limit of simultaneous calls allow.',
  waiting_for_retry: 'Another attempt follows.',
  circuit_breaker: 'Too many calls failed for technical reasons, so the campaign is paused.',
  number_unavailable: 'The caller number does not belong to the organization any more.',
  budget_reached: 'The next call could cost more than is left of the budget of the campaign.',
  spend_limit_reached: 'The next call could cost more than the organization may spend now.',
  outside_calling_window: 'The calling window is closed.',
  concurrency_limit: 'The number was called as often today as the organization allows.',
  insufficient_balance: 'The next call could cost more than may be spent now.',
  provider_unavailable: 'The provider of the caller number takes no calls, so the campaign is paused.',
  agent_unavailable: 'The agent is deleted, inactive or not configured.',
};

const ended = (code: EndedReason): Reason => ({ code, message: endedSentences[code] });
const waiting = (code: EndedReason | WaitingReason): Reason => ({
  code,
  message: waitingSentences[code] ?? endedSentences[code as EndedReason], // a WaitingReason has its sentence
});

const retry = (last: EndedReason | null): Reason => {
  const { code, message } = waiting('waiting_for_retry');
  return { code, message: last === null ? message : `${message} The last one: ${endedSentences[last]}` };
};

/** Why this person is not called before `notBefore`. */
const ownReason = ({ lastAttempt }: ListedRecipient): Reason => {
  // Before the first call, only the calling window defers a person.
  if (lastAttempt === null) return waiting('outside_calling_window');
  const { endedReason, isAbandoned } = lastAttempt;
  return isAbandoned && endedReason !== null ? waiting(endedReason) : retry(endedReason);
};

/** A reason, and the earliest time of the next call; null where the time is now or not known. */
export interface Wait {
  readonly reason: Reason;
  readonly until: Date | null;
}

const later = (time: Date | string | null, now: Date): Date | null => {
  const at = time === null ? null : new Date(time);
  return at !== null && at > now ? at : null;
};

/** What keeps every waiting person of the campaign from being called. */
const campaignWait = (campaign: KnownCampaign, now: Date): Wait | null => {
  switch (campaign.phase) {
    case 'validating':
      return { reason: waiting('file_being_read'), until: later(campaign.created.scheduledAt, now) };
    case 'scheduled':
      return { reason: waiting('campaign_scheduled'), until: later(campaign.created.scheduledAt, now) };
    case 'paused':
      return { reason: waiting(campaign.reason), until: later(campaign.until, now) };
    default:
      return null;
  }
};

/** Why a pending person waits: the cause that lasts longest, and an unknown end lasts longest of all. */
export const waitOf = (recipient: ListedRecipient, campaign: KnownCampaign, now: Date): Wait => {
  const ownUntil = later(recipient.notBefore, now);
  const wait = campaignWait(campaign, now);
  if (ownUntil === null) return wait ?? { reason: waiting('waiting_for_turn'), until: null };
  if (wait === null || (wait.until !== null && wait.until < ownUntil))
    return { reason: ownReason(recipient), until: ownUntil };
  return { reason: wait.reason, until: wait.until ?? ownUntil };
};

/** Why the last call ended, or why there is no call. */
export const endOf = ({ reason }: Pick<ListedRecipient, 'reason'>): Reason | null =>
  reason === null ? null : ended(reason);
