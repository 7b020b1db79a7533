// The estimate of a campaign's minutes, costs and end. It rests on a few assumptions alone. Half of the callees answer,
// and a conversation lasts a minute. A phone rings for twenty seconds, and a minute costs two cents. The estimate
// leaves out further attempts, calling windows and other campaigns.
//
// The assumptions are constants, because no fact that is known beforehand decides the result. The people on the list
// decide whether they answer, and they decide the length of the conversation. The cost of a minute is known only of a
// call that is over. The service calls-logs prices the usage of that call, by model and by provider. A rate taken from
// there would look like a quote. The estimate is an order of magnitude, the same for the same file at every reading.
// The real cost stands beside it (`costMicros` of the campaign).
import type { contract, Result } from '@parlance/contracts';
import type { KnownCampaign } from './campaign-state.js';
import type { RecipientCounts } from './recipient-states.js';

type Estimate = Result<typeof contract.outboundCallsGetBatch>['estimate'];

const answeredShare = 0.5;
const talkSeconds = 60;
const ringSeconds = 20;
const microsPerMinute = 20_000;

/** The average time, in seconds, for which one call keeps a line busy. */
const lineSeconds = ringSeconds + answeredShare * talkSeconds;

/** The time, in epoch milliseconds, from which the remaining recipients can be called. */
const goesOnAt = (state: KnownCampaign, now: Date): number => {
  const waitsFor = state.phase === 'scheduled' ? state.created.scheduledAt : null;
  const until = state.phase === 'paused' ? state.until : waitsFor;
  return until === null ? now.getTime() : Math.max(now.getTime(), Date.parse(until));
};

export interface Speed {
  readonly callsPerSecond: number;
  readonly maxConcurrency: number | null;
}

/**
 * The time until the first calls of so many people are over, in seconds. Without a limit on calls at once only the pace
 * counts.
 */
export const secondsToCall = (people: number, { callsPerSecond, maxConcurrency }: Speed): number => {
  const byPace = people / callsPerSecond;
  const byLines = maxConcurrency === null ? 0 : (people * lineSeconds) / maxConcurrency;
  return Math.max(byPace, byLines) + (people > 0 ? lineSeconds : 0);
};

/** Null for a campaign that has ended. Without a limit of its own on calls at once only the pace counts. */
const finishesAt = (state: KnownCampaign, counts: RecipientCounts, now: Date): string | null => {
  if (state.phase !== 'scheduled' && state.phase !== 'running' && state.phase !== 'paused') return null;
  const { pending, queued, in_progress } = counts.recipients;
  const waiting = pending + queued;
  const seconds = waiting === 0 && in_progress > 0 ? lineSeconds : secondsToCall(waiting, state.created);
  return new Date(goesOnAt(state, now) + seconds * 1_000).toISOString();
};

/** The estimate of the whole campaign; null until its file was read. */
export const estimateOf = (state: KnownCampaign, counts: RecipientCounts, now: Date): Estimate => {
  if (state.file === null || state.phase === 'failed') return null;
  const minutes = Math.round((state.file.accepted * answeredShare * talkSeconds) / 0.6) / 100;
  return {
    minutes,
    costMicros: Math.round(minutes * microsPerMinute),
    finishesAt: finishesAt(state, counts, now),
  };
};
