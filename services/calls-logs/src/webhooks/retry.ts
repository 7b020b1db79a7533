// The schedule of tries, and of pauses for an endpoint. Pure: time and chance come from outside.

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Pauses after the first try, the second, and so on; with one try more than there are pauses, it is given up. */
const pauses = [5 * seconds, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours];
const longestRetryAfterMs = 24 * hours;
/** An endpoint that has failed so often in a row is left alone for a while. */
const patience = 5;
const shortestPauseMs = 30 * seconds;
const longestPauseMs = 15 * minutes;
/** An endpoint that has only failed for so long is switched off. */
const hopelessAfterMs = 5 * 24 * hours;

/** Up to a tenth sooner or later, so that messages which failed together do not come back together. */
const jittered = (ms: number, random: number): number => Math.round(ms * (0.9 + 0.2 * random));

export interface Failure {
  readonly now: Date;
  /** Tries of this round, this one included. */
  readonly tries: number;
  /** The pause that the receiver asked for; null without a request. */
  readonly retryAfterMs: number | null;
  /** A random number from 0 to 1. */
  readonly random: number;
}

/** The time of the next try; undefined when it has been tried often enough. */
export const nextTryAt = ({ now, tries, retryAfterMs, random }: Failure): Date | undefined => {
  const pause = pauses[tries - 1];
  if (pause === undefined) return undefined;
  const asked = Math.min(retryAfterMs ?? 0, longestRetryAfterMs);
  return new Date(now.getTime() + Math.max(jittered(pause, random), asked));
};

export interface EndpointRound {
  readonly now: Date;
  readonly failuresBefore: number;
  readonly failingSince: Date | null;
  readonly succeeded: number;
  readonly failed: number;
  /** The longest pause that the receiver asked for. */
  readonly retryAfterMs: number | null;
  readonly random: number;
}

export interface EndpointState {
  readonly failures: number;
  /** Null after a success. */
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
}

/** The state of an endpoint after some tries. One success makes up for everything. */
export const endpointAfter = (round: EndpointRound): EndpointState => {
  const { now, failuresBefore, succeeded, failed, retryAfterMs, random } = round;
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  const asked = retryAfterMs === null ? null : later(Math.min(retryAfterMs, longestRetryAfterMs));
  if (succeeded > 0) return { failures: 0, failingSince: null, pausedUntil: asked };
  if (failed === 0) return { failures: failuresBefore, failingSince: round.failingSince, pausedUntil: asked };
  const failures = failuresBefore + failed;
  const failingSince = round.failingSince ?? now;
  if (failures < patience) return { failures, failingSince, pausedUntil: asked };
  const pause = Math.min(shortestPauseMs * 2 ** Math.min(failures - patience, 10), longestPauseMs);
  const own = later(jittered(pause, random));
  return { failures, failingSince, pausedUntil: asked !== null && asked > own ? asked : own };
};

/** No message has come through for days: the receiver is abandoned. */
export const isHopeless = ({ failingSince }: EndpointState, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= hopelessAfterMs;

/** The pause that a Retry-After header asks for; null when it asks for none. */
export const retryAfterOf = (header: string | undefined, now: Date): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * seconds;
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
};
