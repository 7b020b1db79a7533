// The answers to callers while an engine is away: quick ones that ask to come back. Afterwards everything that was ever
// acknowledged is there.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { readLedger } from '@parlance/fake-livekit';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts, withoutLimits } from './testing/accounts.js';
import { type EndFault, type Engine, freeze, keepDown } from './testing/engine-faults.js';
import { generous } from './testing/generous.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';
import { setStandInFault } from './testing/stand-in-faults.js';
import { attempt, type Errand, type Sample, SteadyLoad } from './testing/steady-load.js';

let platform: RunningPlatform;
let account: Account;
let load: SteadyLoad;
let errands: readonly Errand[];
let configPath: string;

/** The pause of each of the seventeen who read. A shorter one takes the processor from the platform that recovers, and shows no more. */
const readPauseMs = 250;

/** The objects that the platform has acknowledged. */
const acknowledged = { agents: new Set<string>(), calls: new Set<string>(), configVersion: 0 };

const dataOf = (data: unknown): { readonly id: string; readonly version: number } =>
  data as { id: string; version: number }; // every answer has them: the contract was checked before

const post = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(`${platform.api}${path}`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { data: unknown }).data; // the envelope
};
const read = async (path: string): Promise<{ readonly status: number; readonly data: unknown }> => {
  const response = await fetch(`${platform.api}${path}`, { headers: account.headers });
  const { data } = (await response.json()) as { data?: unknown }; // the envelope, or an error without data
  return { status: response.status, data };
};

const makeErrands = async (): Promise<Errand[]> => {
  const accounts = new Accounts(platform);
  account = await accounts.create('outage');
  const agentId = await accounts.agent(account);
  configPath = `/agents/${agentId}/config`;
  const { timezone: _, ...defaults } = await accounts.catalogDefaults(account);
  const config = { ...defaults, firstMessage: 'Good morning', systemPrompt: 'Be brief.' };
  await accounts.allowManyCalls(account);
  const fromNumber = await accounts.number(account);
  const quick = { agentId, phoneNumber: '+14155550100', fromNumber };
  const call = dataOf(await post('/outbound-calls/quick', quick));
  const callId = await eventually(async () => {
    const { data } = await read(`/outbound-calls/${call.id}`);
    const { callId } = data as { callId: string | null }; // the contract's OutboundCall
    expect((await read(`/calls/${callId}`)).status).toBe(200);
    return callId;
  });
  const { headers } = account;
  const errand = (
    row: Errand['row'],
    path: string,
    more: Partial<Pick<Errand, 'everyMs' | 'done'>> & { readonly body?: unknown } = {},
  ): Errand => ({
    row,
    everyMs: more.everyMs ?? readPauseMs,
    request: () => ({ path, headers, ...(more.body === undefined ? {} : { body: more.body }) }),
    ...(more.done === undefined ? {} : { done: more.done }),
  });
  const session = { cookie: account.cookie };
  return [
    errand(contract.healthLive, '/health'),
    errand(contract.healthReady, '/ready'),
    errand(contract.agentsList, '/agents'),
    { ...errand(contract.agentsList, '/agents'), request: () => ({ path: '/agents', headers: session }) },
    errand(contract.agentsGetConfig, configPath),
    errand(contract.agentsGetConfig, configPath),
    errand(contract.agentsVoiceCatalog, '/agents/voice/catalog'),
    errand(contract.callsList, '/calls?limit=10'),
    errand(contract.callsList, '/calls?status=completed'),
    errand(contract.callsGet, `/calls/${callId}`),
    errand(contract.callsGet, `/calls/${callId}`),
    errand(contract.callsTranscripts, `/calls/${callId}/transcripts`),
    errand(contract.dashboardSummary, '/dashboard/summary'),
    errand(contract.dashboardSummary, '/dashboard/summary?range=7d'),
    errand(contract.outboundCallsStatus, `/outbound-calls/${call.id}/status`),
    errand(contract.outboundCallsStatus, `/outbound-calls/${call.id}/status`),
    errand(contract.outboundCallsList, '/outbound-calls?limit=10'),
    errand(contract.agentsCreate, '/agents', {
      everyMs: 400,
      body: { name: 'Made in a storm', isActive: true, templateId: null },
      done: (data) => acknowledged.agents.add(dataOf(data).id),
    }),
    errand(contract.agentsSaveConfig, configPath, {
      everyMs: 400,
      body: config,
      done: (data) => {
        acknowledged.configVersion = Math.max(acknowledged.configVersion, dataOf(data).version);
      },
    }),
    errand(contract.outboundCallsQuick, '/outbound-calls/quick', {
      everyMs: 600,
      body: quick,
      done: (data) => acknowledged.calls.add(dataOf(data).id),
    }),
  ];
};

beforeAll(async () => {
  // The delay until an outage is reported is the subject here, so the platform keeps its own patience.
  platform = await runPlatform({ ...generous, ...withoutLimits, RPC_TIMEOUT_MS: '3000' });
  errands = await makeErrands();
  load = new SteadyLoad(platform, errands);
  load.start();
}, 240_000);

afterAll(async () => {
  await load?.stop();
  await platform?.remove();
});

const succeeded = ({ status, broken }: Sample): boolean =>
  broken === undefined && status !== undefined && status < 300;

const allIsWell = (): Promise<void> =>
  eventually(
    async () => {
      const samples = await Promise.all(errands.map((errand) => attempt(platform, errand)));
      expect(samples.filter((sample) => !succeeded(sample))).toEqual([]);
    },
    { timeoutMs: 60_000, intervalMs: 100 },
  );

/** Resolves when every errand that was sent after then has an answer. */
const allAnsweredSince = (since: number): Promise<void> =>
  eventually(
    () => {
      const answered = new Set(
        load.samples.filter(({ sentAt }) => sentAt > since).map(({ errand }) => errand),
      );
      expect(errands.map(({ row }) => row.id).filter((id) => !answered.has(id))).toEqual([]);
    },
    { timeoutMs: 60_000, intervalMs: 50 },
  );

const failedSince = (since: number): readonly Sample[] =>
  load.samples.filter((sample) => sample.sentAt > since && !succeeded(sample));

interface Outage {
  readonly engine: Engine;
  readonly begin: (dataDir: string, engine: Engine) => EndFault | Promise<EndFault>;
  /** The check of GET /ready that must find out. */
  readonly check: string;
  /** Whether the gateway can serve anything without it. */
  readonly ready: 200 | 503;
  readonly served: readonly string[];
  readonly codes: readonly string[];
  /** The longest time of an answer, in milliseconds: several times its duration on an idle machine. */
  readonly withinMs: number;
}

const always = ['health.live'];
const withoutEventStore = [
  ...always,
  'agents.list',
  'agents.getConfig',
  'agents.voiceCatalog',
  'agents.create',
  'agents.saveConfig',
];
/** A request under way at the kill may get a timeout as its answer. `withinMs` bounds answers that hang. */
const codes = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];
const killed = { begin: keepDown, codes, withinMs: 20_000 };
/** The platform cannot tell a silent engine from a slow one before its time is up. */
const silent = {
  begin: freeze,
  codes,
  withinMs: 20_000,
  answers: 1,
};

const loseLeader = async (dataDir: string): Promise<EndFault> => {
  await setStandInFault(dataDir, { engine: 'eventStore', target: 'leader', mode: 'none' });
  return () => setStandInFault(dataDir, undefined);
};

const outages: readonly (readonly [string, Outage])[] = [
  ['nats killed', { ...killed, engine: 'nats', check: 'queue', ready: 503, served: always }],
  ['postgres killed', { ...killed, engine: 'postgres', check: 'readModel', ready: 503, served: always }],
  [
    'event store, documents and media server killed',
    { ...killed, engine: 'stand-ins', check: 'eventStore', ready: 200, served: withoutEventStore },
  ],
  [
    'event store without a leader',
    {
      ...{ engine: 'stand-ins', check: 'eventStore', ready: 200, served: withoutEventStore },
      begin: loseLeader,
      // A request is refused at once, so that no caller is told that it took too long.
      codes: ['SERVICE_UNAVAILABLE'],
      withinMs: 20_000,
    },
  ],
  ['nats silent', { ...silent, engine: 'nats', check: 'queue', ready: 503, served: always }],
  ['postgres silent', { ...silent, engine: 'postgres', check: 'readModel', ready: 503, served: always }],
];

/** Once the engine is back, all callers come at once. A request may take its time then, and be told that it did. */
const afterwards = { codes, withinMs: 20_000, served: [] };

/** The fault of this answer. */
const complaint = (
  sample: Sample,
  outage: Pick<Outage, 'codes' | 'withinMs' | 'served'>,
): string | undefined => {
  const { errand, status, code = '', retryAfter = 0, ms, broken } = sample;
  if (broken !== undefined) return broken;
  if (ms > (errand === 'health.live' ? 10_000 : outage.withinMs)) return 'slow';
  if (succeeded(sample)) return undefined;
  if (outage.served.includes(errand)) return 'not served';
  const expected = errand === 'health.ready' ? ['NOT_READY'] : outage.codes;
  if (!expected.includes(code)) return 'another code';
  return status === 504 || retryAfter >= 1 ? undefined : 'no Retry-After';
};

const complaints = (samples: readonly Sample[], outage: Outage, until: number): string[] =>
  samples.flatMap((sample) => {
    const about = complaint(sample, sample.sentAt < until ? outage : afterwards);
    const { errand, status, code, ms } = sample;
    return about === undefined ? [] : `${errand} ${status} ${code} after ${Math.round(ms)} ms: ${about}`;
  });

const saysDown = ({ check, ready }: Outage): Promise<void> =>
  eventually(
    async () => {
      const response = await fetch(`${platform.api}/ready`);
      expect(response.status).toBe(ready);
      const { data, error } = Object(await response.json());
      const { checks } = ready === 503 ? error.details : data;
      expect(checks[check]).toMatchObject({ status: 'down' });
    },
    { timeoutMs: 60_000 },
  );

describe.each(outages)('%s under load', (_, outage) => {
  it('everything is answered in time, says what is down, and comes back by itself', async () => {
    await allIsWell();
    load.forget();
    const since = performance.now();
    const end = await outage.begin(platform.dataDir, outage.engine);
    try {
      await saysDown(outage);
      await allAnsweredSince(performance.now());
      // The outage is one: requests that need the engine are refused.
      await eventually(() => expect(failedSince(since).length).toBeGreaterThan(10));
    } finally {
      await end();
    }
    const until = performance.now();
    await allIsWell();
    const found = complaints(load.samples, outage, until);
    expect(found.length === 0 ? [] : [...found, ...platform.logged()]).toEqual([]);
  }, 240_000);
});

describe('after all outages', () => {
  it('whatever was acknowledged is there, and no phone rang twice', async () => {
    await load.stop();
    await eventually(
      async () => {
        const { data } = await read('/ready');
        const isWell = Object(data).status === 'ready';
        expect({
          data,
          interrupted: isWell ? [] : platform.logged('projection interrupted').slice(-20),
        }).toMatchObject({ data: { status: 'ready', projectionLagMs: 0 }, interrupted: [] });
      },
      { timeoutMs: 60_000 },
    );
    const { data } = await read('/agents');
    const listed = new Set((data as { id: string }[]).map(({ id }) => id)); // the contract's Agent
    expect([...acknowledged.agents].filter((id) => !listed.has(id))).toEqual([]);
    expect(acknowledged.agents.size).toBeGreaterThan(0);
    const missing: string[] = [];
    for (const id of acknowledged.calls) {
      if ((await read(`/outbound-calls/${id}`)).status !== 200) missing.push(id);
    }
    expect(missing).toEqual([]);
    const { data: config } = await read(configPath);
    expect(dataOf(config).version).toBeGreaterThanOrEqual(acknowledged.configVersion);
    expect(acknowledged.calls.size).toBeGreaterThan(0);
    const rings = new Map<string, number>();
    for await (const { kind, room } of readLedger(join(platform.dataDir, 'ledger.jsonl'))) {
      if (kind === 'ring') rings.set(room, (rings.get(room) ?? 0) + 1);
    }
    expect([...rings].filter(([, count]) => count > 1)).toEqual([]);
  });
});
