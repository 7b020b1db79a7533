// The processor time of a call, and the way that it takes through the platform: the data of the simulation.
import type { Visit } from './simulation.js';

/** Parts of the platform with a queue of their own. */
export const stationNames = [
  'gateway',
  'dialer',
  'calls-logs',
  'projection',
  'postgres',
  'event-store',
  'nats',
] as const;
export type StationName = (typeof stationNames)[number];

export type Costs = Readonly<Record<StationName, number>>;

/**
 * Share of the dialer in the processor time of the services for an attempt; the rest is that of calls-logs. An assumption: all
 * services share one process where they are measured.
 */
const dialerShare = 2 / 3;

/**
 * Time of the slowest read model, the documents of calls, for one event: 2,860 events in 1.7 s while it was rebuilt. It is part of
 * the time of calls-logs, and a station of its own because one replica alone writes a read model.
 */
const projectionMs = 1_700 / 2_860;
/** Events in the stream of a call whose phone was busy. */
const attemptEvents = 8;
/** Events of a call that is handed over. */
const ingestEvents = 4;

interface Measured {
  readonly gateway: number;
  readonly services: number;
  /** Event store, document store, media server and phones: their stand-ins share one process. */
  readonly standIns: number;
  readonly nats: number;
  readonly postgres: number;
}

/** Milliseconds as `npm run bench -- cost` prints them: docs/internal/measurements.md, 2026-11-28. */
const measured = {
  attempt: { gateway: 6, services: 29.9, standIns: 14.8, nats: 3, postgres: 8.3 },
  /** At 25 a second. */
  ingest: { gateway: 2.4, services: 19.3, standIns: 3.3, nats: 2.9, postgres: 7 },
  /** As many as go, when events share transactions. */
  busyIngest: { gateway: 1.1, services: 8.6, standIns: 2.1, nats: 0.8, postgres: 2.1 },
} as const satisfies Record<string, Measured>;

const costsOf = (
  { gateway, services, standIns, nats, postgres }: Measured,
  { ofDialer, events }: { readonly ofDialer: number; readonly events: number },
): Costs => {
  const projection = events * projectionMs;
  return {
    gateway,
    dialer: services * ofDialer,
    'calls-logs': services * (1 - ofDialer) - projection,
    projection,
    postgres,
    'event-store': standIns,
    nats,
  };
};

const ingestShares = { ofDialer: 0, events: ingestEvents };

export const attemptCosts = costsOf(measured.attempt, { ofDialer: dialerShare, events: attemptEvents });
export const ingestCosts = costsOf(measured.ingest, ingestShares);
export const busyIngestCosts = costsOf(measured.busyIngest, ingestShares);

/** The order of docs/architecture.md, "One outbound call": from the claim of the call until all replicas know that it ended. */
const attemptRoute: readonly StationName[] = [
  ...(['dialer', 'postgres', 'event-store', 'dialer', 'postgres'] as const), // leased, started, admitted
  ...(['event-store', 'dialer', 'nats', 'calls-logs', 'event-store', 'projection', 'postgres'] as const), // dialed, call opened
  ...(['gateway', 'nats', 'calls-logs', 'event-store', 'projection', 'postgres'] as const), // webhooks of the room
  ...(['nats', 'dialer', 'event-store', 'postgres'] as const), // settled
];
/** From the hand-over until the call log shows the call. */
const ingestRoute: readonly StationName[] = [
  ...(['gateway', 'nats', 'calls-logs', 'event-store'] as const),
  ...(['projection', 'event-store', 'postgres', 'nats', 'calls-logs'] as const), // projected and announced
];

/** A station's time is spread evenly over its visits. */
const visitsOf = (route: readonly StationName[], costs: Costs): Visit[] =>
  route.map((station) => ({
    station,
    ms: costs[station] / route.filter((name) => name === station).length,
  }));

/** An outbound call: its attempt, and the finished call that the voice runtime hands over. The talk in between takes no time here. */
export const visitsOfCall: readonly Visit[] = [
  ...visitsOf(attemptRoute, attemptCosts),
  ...visitsOf(ingestRoute, ingestCosts),
];

export const sumOfCosts = (...costs: readonly Costs[]): Costs =>
  Object.fromEntries(
    stationNames.map((name) => [name, costs.reduce((sum, one) => sum + one[name], 0)]),
  ) as Costs; // one entry for each name

/** Milliseconds of a core for one call, by station. */
export const callCosts = sumOfCosts(attemptCosts, ingestCosts);
/** The same while hand-overs share transactions. */
export const busyCallCosts = sumOfCosts(attemptCosts, busyIngestCosts);

export const totalOf = (costs: Costs): number => stationNames.reduce((sum, name) => sum + costs[name], 0);
