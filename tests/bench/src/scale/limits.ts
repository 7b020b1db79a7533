// Settings that limit calls before any part of the platform is busy. Calls in progress are arrivals by duration (Little's law).

export interface Durations {
  readonly ringSeconds: number;
  readonly talkSeconds: number;
}

export interface Limit {
  readonly variable: string;
  readonly standard: number;
  /** Calls per second that the default lets through. */
  readonly perSecond: number;
  /** The value that the load takes. */
  readonly needed: number;
}

interface Setting {
  readonly variable: string;
  readonly standard: number;
  /** Seconds for which a call counts; a setting of calls per second counts each for one second. */
  readonly holds: (durations: Durations) => number;
  readonly isPerDialer?: boolean;
}

const ringing = ({ ringSeconds }: Durations): number => ringSeconds;
const inProgress = ({ ringSeconds, talkSeconds }: Durations): number => ringSeconds + talkSeconds;

/** Defaults of docs/configuration.md. */
const settings: readonly Setting[] = [
  { variable: 'TWILIO_CALLS_PER_SECOND', standard: 1, holds: () => 1 },
  { variable: 'TELNYX_CALLS_PER_SECOND', standard: 10, holds: () => 1 },
  { variable: 'ORGANIZATION_MAX_CONCURRENT_CALLS', standard: 100, holds: inProgress },
  { variable: 'INSTALLATION_MAX_CONCURRENT_CALLS', standard: 1_000, holds: inProgress },
  { variable: 'MAX_CONCURRENT_DIALS', standard: 20, holds: ringing, isPerDialer: true },
  { variable: 'MAX_CONCURRENT_CAMPAIGN_CALLS', standard: 500, holds: ringing, isPerDialer: true },
];

/** @param dialers replicas of the dialer */
export const limitsAt = (perSecond: number, dialers: number, durations: Durations): Limit[] =>
  settings.map(({ variable, standard, holds, isPerDialer = false }) => {
    const replicas = isPerDialer ? dialers : 1;
    return {
      variable,
      standard,
      perSecond: (standard * replicas) / holds(durations),
      needed: Math.ceil((perSecond * holds(durations)) / replicas),
    };
  });
