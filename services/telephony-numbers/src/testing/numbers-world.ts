// For tests: the service as it runs, with a real broker and database. Its providers and its media server remember their
// requests, and the test plays agents-config.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Callable,
  type Caller,
  contract,
  EventEnvelope,
  type EventOf,
  eventSubject,
  events,
  makeEvent,
  type PhoneNumber,
  type RequestOf,
  type Result,
  rolePermissions,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { Ledger, type NumberEntry, readLedger } from '@parlance/fake-kit';
import { createLiveKitFaults, type RunningLiveKit, startLiveKit } from '@parlance/fake-livekit';
import { createTelnyxFaults, type RunningTelnyx, startTelnyx } from '@parlance/fake-telnyx';
import { createTwilioFaults, type RunningTwilio, startTwilio } from '@parlance/fake-twilio';
import {
  callerEnvOf,
  callerVariables,
  natsUrlOf,
  serveOperation,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import type { Clock, RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats, type Outcome, RequestSigner, RpcClient } from '@parlance/rpc';
import { connectTelephony, type NumberProvider } from '@parlance/telephony';
import { Env, start } from '../index.js';
import type { Providers } from '../providers.js';

type Nats = Awaited<ReturnType<typeof connectNats>>;
type Offer = Result<typeof contract.numbersSearch>[number];
type MonthWanted = RequestOf<typeof serviceRequests.spendReserveNumber>['body'];
type NumberChanged = EventOf<typeof events.numberChanged>;
export type ProviderName = 'TWILIO' | 'TELNYX';
export const providerNames: readonly ProviderName[] = ['TWILIO', 'TELNYX'];

/** The wait for an answer; a killed process gives none. */
const patienceMs = 15_000;
const accountSid = `AC${'1'.repeat(32)}`;
const liveKitKey = { apiKey: 'APItest', apiSecret: 'a-secret-of-at-least-thirty-two-bytes' };

export const callerOf = (organizationId: string = randomUUID()): Caller => ({
  organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...rolePermissions.owner],
});

interface StandIns {
  readonly twilio: RunningTwilio;
  readonly telnyx: RunningTelnyx;
  readonly livekit: RunningLiveKit;
}

const startStandIns = async (directory: string, ledger: Ledger, faults: NumbersWorld['faults']) => {
  const [twilio, telnyx, livekit] = await Promise.all([
    startTwilio({
      dataDir: join(directory, 'twilio'),
      credentials: { accountSid, authToken: 'token' },
      ledger,
      faults: faults.TWILIO,
    }),
    startTelnyx({
      dataDir: join(directory, 'telnyx'),
      credentials: { apiKey: 'KEY' },
      ledger,
      faults: faults.TELNYX,
      fulfilmentMs: 300,
    }),
    startLiveKit({
      dataDir: join(directory, 'livekit'),
      ...liveKitKey,
      webhookUrl: 'http://127.0.0.1:9/hooks/livekit',
      platformUrl: 'http://127.0.0.1:9',
      internalKey: 'internal',
      agentName: 'parlance-voice',
      faults: faults.livekit,
    }),
  ]);
  return { twilio, telnyx, livekit };
};

export class NumbersWorld {
  readonly faults: {
    readonly TWILIO: ReturnType<typeof createTwilioFaults>;
    readonly TELNYX: ReturnType<typeof createTelnyxFaults>;
    readonly livekit: ReturnType<typeof createLiveKitFaults>;
  };
  /** Names of agents that agents-config knows, by id. */
  readonly agents = new Map<string, string>();
  /** The dialer's answer about a campaign that calls from a number; null is silence. None unless a test sets one. */
  campaignFrom: ((phoneNumber: string) => Promise<string | null>) | null = async () => null;
  /** The dialer's answer when a month is to be put aside; undefined is silence. Yes, unless a test says otherwise. */
  reserveMonth: (wanted: MonthWanted) => Outcome | undefined = () => ({ data: {} });
  /** Numbers for which the dialer put a month aside. */
  readonly reserved = new Set<string>();
  /** Announcements about numbers, oldest first. */
  readonly told: NumberChanged[] = [];
  /** The provider accounts, as the service has them. */
  readonly providers: Providers;
  readonly db: Database;
  readonly nats: Nats;
  readonly variables: Readonly<Record<string, string>>;
  readonly livekit: RunningLiveKit;
  readonly #rpc: RpcClient;
  readonly #directory: string;
  readonly #ledger: Ledger;
  readonly #engines: TestEngines;
  readonly #standIns: StandIns;

  private constructor(
    given: {
      directory: string;
      ledger: Ledger;
      engines: TestEngines;
      standIns: StandIns;
      faults: NumbersWorld['faults'];
    },
    connected: { db: Database; nats: Nats; postgresUrl: string },
  ) {
    const { standIns, engines } = given;
    this.#directory = given.directory;
    this.#ledger = given.ledger;
    this.#engines = engines;
    this.#standIns = standIns;
    this.faults = given.faults;
    this.livekit = standIns.livekit;
    this.db = connected.db;
    this.nats = connected.nats;
    this.#rpc = new RpcClient(connected.nats, {
      signer: new RequestSigner('gateway', callerEnvOf('gateway')),
    });
    this.variables = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrlOf(engines.natsUrl, 'telephony-numbers'),
      ...callerVariables('telephony-numbers'),
      POSTGRES_URL: connected.postgresUrl,
      LIVEKIT_URL: standIns.livekit.url,
      LIVEKIT_WS_URL: standIns.livekit.url.replace('http', 'ws'),
      LIVEKIT_API_KEY: liveKitKey.apiKey,
      LIVEKIT_API_SECRET: liveKitKey.apiSecret,
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_API_URL: standIns.twilio.url,
      TELNYX_API_KEY: 'KEY',
      TELNYX_API_URL: standIns.telnyx.url,
      QUOTE_KEY: randomBytes(32).toString('base64'),
      CURSOR_KEY: randomBytes(32).toString('base64'),
      SIP_INBOUND_HOST: 'sip.example.com',
      SIP_INBOUND_ADDRESSES: '127.0.0.1',
      PROVIDER_TIMEOUT_MS: '2500',
      PURCHASE_DOUBT_SECONDS: '1',
      // A grace that can be seen has the test that is about it.
      DIAL_GRACE_MS: '50',
    };
    const accounts = connectTelephony({ ...Env.parse(this.variables), PROVIDER_TIMEOUT_MS: 10_000 });
    this.providers = new Map(accounts.map((account) => [account.provider, account]));
  }

  static async start(): Promise<NumbersWorld> {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-numbers-'));
    const ledger = await Ledger.open(join(directory, 'ledger.jsonl'));
    const faults = {
      TWILIO: createTwilioFaults(),
      TELNYX: createTelnyxFaults(),
      livekit: createLiveKitFaults(),
    };
    const [engines, standIns] = await Promise.all([
      testEngines({ postgres: true, nats: true }),
      startStandIns(directory, ledger, faults),
    ]);
    const { url } = await engines.databaseFor('telephony-numbers');
    const db = createDatabase({ url, applicationName: 'test', max: 2 });
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const world = new NumbersWorld(
      { directory, ledger, engines, standIns, faults },
      { db, nats, postgresUrl: url.reveal() },
    );
    await world.#playNeighbours();
    // SDKs take seconds to load on a busy machine, which no test is about.
    await Promise.all([...world.providers.values()].map((account) => account.ping()));
    return world;
  }

  /** A copy of the service in this process. */
  startService(more: Readonly<Record<string, string>> = {}, clock?: Clock): Promise<RunningService> {
    return start(Env.parse({ ...this.variables, ...more }), clock === undefined ? {} : { clock });
  }

  /** @throws AppError the refusal of the service */
  async ask<T extends Callable>(
    row: T,
    request: RequestOf<T>,
    who: Caller,
    commandId?: string,
  ): Promise<Result<T>> {
    const context = { caller: who, requestId: randomUUID(), deadline: Date.now() + patienceMs };
    const command = commandId === undefined ? {} : { commandId };
    return (await this.#rpc.call(row, request, { ...context, ...command })).data;
  }

  search(provider: ProviderName, who: Caller, query: object = {}): Promise<Offer[]> {
    const wanted = { provider, country: 'US', ...query };
    return this.ask(contract.numbersSearch, { query: wanted }, who);
  }

  buy(provider: ProviderName, offer: Offer, who: Caller, commandId?: string): Promise<PhoneNumber> {
    const { phoneNumber, quoteId } = offer;
    return this.ask(contract.numbersBuy, { body: { provider, phoneNumber, quoteId } }, who, commandId);
  }

  list(who: Caller): Promise<PhoneNumber[]> {
    return this.ask(contract.numbersList, { query: {} }, who);
  }

  release(id: string, who: Caller): Promise<unknown> {
    return this.ask(contract.numbersRelease, { params: { phId: id } }, who);
  }

  /** agents-config tells of an agent. */
  async tellAgent(
    kind: 'agentUpdated' | 'agentDeleted',
    organizationId: string,
    agentId: string,
    name = 'x',
  ) {
    const about = { id: randomUUID(), occurredAt: new Date().toISOString(), organizationId };
    const event =
      kind === 'agentDeleted'
        ? makeEvent(events.agentDeleted, { ...about, data: { agentId, name } })
        : makeEvent(events.agentUpdated, { ...about, data: { agentId, name, isActive: true } });
    await this.nats
      .jetstream()
      .publish(eventSubject(events[kind]), JSON.stringify(event), { msgID: event.id });
  }

  /** A person calls the number; 201 when it is routed, 422 when no agent answers it. */
  async callTo(phoneNumber: string, address = '127.0.0.1'): Promise<number> {
    const { status } = await fetch(`${this.livekit.url}/sandbox/inbound-calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${liveKitKey.apiSecret}` },
      body: JSON.stringify({ from: '+12125550123', to: phoneNumber, address }),
    });
    return status;
  }

  account(provider: ProviderName): NumberProvider {
    const account = this.providers.get(provider);
    if (account === undefined) throw new Error(`no account at ${provider}`);
    return account;
  }

  /** The providers' ledger, oldest first. */
  async ledger(): Promise<NumberEntry[]> {
    const entries: NumberEntry[] = [];
    for await (const entry of readLedger(this.#ledger.path)) if ('provider' in entry) entries.push(entry);
    return entries;
  }

  /** The number of purchases since the last release. */
  async timesBought(phoneNumber: string): Promise<number> {
    const entries = (await this.ledger()).filter((entry) => entry.phoneNumber === phoneNumber);
    const sinceRelease = entries.slice(entries.findLastIndex(({ kind }) => kind === 'release') + 1);
    return sinceRelease.filter(({ kind }) => kind === 'purchase').length;
  }

  async stop(): Promise<void> {
    await this.db.end();
    await this.nats.close();
    const { twilio, telnyx, livekit } = this.#standIns;
    await Promise.all([twilio.stop(), telnyx.stop(), livekit.stop()]);
    await this.#ledger.close();
    await this.#engines.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #playNeighbours(): Promise<void> {
    await serveOperation(this.nats, serviceRequests.agentsForCall, ({ input }) => {
      const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
      const name = this.agents.get(agentId);
      if (name === undefined) return { error: new AppError('AGENT_NOT_FOUND').toWire() };
      return {
        data: {
          agentId,
          name,
          isActive: true,
          configVersion: 1,
          allowedOverrides: [],
          maxDurationSeconds: 3_600,
        },
      };
    });
    await serveOperation(this.nats, serviceRequests.outboundCallsCampaignFrom, async ({ input }) => {
      const { phoneNumber } = serviceRequests.outboundCallsCampaignFrom.body.parse(input.body);
      return this.campaignFrom === null
        ? undefined
        : { data: { campaignId: await this.campaignFrom(phoneNumber) } };
    });
    await serveOperation(this.nats, serviceRequests.spendReserveNumber, ({ input }) => {
      const wanted = serviceRequests.spendReserveNumber.body.parse(input.body);
      const outcome = this.reserveMonth(wanted);
      if (outcome !== undefined && 'data' in outcome) this.reserved.add(wanted.numberId);
      return outcome;
    });
    this.nats.subscribe(eventSubject(events.numberChanged), {
      callback: (_, message) => {
        const { data, ...envelope } = EventEnvelope.parse(message.json());
        this.told.push({
          ...envelope,
          name: events.numberChanged.name,
          data: events.numberChanged.data.parse(data),
        });
      },
    });
  }
}
