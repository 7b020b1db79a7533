// The world of the dialer with all engines of dialling, a media server whose phones ring, and campaigns that are
// imported already.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VersionedSettings } from '@parlance/contracts';
import { readLedger, startLiveKit } from '@parlance/fake-livekit';
import { testEngines } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { Created } from '../domain/campaign/campaign-state.js';
import { keepSettings } from '../limits/organization-settings.js';
import { sealRecipients } from '../personal-data/sealed-recipients.js';
import { recipientCallId } from '../recipients/recipient-ids.js';
import { campaignStep } from '../repositories/campaign-repository.js';
import { created, report } from './campaign-histories.js';
import { type DialerWorld, startWorld } from './dialer-world.js';

export interface DialingWorld extends DialerWorld {
  /** Rooms that the media server was asked to dial into, oldest first, and in which a phone rang. */
  readonly ledger: () => Promise<{ readonly dials: readonly string[]; readonly rings: readonly string[] }>;
  /** The times at which the media server was asked to dial into these rooms, by the real clock, oldest first. */
  readonly dialTimes: (rooms: readonly string[]) => Promise<readonly Date[]>;
  remove(): Promise<void>;
}

const usual: Omit<VersionedSettings, 'version'> = {
  timezone: 'UTC',
  allowedCountries: ['US'],
  maxConcurrentCalls: 1_000,
  inboundReserve: 0,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  // The rows of these campaigns name the zones that the tests are about.
  namedTimezones: 'replace' as const,
};

/** Takes webhooks and does nothing with them. */
const startHooks = async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) };
};

/** The trunk of another provider than most numbers have. */
export const otherTrunkId = 'ST_other';

export const startDialingWorld = async (): Promise<DialingWorld> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-dialing-'));
  const [apiSecret, trunkId] = [randomBytes(32).toString('base64'), 'ST_test'];
  const engines = await testEngines({ postgres: true, nats: true, eventStore: true });
  const hooks = await startHooks();
  writeFileSync(
    join(directory, 'trunks.json'),
    JSON.stringify([{ sipTrunkId: trunkId }, { sipTrunkId: otherTrunkId }]),
  );
  const livekit = await startLiveKit({
    ...{ dataDir: directory, apiKey: 'key', apiSecret, internalKey: 'internal' },
    ...{ webhookUrl: hooks.url, platformUrl: hooks.url },
    // the simulated runtime stays out: the test plays calls-logs
    agentName: 'somebody-else',
  });
  const { url, wsUrl, ledgerPath } = livekit;
  const world = await startWorld({
    natsUrl: engines.natsUrl,
    eventStoreUrl: engines.eventStoreUrl,
    postgresUrl: (await engines.databaseFor('outbound-dialer')).url,
    livekit: { url, wsUrl, apiKey: 'key', apiSecret, trunkId, ledger: () => readLedger(ledgerPath) },
  });
  return {
    ...world,
    ledger: async () => {
      const [dials, rings]: [string[], string[]] = [[], []];
      for await (const { kind, room } of readLedger(ledgerPath)) (kind === 'dial' ? dials : rings).push(room);
      return { dials, rings };
    },
    dialTimes: async (rooms) => {
      const times: Date[] = [];
      for await (const { kind, room, at } of readLedger(ledgerPath))
        if (kind === 'dial' && rooms.includes(room)) times.push(new Date(at));
      return times;
    },
    remove: async () => {
      await world.stop();
      await livekit.stop();
      await hooks.stop();
      await engines.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

export interface TestCampaign {
  readonly id: string;
  readonly who: ReturnType<typeof ownerOf>;
  readonly agentId: string;
  /** The ids of the outbound calls, in the order of the rows. */
  readonly callIds: readonly string[];
}

/** A campaign with an imported file: it starts at once, and calls these numbers as fast as it may. */
export const importedCampaign = async (
  world: DialerWorld,
  numbers: readonly string[],
  change: {
    readonly campaign?: Partial<Created['data']>;
    readonly settings?: Partial<VersionedSettings>;
    readonly zones?: readonly string[];
    readonly who?: ReturnType<typeof ownerOf>;
  } = {},
): Promise<TestCampaign> => {
  const who = change.who ?? ownerOf();
  const { organizationId } = who;
  const [id, agentId] = [randomUUID(), randomUUID()];
  const agent = { agentId, name: 'Ada', isActive: true, configVersion: 3 };
  world.agents.set(agentId, {
    ...agent,
    allowedOverrides: ['firstMessage'],
    maxDurationSeconds: 600,
    language: 'en',
  });
  await keepSettings(world.db, organizationId, { ...usual, version: 1, ...change.settings }, new Date());
  const now = new Date().toISOString();
  const rows = numbers.map((_, index) => index + 2);
  const callIds = rows.map((row) => recipientCallId(id, row));
  const contents = numbers.map((phoneNumber) => ({ phoneNumber, row: { variables: { name: 'Grace' } } }));
  const sealed = await sealRecipients(world.personalData, { organizationId, campaignId: id }, contents);
  await world.db.query(
    `insert into campaign_recipients (campaign_id, row_number, organization_id, phone_number, time_zones, row, outbound_call_id)
     select $1, r.n, $2, r.phone, $6, r.content::jsonb, r.id
     from unnest($3::int[], $4::uuid[], $5::text[], $7::text[]) as r (n, id, phone, content)`,
    [
      id,
      organizationId,
      rows,
      callIds,
      sealed.map(({ phoneNumber }) => phoneNumber),
      change.zones ?? ['America/New_York'],
      sealed.map(({ row }) => JSON.stringify(row)),
    ],
  );
  const own = { organizationId, agentId, scheduledAt: null, createdAt: now, callsPerSecond: 100 };
  const plain = {
    maxConcurrency: null,
    callingWindow: null,
    ringingTimeoutSeconds: 10,
    timezone: 'UTC',
    budget: null,
  };
  const once = { retryPolicy: { ...created.data.retryPolicy, on: [], maxAttempts: 1 } };
  const data = { ...created.data, ...own, ...plain, ...once, ...change.campaign };
  const create = { type: 'CreateCampaign', created: data, personal: created.personal } as const;
  await world.campaigns(id, create, campaignStep(organizationId, id, 'create', now));
  const counted = { ...report, rows: numbers.length, accepted: numbers.length, rejected: 0, duplicates: 0 };
  const record = { type: 'RecordImport', report: counted, now } as const;
  await world.campaigns(id, record, campaignStep(organizationId, id, 'import', now));
  return { id, who, agentId, callIds };
};

/** Numbers whose last two digits decide their behaviour: from 70 they are busy, below 60 they answer. */
export const numbersEnding = (from: number, to: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const kinds = to - from + 1;
    const last = String(from + (index % kinds)).padStart(2, '0');
    return `+1415555${String(10 + Math.floor(index / kinds)).padStart(2, '0')}${last}`;
  });
