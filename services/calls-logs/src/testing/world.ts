// For the integration tests of this service. The service runs whole on real engines and the media server's stand-in. The
// test plays the other services, the voice runtime and the gateway.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AttemptFacts,
  type CallContext,
  type Caller,
  type CallLog,
  contract,
  EventEnvelope,
  type ExecutedTool,
  eventSubject,
  events,
  type LiveCall,
  type Result,
  type RoomEvent,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { serveOperation } from '@parlance/fixtures';
import { ownerOf, ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';
import { createMediaRooms, type MediaRooms } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import { Env, start } from '../index.js';
import { startTestLiveKit, type TestLiveKit } from './live-kit.js';
import { startServiceProcess } from './service-process.js';

type PostCallWebhook = Result<(typeof serviceRequests)['agentsPostCallWebhook']>['webhook'];
type Initiated = NonNullable<Result<(typeof serviceRequests)['agentsInitiationOfCall']>['initiation']>;

/** A member of an organization. */
export const userOf = (organizationId: string): Caller => ownerOf(organizationId, []);

/** A finished call as the runtime hands it over. */
export const finishedCall = (organizationId: string, change: object = {}) => ({
  eventId: randomUUID(),
  schemaVersion: 1 as const,
  organizationId,
  agentId: randomUUID(),
  callId: randomUUID(),
  roomName: `rm_${randomUUID()}`,
  channel: 'phone' as const,
  direction: 'inbound' as const,
  fromNumber: '+14155550177',
  toNumber: '+14155550100',
  status: 'completed' as const,
  endedReason: 'user_hangup' as const,
  answeredBy: 'human' as const,
  startedAt: '2026-03-01T10:00:00.000Z',
  answeredAt: '2026-03-01T10:00:05.000Z',
  endedAt: '2026-03-01T10:01:05.000Z',
  durationSeconds: 60,
  transcript: [0, 1, 2].map((seq) => ({
    seq,
    role: seq % 2 === 0 ? ('agent' as const) : ('user' as const),
    text: `line ${seq}`,
    startMs: seq * 1_000,
  })),
  usage: [{ kind: 'telephony' as const, quantity: 60, unit: 'second' as const, provider: 'p' }],
  summary: 'They talked.',
  successful: 'success' as const,
  analysisStatus: 'completed' as const,
  ...change,
});

interface Running {
  stop(): Promise<void>;
  kill?(): Promise<void>;
}

interface Around {
  readonly rooms: MediaRooms;
  readonly liveKit: TestLiveKit;
  readonly env: Env;
  /** The environment of the service, for a process beside it. */
  readonly variables: Readonly<Record<string, string>>;
}

export class World extends ServiceWorld {
  /** Whether agents-config ever knew an agent of the organization. */
  isOrganizationKnown = true;
  /** The name of every agent at agents-config; `unknown`: there is no such agent; undefined: it does not answer. */
  agentName: string | 'unknown' | undefined = 'Front desk';
  /** The calls of preview sessions at agents-config; undefined: it does not answer. */
  previewCalls: Map<string, CallContext> | undefined = new Map();
  /** The calls of widgets' sessions; undefined: the service `widgets` does not answer. */
  widgetCalls: Map<string, CallContext> | undefined = new Map();
  /** The post-call webhook by the answer of agents-config. */
  postCallWebhook: PostCallWebhook = null;
  /** The models of every organization. */
  models: Result<(typeof serviceRequests)['agentsModels']> = [];
  /** What agents-config wants to be found out of calls; undefined: the agent is gone. */
  analysisSettings: Result<(typeof serviceRequests)['agentsAnalysisSettings']> | undefined = {
    language: 'en',
    timezone: 'Europe/Berlin',
    llmModel: 'openai/gpt-4.1',
    dataNeeded: [],
    dataEvaluation: [],
  };
  /** The days for which agents-config keeps recordings; undefined: it is of the release before. */
  recordingRetentionDays: number | null | undefined = null;
  /** The webhooks of single agents, where they differ. */
  readonly webhooksOfAgents = new Map<string, PostCallWebhook>();
  /** The answers of initiation webhooks by the id of their call; undefined: agents-config does not answer. */
  initiations: Map<string, Initiated> | undefined = new Map();
  /** The tools that ran in calls, by the id of the call. */
  readonly toolRuns = new Map<string, ExecutedTool[]>();
  /** The settings of any organization by the answer of agents-config; undefined: it does not answer. */
  settings: Result<(typeof serviceRequests)['settingsOf']> | undefined;
  /** The attempts that the dialer reports; undefined: it reports none. */
  attemptFacts: AttemptFacts[] | undefined = [];
  /** The dialer, when an operator ends a call that is dialled; undefined: it does not answer. */
  endAttempt: (() => Promise<string | null>) | undefined = async () => null;
  /** Ids of the calls whose attempts the dialer was requested to report. */
  readonly dialerAskedAbout = new Set<string>();
  readonly rooms: MediaRooms;
  readonly liveKit: TestLiveKit;
  readonly env: Env;
  readonly variables: Readonly<Record<string, string>>;

  private constructor(
    surroundings: Surroundings,
    { rooms, liveKit, env, variables }: Around,
    private readonly launch: () => Promise<Running>,
    private service: Running,
  ) {
    super(surroundings);
    this.rooms = rooms;
    this.liveKit = liveKit;
    this.env = env;
    this.variables = variables;
  }

  /**
   * `asProcess`: the service runs apart, as `npm test` has built it. `webhooks`: the media server's arrive. `variables`: more
   * of the service's.
   */
  static async start({
    asProcess = false,
    webhooks = false,
    variables: more = {} as Readonly<Record<string, string>>,
  } = {}): Promise<World> {
    const surroundings = await startSurroundings('calls-logs', {
      engines: { eventStore: true, mongo: true },
      answerWithinMs: 15_000,
    });
    const { engines } = surroundings;
    const liveKit = await startTestLiveKit();
    const variables = {
      ...surroundings.variables,
      WEBHOOK_SIGNING_KEY: randomBytes(32).toString('base64'),
      EVENTSTORE_URL: engines.eventStoreUrl,
      MONGODB_URL: engines.mongoUrl,
      LIVEKIT_URL: liveKit.url,
      LIVEKIT_WS_URL: liveKit.wsUrl,
      LIVEKIT_API_KEY: liveKit.apiKey,
      LIVEKIT_API_SECRET: liveKit.apiSecret,
      KEK_ID: 'k1',
      KEK: randomBytes(32).toString('base64'),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      ...more,
    };
    const env = Env.parse(variables);
    const rooms = createMediaRooms(env, { logger: createLogger({ service: 'test', level: 'silent' }) });
    const launch = asProcess ? () => startServiceProcess(variables) : () => start(env);
    const world = new World(surroundings, { rooms, liveKit, env, variables }, launch, await launch());
    await world.#playTheOthers();
    if (webhooks) liveKit.deliver = (event) => world.report(event);
    return world;
  }

  async #playTheOthers(): Promise<void> {
    await serveOperation(this.nats, serviceRequests.agentsReference, () => {
      if (this.agentName === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
      const name = this.agentName === 'unknown' ? null : this.agentName;
      return { data: { name, isOrganizationKnown: this.isOrganizationKnown } };
    });
    const { agentsInitiationOfCall, toolsRunsOfCall } = serviceRequests;
    await serveOperation(this.nats, agentsInitiationOfCall, ({ input }) => {
      if (this.initiations === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
      const { callId } = agentsInitiationOfCall.body.parse(input.body);
      return { data: { initiation: this.initiations.get(callId) ?? null } };
    });
    await serveOperation(this.nats, toolsRunsOfCall, ({ input }) => ({
      data: this.toolRuns.get(toolsRunsOfCall.body.parse(input.body).callId) ?? [],
    }));
    const { agentsPreviewCall } = serviceRequests;
    await serveOperation(this.nats, agentsPreviewCall, ({ input }) => {
      if (this.previewCalls === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
      const { callId } = agentsPreviewCall.body.parse(input.body);
      return { data: { context: this.previewCalls.get(callId) ?? null } };
    });
    const { widgetsSessionCall } = serviceRequests;
    await serveOperation(this.nats, widgetsSessionCall, ({ input }) => {
      if (this.widgetCalls === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
      const { callId } = widgetsSessionCall.body.parse(input.body);
      return { data: { context: this.widgetCalls.get(callId) ?? null } };
    });
    await serveOperation(this.nats, serviceRequests.agentsPostCallWebhook, ({ input }) => {
      const { agentId } = serviceRequests.agentsPostCallWebhook.body.parse(input.body);
      const own = this.webhooksOfAgents.get(agentId);
      const webhook = own === undefined ? this.postCallWebhook : own;
      const configuredAt = '2026-03-01T09:00:00.000Z';
      const known = { version: 1, configuredAt, webhook, variables: {}, timezone: 'UTC' };
      return { data: { ...known, recordingRetentionDays: this.recordingRetentionDays } };
    });
    await serveOperation(this.nats, serviceRequests.agentsModels, () => ({ data: this.models }));
    await serveOperation(this.nats, serviceRequests.agentsAnalysisSettings, () =>
      this.analysisSettings === undefined
        ? { error: new AppError('AGENT_NOT_FOUND').toWire() }
        : { data: this.analysisSettings },
    );
    await serveOperation(this.nats, serviceRequests.settingsOf, () =>
      this.settings === undefined
        ? { error: new AppError('SERVICE_UNAVAILABLE').toWire() }
        : { data: this.settings },
    );
    await serveOperation(this.nats, serviceRequests.outboundCallsEndAttempt, async () =>
      this.endAttempt === undefined
        ? { error: new AppError('SERVICE_UNAVAILABLE').toWire() }
        : { data: { cancelledAt: await this.endAttempt() } },
    );
    this.nats.subscribe(eventSubject(events.attemptsRequested), {
      // A report that cannot be published is requested again.
      callback: (_, message) =>
        void this.#reportAttempts(EventEnvelope.parse(message.json())).catch(() => undefined),
    });
  }

  async #reportAttempts({ organizationId, data }: EventEnvelope): Promise<void> {
    const { callIds } = events.attemptsRequested.data.parse(data);
    for (const id of callIds) this.dialerAskedAbout.add(id);
    if (this.attemptFacts === undefined) return;
    const attempts = this.attemptFacts.filter(({ callId }) => callIds.includes(callId));
    const unknownCallIds = callIds.filter((id) => !attempts.some(({ callId }) => callId === id));
    await this.announce(events.attemptsReported, organizationId, { attempts, unknownCallIds });
  }

  /** The announced ends of calls. */
  get ends(): readonly EventEnvelope[] {
    return this.published.filter(({ name }) => name === events.callEnded.name);
  }

  /** The announcements that a person asked not to be called again. */
  get optOuts(): readonly EventEnvelope[] {
    return this.published.filter(({ name }) => name === events.callOptedOut.name);
  }

  ingest(body: ReturnType<typeof finishedCall>) {
    const caller: Caller = { ...userOf(''), actor: { type: 'platform', id: 'gateway' }, role: 'platform' };
    return this.request(contract.callsIngest, { body }, caller);
  }

  async get(organizationId: string, callId: string): Promise<CallLog> {
    return this.ask(contract.callsGet, { params: { callId } }, userOf(organizationId));
  }

  async list(organizationId: string, query: object = {}): Promise<CallLog[]> {
    return this.ask(contract.callsList, { query }, userOf(organizationId));
  }

  /** Hands on a report of the media server, as the gateway does. */
  async roomEvent(
    type: string,
    room: { name: string; metadata: object },
    participant?: object,
  ): Promise<boolean> {
    const body = {
      id: `EV_${randomUUID()}`,
      type,
      at: new Date().toISOString(),
      room: { name: room.name, sid: 'RM_1', metadata: JSON.stringify(room.metadata) },
      ...(participant === undefined ? {} : { participant: participant as never }), // checked by the row's schema
    };
    return this.report(body);
  }

  async report(event: RoomEvent): Promise<boolean> {
    return (await this.ask(serviceRequests.callsRoomEvent, { body: event }, userOf(''))).recorded;
  }

  async live(organizationId: string): Promise<LiveCall[]> {
    return this.ask(contract.callsLive, {}, userOf(organizationId));
  }

  /** Stops the service, runs `meanwhile` on the data that it left, and starts it again. */
  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.service.stop();
    await meanwhile();
    this.service = await this.launch();
  }

  /** kill -9, and started again. Only of a service that is a process of its own. */
  async crash(): Promise<void> {
    if (this.service.kill === undefined) throw new Error('this service is no process of its own');
    await this.service.kill();
    this.service = await this.launch();
  }

  override stop(): Promise<void> {
    return super.stop(async () => {
      await this.service.stop();
      await this.liveKit.stop();
    });
  }
}
