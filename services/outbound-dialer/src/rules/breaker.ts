// Judges whether a campaign's calls go wrong for technical reasons, so that the campaign stops before such failures use
// up every recipient.
import type { CallStatus, EndedReason } from '@parlance/contracts';
import type { PauseReason } from '../domain/campaign/campaign-events.js';

export interface BreakerPolicy {
  readonly enabled: boolean;
  /** Share of the calls that ended within the window, from 0 to 1. */
  readonly failureThreshold: number;
  readonly windowSeconds: number;
  readonly minCalls: number;
}

/** The end of one attempt of the campaign. */
export interface SeenEnd {
  readonly at: string;
  readonly status: CallStatus;
  readonly reason: EndedReason | null;
}

export interface Watched {
  readonly policy: BreakerPolicy;
  /** Newest first, none from before the campaign was last started or resumed. */
  readonly ends: readonly SeenEnd[];
  /** The reason of the last pause, while one call at a time tests whether the reason is over; null otherwise. */
  readonly probing: PauseReason | null;
  readonly now: Date;
}

export type Judgement =
  | { readonly kind: 'healthy' }
  /** Nothing is known yet: one call at a time. */
  | { readonly kind: 'probing' }
  | { readonly kind: 'broken'; readonly reason: PauseReason; readonly until: Date };

/** The number of attempts in a row that could not be placed at all. */
const unavailableInARow = 5;
const unavailablePauseSeconds = 60;

const isUnavailable = ({ reason }: SeenEnd): boolean => reason === 'provider_unavailable';
const isFailure = ({ status, reason }: SeenEnd): boolean =>
  status === 'failed' && reason !== 'invalid_destination';

const broken = (reason: PauseReason, { policy, now }: Watched): Judgement => {
  const seconds = reason === 'provider_unavailable' ? unavailablePauseSeconds : policy.windowSeconds;
  return { kind: 'broken', reason, until: new Date(now.getTime() + seconds * 1_000) };
};

const isTripped = ({ policy, ends, now }: Watched): boolean => {
  const from = now.getTime() - policy.windowSeconds * 1_000;
  const counted = ends.filter(({ at }) => Date.parse(at) >= from);
  const failures = counted.filter(isFailure).length;
  if (!policy.enabled || failures === 0 || counted.length < policy.minCalls) return false;
  return failures / counted.length >= policy.failureThreshold;
};

export const judge = (watched: Watched): Judgement => {
  const { ends, probing } = watched;
  const lastOnes = ends.slice(0, unavailableInARow);
  if (lastOnes.length === unavailableInARow && lastOnes.every(isUnavailable))
    return broken('provider_unavailable', watched);
  if (probing !== null && !ends.some((end) => !isFailure(end)))
    return ends.length > 0 ? broken(probing, watched) : { kind: 'probing' };
  return isTripped(watched) ? broken('circuit_breaker', watched) : { kind: 'healthy' };
};
