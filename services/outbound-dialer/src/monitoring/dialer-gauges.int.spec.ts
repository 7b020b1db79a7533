// The gauges of the dialer's tables, in a real Postgres, and the alerts that the rules raise from them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diagnose, thisMachine } from '@parlance/doctor';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { holdsIn } from '@parlance/fixtures/alerts';
import { campaignsPaused, projectionLag } from '@parlance/metrics';
import { createLogger, type RunningPart } from '@parlance/observability';
import { type Ops, openOps } from '@parlance/ops-listener';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { CampaignWaits } from '../campaigns/campaign-waits.js';
import { PauseReason } from '../domain/campaign/campaign-events.js';
import { reserve } from '../ledger/ledger.js';
import { reserving } from '../ledger/operator-spend.js';
import { limitsInForce, setInstallationLimits } from '../limits/operator-limits.js';
import { campaignsReadModel } from '../read-models/campaign-projection.js';
import { outboundCallsReadModel } from '../read-models/outbound-call-projection.js';
import { utcDayOf } from '../rules/calendar.js';
import { startDialerGauges } from './dialer-gauges.js';
import { checks } from './doctor-checks.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let engines: TestEngines;
let ops: Ops;
let db: Database;
let postgresUrl: string;
let gauges: RunningPart;
const waits = new CampaignWaits({ now: () => new Date() });

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  ops = await openOps({ service: 'outbound-dialer', env: { OPS_PORT: 0 }, logger });
  const { url } = await engines.databaseFor('outbound-dialer');
  postgresUrl = url.reveal();
  db = createDatabase({ url, applicationName: 'outbound-dialer', max: 4 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  gauges = startDialerGauges(db, waits);
});
afterAll(async () => {
  await gauges?.stop();
  await db?.end();
  await ops?.stop();
  await engines?.stop();
});

const scrape = async (): Promise<string> => (await fetch(`${ops.url}/metrics`)).text();

const read = async (series: string): Promise<number> => {
  const line = (await scrape()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
};

const phase = (name: string) => `{parlance_attempt_phase="${name}"}`;

const place = (row: { readonly phase: string; readonly evidence?: string; readonly minutes: number }) =>
  db.query(
    `insert into outbound_calls (id, organization_id, agent_id, mode, status, phase, not_before, hang_up,
       created_at, updated_at, revision, state)
     values ($1, $2, $3, 'quick', 'queued', $4, now() - make_interval(mins => $5), false, now(),
       now() - make_interval(mins => $5), 0, $6)`,
    [
      ...[randomUUID(), randomUUID(), randomUUID(), row.phase, row.minutes],
      JSON.stringify({ phase: row.phase, evidence: row.evidence ?? 'none', placed: {} }),
    ],
  );

describe('the gauges of the dialer', () => {
  it('read 0 while nothing is under way, so that an alert ends', async () => {
    for (const name of ['due', 'dialing', 'in_doubt', 'connected'])
      expect(await read(`parlance_attempts_open${phase(name)}`)).toBe(0);
    expect(await read('parlance_campaigns_paused{parlance_pause_reason="circuit_breaker"}')).toBe(0);
    const text = await scrape();
    for (const alert of ['ParlanceAttemptsInDoubt', 'ParlanceCallsWait', 'ParlanceBreakerOpen'])
      expect(holdsIn(alert, text)).toBe(false);
  });

  it('have a label for every reason to pause, and for every read model', () => {
    expect(campaignsPaused.labels['parlance.pause.reason']).toEqual(PauseReason.options);
    for (const { id } of [campaignsReadModel, outboundCallsReadModel])
      expect(projectionLag.labels['parlance.projection']).toContain(id);
  });

  it('tell an attempt in doubt from one that is dialled, and how old the oldest is', async () => {
    await place({ phase: 'dialing', evidence: 'inDoubt', minutes: 4 });
    await place({ phase: 'dialing', minutes: 9 });
    expect(holdsIn('ParlanceAttemptsInDoubt', await scrape())).toBe(false);
    await db.query(`update outbound_calls set updated_at = updated_at - interval '2 minutes'
      where state->>'evidence' = 'inDoubt'`);
    await place({ phase: 'connected', minutes: 2 });
    await place({ phase: 'queued', minutes: 3 });
    expect(await read(`parlance_attempts_open${phase('in_doubt')}`)).toBe(1);
    expect(await read(`parlance_attempts_open${phase('dialing')}`)).toBe(1);
    expect(await read(`parlance_attempts_oldest_seconds${phase('in_doubt')}`)).toBeGreaterThanOrEqual(360);
    expect(await read(`parlance_attempts_oldest_seconds${phase('due')}`)).toBeGreaterThanOrEqual(180);
    expect(holdsIn('ParlanceAttemptsInDoubt', await scrape())).toBe(true);
    expect(holdsIn('ParlanceCallsWait', await scrape())).toBe(true);
    expect(await read('parlance_places_used{parlance_place_kind="telephone"}')).toBe(3);
  });

  it('tell why the platform has paused campaigns, and whom running ones keep waiting', async () => {
    const campaign = async (status: string, state: object): Promise<string> => {
      const id = randomUUID();
      await db.query(
        `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
         values ($1, $2, $3, $4, now(), now(), 0, $5)`,
        [id, randomUUID(), randomUUID(), status, JSON.stringify(state)],
      );
      return id;
    };
    await campaign('paused', { phase: 'paused', reason: 'circuit_breaker' });
    const running = await campaign('running', { phase: 'running' });
    await db.query(
      `insert into campaign_counts (campaign_id, state, recipients, attempts, cost_micros) values ($1, 'pending', 7, 0, 0)`,
      [running],
    );
    expect(await read('parlance_campaigns_paused{parlance_pause_reason="circuit_breaker"}')).toBe(1);
    expect(holdsIn('ParlanceBreakerOpen', await scrape())).toBe(true);
    expect(await read('parlance_campaigns{parlance_campaign_status="running"}')).toBe(1);
    expect(await read('parlance_places_waiting')).toBe(7);
  });
});

describe('the limits of the installation', () => {
  const now = new Date();
  const used = (micros: number) =>
    db.query(
      `insert into operator_spend (organization_id, stripe, period, key, spent) values ('*', 3, 'day', $1, $2)
       on conflict (organization_id, stripe, period, key) do update set spent = excluded.spent`,
      [utcDayOf(now), micros],
    );
  const ofLimit = (name: string, limit: string) => `parlance_installation_${name}{parlance_limit="${limit}"}`;
  const findings = async (variables: Readonly<Record<string, string>> = {}) => {
    const places = [{ process: 'outbound-dialer', variables: { POSTGRES_URL: postgresUrl, ...variables } }];
    const machine = { ...thisMachine, now: () => now.getTime() };
    const own = checks.filter(({ name }) => name === 'installation-limits');
    const { findings: found } = await diagnose({ places, checks: own, machine });
    return found.map(({ code, subject, seen }) => [code, subject, seen]);
  };
  /** As a purchase of a number asks for it. */
  const ask = async (micros: number) => {
    const organizationId = randomUUID();
    const { installation } = await limitsInForce(db, organizationId);
    const most = {
      dayMicros: null,
      monthMicros: null,
      campaignMicros: null,
      quickMicros: null,
      installation,
    };
    const days = { day: utcDayOf(now), utcDay: utcDayOf(now) };
    const kind = { kind: 'number', campaignId: null, isQuick: false, currency: 'USD' } as const;
    const wanted = { subject: `number:${randomUUID()}`, micros };
    return reserving(db, (tx, shares) =>
      reserve(tx, { organizationId, ...kind, ...days, most }, wanted, now, shares),
    );
  };

  it('are shown with their use, one that is not set is not shown, and refusals are counted', async () => {
    await setInstallationLimits(db, { dayMicros: 10_000_000, monthMicros: null, concurrentCalls: 7 }, now);
    await used(7_900_000);
    expect(await read(ofLimit('used', 'money_day'))).toBe(7.9);
    expect(await read(ofLimit('limit', 'money_day'))).toBe(10);
    expect(await read(ofLimit('used', 'numbers'))).toBe(0);
    expect(await read(ofLimit('limit', 'calls'))).toBe(7);
    expect(await scrape()).not.toContain(ofLimit('limit', 'money_month'));
    expect(await ask(2_000_000)).toEqual(expect.objectContaining({ granted: true }));
    expect(await ask(200_000)).toEqual(expect.objectContaining({ granted: false, scope: 'installation' }));
    expect(await read(ofLimit('used', 'money_day'))).toBe(9.9);
    expect(await read(ofLimit('refusals_total', 'money_day'))).toBe(1);
  });

  it('are found by the doctor when 80 % is used, when nothing is left, and when no money is limited', async () => {
    const of = (code: string, percent: number) => [
      [code, 'the money of today (UTC)', `${percent} % of it is used, with reservations.`],
    ];
    await db.query('delete from operator_spend');
    await used(7_999_999);
    expect(await findings()).toEqual([]);
    await used(8_000_000);
    expect(await findings()).toEqual(of('INSTALLATION_LIMIT_NEAR', 80));
    await used(10_000_000);
    expect(await findings()).toEqual(of('INSTALLATION_LIMIT_REACHED', 100));
    await setInstallationLimits(db, { dayMicros: null }, now);
    expect(await findings()).toEqual([
      ['INSTALLATION_UNLIMITED', 'the installation', expect.stringContaining('neither')],
    ]);
    expect(await findings({ NODE_ENV: 'development' })).toEqual([]);
  });
});

describe('while background work has all turns at the database', () => {
  it('the gauges are read, and the work that waits for a turn is told apart from the pool', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // Four connections give two turns.
    const works = [1, 2, 3].map(() => db.transaction(() => ended));
    const pool = '{db_client_connection_pool_name="outbound-dialer"}';
    try {
      await expect(read(`parlance_db_background_waiting${pool}`)).resolves.toBe(1);
      await expect(read(`db_client_connection_pending_requests${pool}`)).resolves.toBe(0);
      await expect(read('parlance_campaigns{parlance_campaign_status="scheduled"}')).resolves.toBe(0);
    } finally {
      end();
      await Promise.all(works);
    }
  });
});
