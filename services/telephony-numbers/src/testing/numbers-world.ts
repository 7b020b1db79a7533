// For tests: the service as it runs, with a real broker and database. Its providers and its media server remember their
// requests, and the test plays agents-config.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Caller,
  contract,
  EventEnvelope,
  type EventOf,
  eventSubject,
  events,
  type NumberPurchaseFacts,
  type PhoneNumber,
  type RequestOf,
  type Result,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { Ledger, type NumberEntry, readLedger } from '@parlance/fake-kit';
import { createLiveKitFaults, type RunningLiveKit, startLiveKit } from '@parlance/fake-livekit';
import { createTelnyxFaults, type RunningTelnyx, startTelnyx } from '@parlance/fake-telnyx';
import { createTwilioFaults, type RunningTwilio, startTwilio } from '@parlance/fake-twilio';
import { serveOperation } from '@parlance/fixtures';
import { ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';
import type { Clock, RunningService } from '@parlance/observability';
import type { Outcome } from '@parlance/rpc';
import { connectTelephony, type NumberProvider } from '@parlance/telephony';
import { Env, start } from '../index.js';
import type { Providers } from '../providers.js';

type Offer = Result<typeof contract.numbersSearch>[number];
type MonthWanted = RequestOf<typeof serviceRequests.spendReserveNumber>['body'];
type NumberChanged = EventOf<typeof events.numberChanged>;
export type ProviderName = 'TWILIO' | 'TELNYX';
export const providerNames: readonly ProviderName[] = ['TWILIO', 'TELNYX'];

const accountSid = `AC${'1'.repeat(32)}`;
const liveKitKey = { apiKey: 'APItest', apiSecret: 'a-secret-of-at-least-thirty-two-bytes' };

const silence: Outcome = { error: new AppError('SERVICE_UNAVAILABLE').toWire() };

const refusalOf = (error: ReturnType<AppError['toWire']>): NumberPurchaseFacts['refusal'] =>
  error.code === 'SPEND_LIMIT_REACHED'
    ? { code: error.code, details: error.details as Record<string, never> }
    : { code: 'SERVICE_UNAVAILABLE' };

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

interface Providing {
  /** The data folder of the stand-ins. */
  readonly directory: string;
  readonly ledger: Ledger;
  readonly standIns: StandIns;
  readonly faults: NumbersWorld['faults'];
}

export class NumbersWorld extends ServiceWorld {
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
  readonly variables: Readonly<Record<string, string>>;
  readonly livekit: RunningLiveKit;
  readonly #directory: string;
  readonly #ledger: Ledger;
  readonly #standIns: StandIns;

  private constructor(surroundings: Surroundings, { directory, ledger, standIns, faults }: Providing) {
    super(surroundings);
    this.#directory = directory;
    this.#ledger = ledger;
    this.#standIns = standIns;
    this.faults = faults;
    this.livekit = standIns.livekit;
    this.variables = {
      ...surroundings.variables,
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
    const [surroundings, standIns] = await Promise.all([
      startSurroundings('telephony-numbers', { answerWithinMs: 15_000 }),
      startStandIns(directory, ledger, faults),
    ]);
    const world = new NumbersWorld(surroundings, { directory, ledger, standIns, faults });
    await world.#playNeighbours();
    // SDKs take seconds to load on a busy machine, which no test is about.
    await Promise.all([...world.providers.values()].map((account) => account.ping()));
    return world;
  }

  /** A copy of the service in this process. */
  startService(more: Readonly<Record<string, string>> = {}, clock?: Clock): Promise<RunningService> {
    return start(Env.parse({ ...this.variables, ...more }), clock === undefined ? {} : { clock });
  }

  search(provider: ProviderName, who: Caller, query: object = {}): Promise<Offer[]> {
    const wanted = { provider, country: 'US', ...query };
    return this.ask(contract.numbersSearch, { query: wanted }, who);
  }

  /** Buys as the gateway does: it reserves the month of a purchase that is on record. */
  async buy(provider: ProviderName, offer: Offer, who: Caller, commandId?: string): Promise<PhoneNumber> {
    const { phoneNumber, quoteId } = offer;
    const body = { provider, phoneNumber, quoteId };
    const begun = await this.#orNull(() =>
      this.ask(serviceRequests.numbersBegin, { body }, who, commandId).then((answer) => answer.begun),
    );
    if (begun === null) return this.ask(contract.numbersBuy, { body }, who, commandId);
    const outcome = this.#reserve(begun);
    const composed = {
      numberId: begun.numberId,
      refusal: 'data' in outcome ? null : refusalOf(outcome.error),
    };
    return this.ask(contract.numbersBuy, { body, composed }, who, commandId);
  }

  /** Buys as a gateway of 0.2.0 does. */
  buyFormerly(provider: ProviderName, offer: Offer, who: Caller, commandId?: string): Promise<PhoneNumber> {
    const { phoneNumber, quoteId } = offer;
    return this.ask(contract.numbersBuy, { body: { provider, phoneNumber, quoteId } }, who, commandId);
  }

  list(who: Caller): Promise<PhoneNumber[]> {
    return this.ask(contract.numbersList, { query: {} }, who);
  }

  /** Releases as the gateway does: it looks for campaigns while the number is held. */
  async release(id: string, who: Caller): Promise<unknown> {
    const hold = await this.#orNull(() => this.hold(id, who));
    if (hold === null) return this.releaseFormerly(id, who);
    const { campaignFrom } = this;
    const campaign = campaignFrom === null ? null : { id: await campaignFrom(hold.phoneNumber) };
    const composed = { holdId: hold.holdId, campaign };
    return this.ask(contract.numbersRelease, { params: { phId: id }, composed }, who);
  }

  async hold(id: string, who: Caller): Promise<Result<typeof serviceRequests.numbersHold>['hold']> {
    return (await this.ask(serviceRequests.numbersHold, { body: { numberId: id } }, who)).hold;
  }

  /** Releases as a gateway of 0.2.0 does. */
  releaseFormerly(id: string, who: Caller): Promise<unknown> {
    return this.ask(contract.numbersRelease, { params: { phId: id } }, who);
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

  override stop(): Promise<void> {
    return super.stop(async () => {
      const { twilio, telnyx, livekit } = this.#standIns;
      await Promise.all([twilio.stop(), telnyx.stop(), livekit.stop()]);
      await this.#ledger.close();
      rmSync(this.#directory, { recursive: true, force: true });
    });
  }

  /** A service that does not answer begins and holds nothing. */
  async #orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }

  #reserve(wanted: MonthWanted): Outcome {
    const outcome = this.reserveMonth(wanted) ?? silence;
    if ('data' in outcome) this.reserved.add(wanted.numberId);
    return outcome;
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
