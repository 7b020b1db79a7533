// Gauges of the dialer's tables for operators: attempts without an end, places, and campaigns, of all organizations
// together.

import {
  attemptsOldest,
  attemptsOpen,
  campaigns,
  campaignsPaused,
  campaignsStalled,
  installationLimit,
  installationUsed as installationUsedGauge,
  observe,
  placesUsed,
  placesWaiting,
} from '@parlance/metrics';
import type { RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CampaignWaits } from '../campaigns/campaign-waits.js';
import { beginRefusals, type InstallationLimitName, limitLabels } from '../ledger/installation-refusals.js';
import { installationUsed } from '../ledger/installation-use.js';
import { knownInstallationLimits } from '../limits/operator-limits.js';
import { longestWaits } from './stalled-campaigns.js';

interface PhaseRow {
  readonly phase: string;
  readonly attempts: number;
  /** The age of the oldest attempt, in seconds. */
  readonly oldest: number;
}

/** Four phases, each by an index of its own. A due attempt waits since the earliest moment of its dial. */
const openAttempts = async (db: Database): Promise<readonly PhaseRow[]> => {
  const { rows } = await db.atOnce.query<PhaseRow>({
    name: 'gauge-open-attempts',
    text: `select phase, count(*)::int as attempts,
             greatest(0, extract(epoch from clock_timestamp() - min(since)))::float8 as oldest
           from (
             select case when phase = 'dialing' and state->>'evidence' = 'inDoubt' then 'in_doubt' else phase end as phase,
               updated_at as since
             from outbound_calls where phase in ('dialing', 'connected')
             union all
             select 'due', not_before from outbound_calls
             where phase = 'queued' and campaign_id is null and not_before <= clock_timestamp()
           ) open group by phase`,
  });
  return rows;
};

const everyPhase = ['due', 'dialing', 'in_doubt', 'connected'] as const;

/** A phase without an attempt reads 0, so that an alert sees it end. */
const perPhase = async (db: Database, of: (row: PhaseRow) => number) => {
  const rows = new Map((await openAttempts(db)).map((row) => [row.phase, row]));
  return everyPhase.map((phase) => {
    const row = rows.get(phase);
    return [row === undefined ? 0 : of(row), { 'parlance.attempt.phase': phase }] as const;
  });
};

const countOf = async (db: Database, name: string, text: string): Promise<number> => {
  const { rows } = await db.atOnce.query<{ count: number }>({ name, text });
  return rows[0]?.count ?? 0;
};

const places = async (db: Database) => {
  const telephone = await countOf(
    db,
    'gauge-places-telephone',
    `select count(*)::int as count from outbound_calls where phase in ('dialing', 'connected')`,
  );
  const browser = await countOf(
    db,
    'gauge-places-browser',
    `select count(*)::int as count from browser_places where given_back_at is null and until > clock_timestamp()`,
  );
  return [
    [telephone, { 'parlance.place.kind': 'telephone' }],
    [browser, { 'parlance.place.kind': 'browser' }],
  ] as const;
};

const waiting = (db: Database): Promise<number> =>
  countOf(
    db,
    'gauge-places-waiting',
    `select coalesce(sum(k.recipients), 0)::float8 as count from campaigns g
     join campaign_counts k on k.campaign_id = g.id and k.state = 'pending' where g.status = 'running'`,
  );

interface CampaignRow {
  readonly status: string;
  readonly reason: string | null;
  readonly count: number;
}

const openCampaigns = async (db: Database): Promise<readonly CampaignRow[]> => {
  const { rows } = await db.atOnce.query<CampaignRow>({
    name: 'gauge-campaigns',
    text: `select status, case when status = 'paused' then state->>'reason' end as reason, count(*)::int as count
           from campaigns where status in ('validating', 'scheduled', 'running', 'paused') group by 1, 2`,
  });
  return rows;
};

const sumOf = (rows: readonly CampaignRow[], is: (row: CampaignRow) => boolean): number =>
  rows.filter(is).reduce((sum, { count }) => sum + count, 0);

const statuses = ['validating', 'scheduled', 'running', 'paused'] as const;
/** The reasons by which the breaker pauses; they read 0 while it pauses nothing. */
const breakerReasons = ['circuit_breaker', 'provider_unavailable'] as const;

const byReason = (rows: readonly CampaignRow[]) => {
  const reasons = new Set<string>([...breakerReasons, ...rows.flatMap(({ reason }) => reason ?? [])]);
  return [...reasons].map(
    (reason) => [sumOf(rows, (row) => row.reason === reason), { 'parlance.pause.reason': reason }] as const,
  );
};

/** A reason for which no campaign waits reads 0, so that an alert ends. */
const stalled = async (db: Database, waits: Pick<CampaignWaits, 'reasonOf'>) => {
  const longest = await longestWaits(db, (id) => waits.reasonOf(id));
  return campaignsStalled.labels['parlance.wait.reason'].map(
    (reason) => [Math.max(0, longest.get(reason) ?? 0), { 'parlance.wait.reason': reason }] as const,
  );
};

const microsPerUnit = 1_000_000;

/** A limit that is not set is left out. */
const perLimit = (values: Readonly<Record<InstallationLimitName, number | null>>) =>
  (Object.keys(limitLabels) as InstallationLimitName[]).flatMap((name) => {
    const value = values[name];
    if (value === null) return [];
    const shown = name === 'dayMicros' || name === 'monthMicros' ? value / microsPerUnit : value;
    return [[shown, { 'parlance.limit': limitLabels[name] }] as const];
  });

/** Reads the tables at each collection of the metrics. */
export const startDialerGauges = (db: Database, waits: Pick<CampaignWaits, 'reasonOf'>): RunningPart => {
  beginRefusals();
  const ends = [
    observe(attemptsOpen, () => perPhase(db, ({ attempts }) => attempts)),
    observe(attemptsOldest, () => perPhase(db, ({ oldest }) => oldest)),
    observe(placesUsed, () => places(db)),
    observe(placesWaiting, async () => [[await waiting(db), {}]]),
    observe(campaigns, async () => {
      const rows = await openCampaigns(db);
      return statuses.map((status) => [
        sumOf(rows, (row) => row.status === status),
        { 'parlance.campaign.status': status },
      ]);
    }),
    observe(campaignsStalled, () => stalled(db, waits)),
    observe(campaignsPaused, async () => byReason(await openCampaigns(db))),
    observe(installationUsedGauge, async () => perLimit(await installationUsed(db.atOnce, new Date()))),
    observe(installationLimit, async () => perLimit((await knownInstallationLimits(db.atOnce)).inForce)),
  ];
  return {
    name: 'gauges of the dialer',
    stop: async () => {
      for (const end of ends) end();
    },
  };
};
