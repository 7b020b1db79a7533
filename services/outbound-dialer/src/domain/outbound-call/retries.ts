// The ends of an attempt that the platform follows with another attempt. An attempt that was certainly not placed is
// repeated a few times. The ends that the campaign's policy names are repeated as often as it allows.
import { type AnsweredBy, type CallStatus, type EndedReason, outcomeOf } from '@parlance/contracts';
import type { RetryPolicy } from '../campaign/campaign-events.js';
import type { Attempt, Connected, Dialing } from './outbound-call-state.js';

type InProgress = Dialing | Connected;

/** The facts of an attempt's end that decide about a retry. */
export interface End {
  readonly status: CallStatus;
  readonly endedReason: EndedReason | null;
  readonly answeredBy: AnsweredBy | null;
}

/**
 * The most attempts that the platform makes by itself for one order of a person. Under a policy, the most unplaced ones
 * in a row.
 */
const maxAutomaticAttempts = 3;

/**
 * The callee or an operator said no, or another try would be the same again. Or it is not known whether the phone rang.
 */
const finalReasons: ReadonlySet<EndedReason | null> = new Set<EndedReason>([
  'declined',
  'operator_ended',
  'outcome_unknown',
  'invalid_destination',
  'marked_as_spam',
  'consent_declined',
  'suppressed_dnc',
  'country_not_allowed',
]);

/** The provider refused for now, or the attempt never reached the provider. */
const isUnplaced = ({ isAbandoned, endedReason, sipStatus, providerCode }: Attempt): boolean =>
  isAbandoned === true ||
  endedReason === 'provider_unavailable' ||
  sipStatus === 429 ||
  providerCode === '429';

/** Whether an attempt that was certainly not placed may be made again at once. */
export const mayTryAgain = ({ past, pastWhenAsked, retryPolicy }: InProgress): boolean => {
  const since = retryPolicy === undefined ? pastWhenAsked : past.findLastIndex(isPlaced) + 1;
  return past.length - since + 1 < maxAutomaticAttempts;
};

const isPlaced = (attempt: Attempt): boolean => !isUnplaced(attempt);

const cause = (end: End): RetryPolicy['on'][number] | undefined => {
  const outcome = outcomeOf(end);
  return outcome === 'busy' || outcome === 'no_answer' || outcome === 'voicemail' || outcome === 'failed'
    ? outcome
    : undefined;
};

/** The number of attempts by the policy's count: tries in a row that were not placed count as one attempt. */
const attemptsMade = ({ past }: InProgress): number => {
  const unplaced = past.filter((attempt) => isUnplaced(attempt) && attempt.isAbandoned !== true).length;
  return past.filter(isPlaced).length + Math.floor(unplaced / maxAutomaticAttempts) + 1;
};

/**
 * The time of the next attempt by the policy. Null when the policy wants none, there is no policy, or a person took
 * over.
 */
export const retryByPolicy = (state: InProgress, end: End, now: string): string | null => {
  const { retryPolicy: policy, retryIds } = state;
  if (policy === undefined || retryIds.length > 0 || finalReasons.has(end.endedReason)) return null;
  const why = cause(end);
  if (why === undefined || !policy.on.includes(why) || attemptsMade(state) >= policy.maxAttempts) return null;
  return new Date(Date.parse(now) + policy.delaySeconds * 1_000).toISOString();
};
