// The dialer as it runs, with a real broker, database, event store and media server around it. The test plays its
// neighbours.
import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  type CallFacts,
  EventEnvelope,
  type EventOf,
  eventSubject,
  events,
  makeEvent,
  placeholderProblem,
  type RequestOf,
  type Result,
  serviceRequests,
} from '@parlance/contracts';
import { createPersonalData, keyringOf, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { connectEventStore, type EventStoreConnection } from '@parlance/event-sourcing';
import { callerEnvOf, callerVariables, natsUrlOf, serveOperation } from '@parlance/fixtures';
import { createMediaRooms, type MediaRooms } from '@parlance/media-rooms';
import { createLogger, type RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Answer, connectNats, EventSeals, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, type Instead, start } from '../index.js';
import { type Campaigns, openCampaigns } from '../repositories/campaign-repository.js';
import { type OutboundCalls, openOutboundCalls } from '../repositories/outbound-call-repository.js';

type ForCall = Result<typeof serviceRequests.agentsForCall>;
type CallNumbers = Result<typeof serviceRequests.callsNumbers>;
type Placeholders = Result<typeof serviceRequests.agentsPlaceholders>['placeholders'];
type NumberChanged = EventOf<typeof events.numberChanged>['data'];
type Asked<T extends Callable> = RequestOf<T>;

/** Opens what the dialer tells calls-logs. */
const seals = new EventSeals('calls-logs', callerEnvOf('calls-logs'));

/** The engines under the world. */
export interface WorldEngines {
  readonly natsUrl: string;
  readonly eventStoreUrl: string;
  readonly postgresUrl: Secret;
  readonly livekit: {
    readonly url: string;
    readonly wsUrl: string;
    readonly apiKey: string;
    readonly apiSecret: string;
    readonly trunkId: string;
    /** Every dial that was received and every ring that was made, oldest first. */
    readonly ledger: () => AsyncIterable<{
      readonly kind: 'dial' | 'ring';
      readonly room: string;
      readonly trunkId?: string;
    }>;
  };
}

export interface DialerWorld {
  readonly db: Database;
  /** Signed in as the administrator of the broker. */
  readonly nats: Awaited<ReturnType<typeof connectNats>>;
  /** The environment of a copy of the service. */
  readonly variables: Readonly<Record<string, string>>;
  /** The calls, on the same streams that the service writes. */
  readonly calls: OutboundCalls;
  readonly campaigns: Campaigns;
  readonly eventStore: EventStoreConnection;
  readonly personalData: PersonalData;
  readonly rooms: MediaRooms;
  /** The answers of agents-config about agents; absent ones do not exist. */
  readonly agents: Map<string, ForCall>;
  /** The placeholders of agents' texts; an absent agent has none. */
  readonly placeholders: Map<string, Placeholders>;
  /** The placeholders of agents' texts that no variable can fill; an absent agent has none. */
  readonly impossible: Map<string, string[]>;
  /** The answers of calls-logs about calls. */
  readonly facts: Map<string, CallFacts>;
  /** The answers of calls-logs about the telephone numbers of calls; absent ones do not exist. */
  readonly callNumbers: Map<string, CallNumbers>;
  /** Calls that calls-logs has erased, with the reason for which it was requested. */
  readonly erasedCalls: Map<string, string>;
  /** calls-logs refuses to erase these calls, as if it were away. */
  readonly unerasable: Set<string>;
  /** Caller numbers that no organization owns; every other one belongs to the asking organization. */
  readonly unowned: Set<string>;
  /** Caller's numbers that are on record and not the asking organization's to call from. */
  readonly taken: Set<string>;
  /** Identifiers of caller's numbers that organizations have at the provider alone, by the number; or the provider is away. */
  readonly kept: Map<string, string>;
  /** Promises that telephony-numbers awaits before its answer about a caller number; by the number. */
  readonly undecided: Map<string, Promise<void>>;
  /** Caller's numbers at another provider than Twilio, with the media server's trunk of it: null where there is none. */
  readonly elsewhere: Map<string, string | null>;
  /** Events that the dialer told the other services, oldest first. */
  readonly told: EventEnvelope[];
  /** Another copy of the service on the same streams and tables. */
  startDialer(variables?: Readonly<Record<string, string>>, instead?: Instead): Promise<RunningService>;
  readonly rpc: RpcClient;
  /** @throws AppError the refusal of the service */
  ask<T extends Callable>(row: T, request: Asked<T>, who: Caller, commandId?: string): Promise<Result<T>>;
  askPage<T extends Callable>(row: T, request: Asked<T>, who: Caller): Promise<Answer<Result<T>>>;
  /** calls-logs tells that a call has ended. */
  tellEnd(facts: CallFacts, agentId: string, organizationId: string): Promise<void>;
  /** calls-logs announces that the person of a call asked not to be called again. */
  tellOptOut(organizationId: string, callId: string): Promise<void>;
  /** calls-logs requests a report of the attempts behind these calls. */
  requestAttempts(organizationId: string, callIds: readonly string[]): Promise<void>;
  /** telephony-numbers tells of a number. */
  tellNumber(organizationId: string, data: NumberChanged): Promise<void>;
  /** The next dials of the media server go wrong in this way. */
  fault(mode: string, times: number): Promise<void>;
  /** The trunks that dials into this room left through. */
  trunksOf(roomName: string): Promise<readonly (string | undefined)[]>;
  /** The numbers of dials into this room that the media server received, and of rings. */
  dialsOf(roomName: string): Promise<{ dials: number; rings: number }>;
  stop(): Promise<void>;
}

const ownNumber = {
  id: randomUUID(),
  provider: 'TWILIO',
  providerNumberId: 'PN1',
  isoCountry: 'US',
} as const;

/** What the models of every agent can do. */
const choices = {
  language: 'en',
  voiceId: 'acme/anna',
  languages: ['en', 'de'],
  voices: [{ id: 'acme/anna', languages: ['en', 'de'] }],
};

/** The settings of a new organization, except for a limit that a test about it sets. */
const settings: Result<typeof serviceRequests.settingsOf> = {
  version: 0,
  timezone: 'Europe/Madrid',
  allowedCountries: null,
  maxConcurrentCalls: 1_000,
  inboundReserve: 2,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  namedTimezones: 'narrow',
};

const neighbours = async (natsUrl: string, trunkId: string) => {
  const agents: DialerWorld['agents'] = new Map();
  const placeholders: DialerWorld['placeholders'] = new Map();
  const impossible: DialerWorld['impossible'] = new Map();
  const facts: DialerWorld['facts'] = new Map();
  const callNumbers: DialerWorld['callNumbers'] = new Map();
  const erasedCalls: DialerWorld['erasedCalls'] = new Map();
  const unerasable: DialerWorld['unerasable'] = new Set();
  const unowned: DialerWorld['unowned'] = new Set();
  const taken: DialerWorld['taken'] = new Set();
  const kept: DialerWorld['kept'] = new Map();
  const undecided: DialerWorld['undecided'] = new Map();
  const elsewhere: DialerWorld['elsewhere'] = new Map();
  const told: EventEnvelope[] = [];
  const nats = await connectNats({ url: natsUrl, name: 'neighbours' });
  const absent = { error: new AppError('AGENT_NOT_FOUND').toWire() };
  await serveOperation(nats, serviceRequests.agentsForCall, ({ input }) => {
    const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
    const found = agents.get(agentId);
    return found ? { data: found } : absent;
  });
  await serveOperation(nats, serviceRequests.agentsPlaceholders, ({ input }) => {
    const { agentId } = serviceRequests.agentsPlaceholders.body.parse(input.body);
    return {
      data: {
        placeholders: placeholders.get(agentId) ?? [],
        impossible: (impossible.get(agentId) ?? []).map((written) => ({
          path: 'firstMessage',
          written,
          message: placeholderProblem(written),
        })),
        choices,
      },
    };
  });
  await serveOperation(nats, serviceRequests.callsFacts, ({ input }) => {
    const { callIds } = serviceRequests.callsFacts.body.parse(input.body);
    return { data: callIds.flatMap((id) => facts.get(id) ?? []) };
  });
  await serveOperation(nats, serviceRequests.callsNumbers, ({ input }) => {
    const found = callNumbers.get(serviceRequests.callsNumbers.body.parse(input.body).callId);
    return found ? { data: found } : { error: new AppError('CALL_NOT_FOUND').toWire() };
  });
  await serveOperation(nats, serviceRequests.callsErase, ({ input }) => {
    const { callIds, requestedBy } = serviceRequests.callsErase.body.parse(input.body);
    if (callIds.some((id) => unerasable.has(id)))
      return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
    for (const id of callIds) erasedCalls.set(id, requestedBy);
    return { data: { erased: callIds.length } };
  });
  await serveOperation(nats, serviceRequests.numbersForDialing, async ({ input }) => {
    const { fromNumber } = serviceRequests.numbersForDialing.body.parse(input.body);
    await undecided.get(fromNumber);
    const common = { countries: ['US'], goodForMs: 2_000 };
    if (taken.has(fromNumber)) return { data: { number: null, isTaken: true, ...common } };
    if (unowned.has(fromNumber)) return { data: { number: null, ...common } };
    const other = elsewhere.get(fromNumber);
    if (other === undefined) return { data: { number: ownNumber, trunkId, ...common } };
    return { data: { number: { ...ownNumber, provider: 'TELNYX' }, trunkId: other, ...common } };
  });
  await serveOperation(nats, serviceRequests.numbersOwnedAtProvider, ({ input }) => {
    const { sid, fromNumber } = serviceRequests.numbersOwnedAtProvider.body.parse(input.body);
    if (kept.get(fromNumber) === 'away') return { error: new AppError('PROVIDER_UNAVAILABLE').toWire() };
    const isOwned = kept.get(fromNumber) === sid;
    return { data: { isOwned, trunkId, countries: [], goodForMs: 2_000 } };
  });
  await serveOperation(nats, serviceRequests.settingsOf, () => ({ data: settings }));
  nats.subscribe('parlance.evt.outbound-dialer.>', {
    callback: (_, message) => told.push(seals.open(EventEnvelope.parse(message.json()))),
  });
  const numbers = { unowned, taken, kept, undecided, elsewhere };
  return {
    nats,
    agents,
    placeholders,
    impossible,
    facts,
    callNumbers,
    erasedCalls,
    unerasable,
    ...numbers,
    told,
  };
};

/** The world around engines that the test file has started. */
export const startWorld = async (engines: WorldEngines): Promise<DialerWorld> => {
  const { livekit } = engines;
  const { nats, ...played } = await neighbours(engines.natsUrl, livekit.trunkId);
  const signer = new RequestSigner('gateway', callerEnvOf('gateway'));
  const rpc = new RpcClient(nats, { signer, timeoutMs: 10_000 });
  const variables = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    NATS_URL: natsUrlOf(engines.natsUrl, 'outbound-dialer'),
    ...callerVariables('outbound-dialer'),
    POSTGRES_URL: engines.postgresUrl.reveal(),
    EVENTSTORE_URL: engines.eventStoreUrl,
    LIVEKIT_URL: livekit.url,
    LIVEKIT_WS_URL: livekit.wsUrl,
    LIVEKIT_API_KEY: livekit.apiKey,
    LIVEKIT_API_SECRET: livekit.apiSecret,
    KEK_ID: 'kek-1',
    KEK: randomBytes(32).toString('base64'),
    // a pace of its own has the test that is about it
    TWILIO_CALLS_PER_SECOND: '1000',
    // limits of its own has the organization of the test that is about them
    ORGANIZATION_SPEND_PER_DAY: 'none',
    ORGANIZATION_SPEND_PER_MONTH: 'none',
    ORGANIZATION_MAX_CONCURRENT_CALLS: 'none',
    CALLING_WINDOW: 'none',
    DAILY_ATTEMPTS_PER_NUMBER: 'none',
    INSTALLATION_SPEND_PER_DAY: 'none',
    INSTALLATION_SPEND_PER_MONTH: 'none',
    INSTALLATION_MAX_NUMBERS: 'none',
    INSTALLATION_MAX_CONCURRENT_CALLS: 'none',
    CURSOR_KEY: randomBytes(32).toString('base64'),
  };
  const env = Env.parse(variables);
  const db = createDatabase({ url: engines.postgresUrl, applicationName: 'test', max: 2 });
  const personalData = createPersonalData({
    keyring: keyringOf(env),
    store: pgSubjectKeys(db),
  });
  const eventStore = connectEventStore({ url: env.EVENTSTORE_URL, name: 'test', personalData });
  const askPage: DialerWorld['askPage'] = async (row, request, who) =>
    rpc.call(row, request, { caller: who, requestId: randomUUID() });
  return {
    db,
    nats,
    variables,
    calls: openOutboundCalls(eventStore),
    campaigns: openCampaigns(eventStore),
    eventStore,
    personalData,
    rooms: createMediaRooms(env, { logger: createLogger({ service: 'test', level: 'silent' }) }),
    ...played,
    rpc,
    startDialer: (more = {}, instead) => start(Env.parse({ ...variables, ...more }), instead),
    askPage,
    ask: async (row, request, who, commandId) => {
      const context = { caller: who, requestId: randomUUID() };
      const command = commandId === undefined ? {} : { commandId };
      return (await rpc.call(row, request, { ...context, ...command })).data;
    },
    tellEnd: async (facts, agentId, organizationId) => {
      const { endedAt, outcome, endedReason, ...rest } = facts;
      if (endedAt === null || outcome === null || endedReason === null)
        throw new Error('the call has not ended');
      const event = makeEvent(events.callEnded, {
        id: randomUUID(),
        occurredAt: endedAt,
        organizationId,
        data: {
          ...rest,
          endedAt,
          outcome,
          endedReason,
          agentId,
          campaignId: null,
          durationSeconds: facts.durationSeconds ?? 0,
        },
      });
      await nats
        .jetstream()
        .publish(eventSubject(events.callEnded), JSON.stringify(event), { msgID: event.id });
    },
    tellOptOut: async (organizationId, callId) => {
      const about = { id: randomUUID(), occurredAt: new Date().toISOString(), organizationId };
      const event = makeEvent(events.callOptedOut, { ...about, data: { callId } });
      await nats
        .jetstream()
        .publish(eventSubject(events.callOptedOut), JSON.stringify(event), { msgID: event.id });
    },
    requestAttempts: async (organizationId, callIds) => {
      const about = { id: randomUUID(), occurredAt: new Date().toISOString(), organizationId };
      const event = makeEvent(events.attemptsRequested, { ...about, data: { callIds: [...callIds] } });
      await nats
        .jetstream()
        .publish(eventSubject(events.attemptsRequested), JSON.stringify(event), { msgID: event.id });
    },
    tellNumber: async (organizationId, data) => {
      const about = { id: randomUUID(), occurredAt: new Date().toISOString(), organizationId };
      const event = makeEvent(events.numberChanged, { ...about, data });
      await nats
        .jetstream()
        .publish(eventSubject(events.numberChanged), JSON.stringify(event), { msgID: event.id });
    },
    fault: async (mode, times) => {
      const answer = await fetch(`${livekit.url}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${livekit.apiSecret}` },
        body: JSON.stringify({ target: 'sip', mode, times }),
      });
      if (!answer.ok) throw new Error(`no fault ${mode}`);
    },
    trunksOf: async (roomName) => {
      const trunks: (string | undefined)[] = [];
      for await (const { kind, room, trunkId } of livekit.ledger())
        if (kind === 'dial' && room === roomName) trunks.push(trunkId);
      return trunks;
    },
    dialsOf: async (roomName) => {
      const count = { dials: 0, rings: 0 };
      for await (const { kind, room } of livekit.ledger())
        if (room === roomName) count[kind === 'dial' ? 'dials' : 'rings'] += 1;
      return count;
    },
    stop: async () => {
      await eventStore.close();
      await db.end();
      await nats.close();
    },
  };
};
