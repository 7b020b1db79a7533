// npm run bench -- calls: the call log and the dashboard over a million calls, and the pace of taking over finished calls.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { tell, timed } from '../harness/report.js';
import { createAgents } from './agents.js';
import { seedDocuments } from './documents.js';
import { measureIngest } from './ingest.js';
import {
  type Filter,
  measureDashboard,
  measureNothing,
  measurePages,
  pageNumber,
  pageSize,
} from './reads.js';
import { measureRebuild } from './rebuild.js';
import { type Seeded, seedCalls, sizesOf } from './seed.js';
import { showIngest, showReads, showRebuild } from './show.js';

export interface CallsBenchOptions {
  /** Calls of the large organization (1,000,000). */
  readonly calls?: number;
  /** Read models are made anew from about so many (100,000). */
  readonly events?: number;
  /** Each request is timed this often (300). */
  readonly times?: number;
  /** The length of each measurement of ingest (30). */
  readonly seconds?: number;
  /** Calls offered per second in the first of them (300). */
  readonly perSecond?: number;
}

interface Account {
  readonly apiKey: string;
  readonly organizationId: string;
}

const agents = 50;
const days = 90;

const signUp = async ({ url, api }: MeasuredPlatform): Promise<Account> => {
  const headers = { 'content-type': 'application/json', origin: url };
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${api}${path}`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) });
  const email = `${randomUUID()}@example.com`;
  const signedUp = await post('/auth/sign-up/email', { name: 'Small', email, password: randomUUID() });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const made = await post('/auth/api-key/create', { name: 'bench', permissions: ['*'] }, cookie);
  const { key }: { key: string } = JSON.parse(await made.text());
  const session = await fetch(`${api}/auth/get-session`, { headers: { cookie } });
  const { session: own }: { session: { activeOrganizationId: string } } = JSON.parse(await session.text());
  return { apiKey: key, organizationId: own.activeOrganizationId };
};

const filtersOf = ({ agentIds }: Seeded): Filter[] => {
  const ago = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const [from, to, agentId] = [ago(60), ago(30), agentIds[1]];
  return [
    { name: 'no filter', query: '', condition: 'true' },
    { name: 'agentId', query: `agentId=${agentId}`, condition: `agent_id = '${agentId}'` },
    { name: 'status=completed', query: 'status=completed', condition: "status = 'completed'" },
    { name: 'status=failed', query: 'status=failed', condition: "status = 'failed'" },
    { name: 'direction', query: 'direction=inbound', condition: "direction = 'inbound'" },
    { name: 'from and to', query: `from=${from}&to=${to}`, condition: `started_at <= '${to}'` },
    {
      name: 'status and direction',
      query: 'status=completed&direction=inbound',
      condition: "status = 'completed' and direction = 'inbound'",
    },
  ];
};

const chooseTimezone = async (url: string, organizationId: string, timezone: string): Promise<void> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(
    `insert into organization_settings values ($1, 1, $2)
     on conflict (organization_id) do update set timezone = excluded.timezone`,
    [organizationId, timezone],
  );
  await db.end();
};

const reads = async (platform: MeasuredPlatform, calls: number, times: number): Promise<void> => {
  const { api, apiKey, organizationId } = platform;
  const postgres = platform.databaseUrlOf('calls_logs');
  const small = await signUp(platform);
  const tenth = Math.round(calls / 10);
  const seed = (organization: string, count: number): Promise<Seeded> =>
    timed(`${count.toLocaleString('en')} calls of ${agents} agents over ${days} days seeded`, () =>
      seedCalls(postgres, { organizationId: organization, calls: count, agents, days }),
    );
  await seed(small.organizationId, tenth);
  const large = await seed(organizationId, calls);
  for (const [table, rows, mebibytes] of await sizesOf(postgres))
    console.log(`  ${table}: ${rows.toLocaleString('en')} rows, ${mebibytes} MiB`);
  const label = (count: number, zone: string): string => `${count.toLocaleString('en')} calls, ${zone}`;
  tell(`${times} requests for each range of the dashboard, in two organizations and two timezones`);
  const dashboards = [
    await measureNothing(api, times),
    ...(await measureDashboard(api, small.apiKey, label(tenth, 'UTC'), times)),
    ...(await measureDashboard(api, apiKey, label(calls, 'UTC'), times)),
  ];
  await chooseTimezone(postgres, organizationId, 'Asia/Kathmandu');
  dashboards.push(...(await measureDashboard(api, apiKey, label(calls, 'Asia/Kathmandu'), times)));
  showReads(dashboards, { p99: 30 });
  const urls = { postgres, mongo: `mongodb://127.0.0.1:${platform.ports.mongodb}` };
  const each = (pageNumber + 1) * pageSize;
  const filters = filtersOf(large);
  await timed('documents of the calls on the way to page 1,000', () =>
    seedDocuments(
      urls,
      organizationId,
      filters.map(({ condition }) => condition),
      each,
    ),
  );
  tell(`${times} requests for page 1 and page 1,000 with each filter`);
  showReads(await measurePages(api, apiKey, filters, times), { p99: 20, ratio: 1.5 });
};

const ingest = async (
  platform: MeasuredPlatform,
  agentIds: readonly string[],
  { seconds = 30, perSecond = 300 }: CallsBenchOptions,
): Promise<void> => {
  const { api, apiKey, internalKey, organizationId, pids } = platform;
  const common = { api, apiKey, internalKey, organizationId, agentIds, seconds, pids };
  tell(`finished calls handed over: ${perSecond}/s for ${seconds} s, then as many as go`);
  const rows = [await measureIngest({ ...common, perSecond, connections: 64 })];
  rows.push(await measureIngest({ ...common, perSecond: undefined, connections: 16 }));
  showIngest(rows);
};

/** The events of a call that is handed over when it has ended, with a transcript of one part. */
const eventsPerCall = 4;

/** Starts a platform of its own on fresh data, measures and prints. */
export const benchCalls = async (options: CallsBenchOptions = {}): Promise<void> => {
  const { calls = 1_000_000, events = 100_000, times = 300 } = options;
  const platform = await timed('started on fresh data, twice', () => startMeasuredPlatform());
  try {
    const agentIds = await createAgents(platform.api, platform.apiKey, 8);
    const { api, apiKey, internalKey, organizationId } = platform;
    const handOver = { api, apiKey, internalKey, organizationId, agentIds };
    await measureIngest({ ...handOver, seconds: 2, perSecond: 20, connections: 2 });
    // Before anything is seeded that no event tells of.
    showRebuild(await measureRebuild(platform, handOver, events / eventsPerCall));
    await reads(platform, calls, times);
    await ingest(platform, agentIds, options);
  } finally {
    await platform.stop();
  }
};
