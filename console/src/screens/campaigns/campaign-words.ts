// A campaign's settings and states in words. Pure.
import type { BatchCampaign } from '@parlance/client';
import type { Tone } from '../../components/status.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { durationText, numberText } from '../../strings/format.js';
import type { PersonState } from './people-search.js';

export type CampaignStatus = BatchCampaign['status'];

export const toneOf: Readonly<Record<CampaignStatus, Tone>> = {
  validating: 'accent',
  scheduled: 'neutral',
  running: 'accent',
  paused: 'attention',
  completed: 'good',
  cancelled: 'neutral',
  failed: 'bad',
};

/** True while the campaign may still change by itself. */
export const isOpen = (status: CampaignStatus): boolean =>
  !['completed', 'cancelled', 'failed'].includes(status);

/** Why a campaign waits or has failed; undefined where there is nothing to explain. */
export const reasonText = (reason: string | null): string | undefined =>
  reason === null ? undefined : (strings.reasons[reason] ?? strings.otherReason(reason));

/** People without an outcome yet. */
export const openPeople = ({ pending, queued, inProgress }: BatchCampaign['progress']): number =>
  pending + queued + inProgress;

const allDays = 7;

const dayText = (days: readonly number[]): string => {
  if (days.length === allDays) return strings.everyDay;
  const sorted = [...days].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const isRun = sorted.length > 2 && last - first === sorted.length - 1;
  const name = (day: number): string => strings.days[day] ?? '';
  return isRun ? `${name(first)} to ${name(last)}` : sorted.map(name).join(', ');
};

export type Window = NonNullable<BatchCampaign['callingWindow']>;

/** True for a window that ends on the day after it began. */
export const isOvernight = (start: string, end: string): boolean => end < start && end !== '00:00';

/** @param timezone of the campaign, where the window goes by its clock */
export const windowText = ({ days, start, end, basis }: Window, timezone: string): string =>
  strings.windowText(
    dayText(days),
    start,
    isOvernight(start, end) ? strings.nextDay(end) : end,
    basis === 'recipient' ? strings.whereRecipient : strings.whereCampaign(timezone),
  );

export const retriesText = ({ maxAttempts, delaySeconds, on }: BatchCampaign['retryPolicy']): string =>
  maxAttempts === 1 || on.length === 0
    ? strings.noRetries
    : strings.retriesText(
        maxAttempts,
        durationText(delaySeconds * 1_000),
        on.map((end) => strings.retryOn[end]).join(', '),
      );

export const paceText = (callsPerSecond: number, maxConcurrency: number | null): string =>
  strings.paceText(
    callsPerSecond,
    numberText(callsPerSecond),
    maxConcurrency === null ? undefined : numberText(maxConcurrency),
  );

const outcomeOrder = [
  'completed',
  'voicemail',
  'noAnswer',
  'busy',
  'failed',
  'cancelled',
  'skipped',
  'inProgress',
  'queued',
  'pending',
] as const;

type OutcomeId = (typeof outcomeOrder)[number];

/** The state of the people that each count is of. */
const stateOf: Readonly<Record<OutcomeId, PersonState>> = {
  completed: 'completed',
  voicemail: 'voicemail',
  noAnswer: 'no_answer',
  busy: 'busy',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  inProgress: 'in_progress',
  queued: 'queued',
  pending: 'pending',
};

export interface OutcomeCount {
  readonly id: OutcomeId;
  readonly state: PersonState;
  readonly name: string;
  readonly people: number;
  /** Of all people of the campaign, from 0 to 1. */
  readonly share: number;
}

/** The outcomes so far, without those of no person. */
export const outcomesOf = (progress: BatchCampaign['progress']): readonly OutcomeCount[] =>
  outcomeOrder
    .map((id) => {
      const state = stateOf[id];
      const share = progress.total === 0 ? 0 : progress[id] / progress.total;
      return { id, state, name: strings.peopleStates[state], people: progress[id], share };
    })
    .filter(({ people }) => people > 0);
