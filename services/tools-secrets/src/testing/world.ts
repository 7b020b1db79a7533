// For tests: the whole service on its own Postgres schema, asked over NATS. It has stand-ins for the services that it
// asks, and a customer's system.
import { randomBytes, randomUUID } from 'node:crypto';
import { loadEnv, Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  type ComposedRequest,
  contract,
  type EventDefinition,
  EventEnvelope,
  type EventOf,
  eventSubject,
  events,
  makeEvent,
  type Result,
  type SecretMentionsReport,
  serviceRequests,
  type ToolResult,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import {
  callerEnvOf,
  callerVariables,
  natsUrlOf,
  serveOperation,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { parseJson } from '@parlance/json';
import { type RunningService, systemClock } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { personalKinds } from '@parlance/redaction';
import { connectNats, EventSeals, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, start } from '../index.js';
import { SecretValues } from '../secrets/secret-values.js';
import { CustomerSystem } from './customer-system.js';

/** Opens what the service tells calls-logs. */
const seals = new EventSeals('calls-logs', callerEnvOf('calls-logs'));

type Nats = Awaited<ReturnType<typeof connectNats>>;

interface Running {
  readonly engines: TestEngines;
  /** Of the administrator of the service's database. */
  readonly adminUrl: Secret;
  service: RunningService;
  /** The variables of the service. */
  variables: Readonly<Record<string, string>>;
  readonly nats: Nats;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly rpc: RpcClient;
  readonly system: CustomerSystem;
}

const facts = {
  channel: 'phone',
  direction: 'outbound',
  fromNumber: '+14155550100',
  toNumber: '+14155550199',
};

/** The uses are empty unless given. */
type ReportedMentions = Pick<SecretMentionsReport, 'ids' | 'names'> &
  Partial<Pick<SecretMentionsReport, 'uses'>> & { readonly name: string };

export class World {
  readonly nats: Nats;
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly keyring: Keyring;
  readonly system: CustomerSystem;
  /** Opens secrets like another part of the service. */
  readonly values: SecretValues;
  /** Events that the service has announced. */
  readonly published: EventEnvelope[] = [];
  /** Agents whose configuration hides personal data. */
  readonly hiding = new Set<string>();
  /** The secrets that agents-config reports of each agent. An agent that is not in this map does not exist. */
  readonly mentions = new Map<string, ReportedMentions>();
  /** The secrets that mcp-hub reports of each connection. A connection that is not in this map does not exist. */
  readonly connections = new Map<string, ReportedMentions>();
  /** The secrets that widgets reports of each widget. A widget that is not in this map does not exist. */
  readonly widgets = new Map<string, ReportedMentions>();
  /** False: no service reports what its resources mention. */
  isReporting = true;
  /** Results of tools of MCP servers by their offered names; undefined: mcp-hub does not answer. */
  mcpResults: Map<string, ToolResult> | undefined = new Map();
  /** The dynamic variables of every call. */
  variables: Record<string, string> = { customer: 'Ada' };
  /** The variables that an initiation webhook answered, by the id of the call. */
  readonly initiations = new Map<string, Record<string, string>>();
  /** The requests that the service sent to other services, by the id of the row. */
  readonly requested: string[] = [];
  readonly #running: Running;

  private constructor(running: Running) {
    const { nats, db, rpc, keyring, system } = running;
    this.#running = running;
    this.nats = nats;
    this.db = db;
    this.rpc = rpc;
    this.keyring = keyring;
    this.system = system;
    this.values = new SecretValues({ db, keyring, clock: systemClock });
  }

  static async start(): Promise<World> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url, adminUrl } = await engines.databaseFor('tools-secrets');
    const kek = new Secret(randomBytes(32).toString('base64'));
    const system = new CustomerSystem();
    await system.listen();
    const variables = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrlOf(engines.natsUrl, 'tools-secrets'),
      ...callerVariables('tools-secrets'),
      POSTGRES_URL: url.reveal(),
      CURSOR_KEY: randomBytes(32).toString('base64'),
      KEK_ID: 'test',
      KEK: kek.reveal(),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
    };
    const service = await start(Env.parse(variables));
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const world = new World({
      engines,
      adminUrl,
      service,
      variables,
      nats,
      system,
      // A hundred thousand rows take a while on a machine that is busy.
      db: createDatabase({ url, applicationName: 'test', max: 4, statementTimeoutMs: 60_000 }),
      keyring: new Keyring({ id: 'test', key: kek }),
      rpc: new RpcClient(nats, {
        signer: new RequestSigner('gateway', callerEnvOf('gateway')),
        timeoutMs: 30_000,
      }),
    });
    await world.#neighbours();
    return world;
  }

  /** @throws AppError */
  async ask<T extends Callable>(
    row: T,
    request: ComposedRequest<T>,
    caller: Caller,
    commandId?: string,
  ): Promise<Result<T>> {
    const { rpc } = this.#running;
    const context = { caller, requestId: randomUUID() };
    return (await rpc.call(row, request, { ...context, ...(commandId && { commandId }) })).data;
  }

  eventsOf(organizationId: string, definition: EventDefinition): EventEnvelope[] {
    return this.published.filter(
      (event) => event.organizationId === organizationId && event.name === definition.name,
    );
  }

  /** Publishes an event in the name of another service. */
  async tell<T extends EventDefinition>(
    definition: T,
    organizationId: string,
    data: EventOf<T>['data'],
  ): Promise<void> {
    const occurredAt = new Date().toISOString();
    const event = makeEvent(definition, { id: randomUUID(), occurredAt, organizationId, data });
    await this.nats.jetstream().publish(eventSubject(event), JSON.stringify(event), { msgID: event.id });
  }

  /** The variables that the service runs with. */
  get environment(): Readonly<Record<string, string>> {
    return this.#running.variables;
  }

  get adminUrl(): Secret {
    return this.#running.adminUrl;
  }

  /** A rolling update: a replica with these variables takes over from the one that runs. @throws StartRefusal */
  async roll(changes: Readonly<Record<string, string>>): Promise<void> {
    const running = this.#running;
    const variables = { ...running.variables, ...changes };
    const next = await start(loadEnv(Env, variables));
    const before = running.service;
    running.service = next;
    running.variables = variables;
    await before.stop();
  }

  async stop(): Promise<void> {
    const { service, nats, engines, system, db } = this.#running;
    await db.end();
    await system.stop();
    await nats.close();
    await service.stop();
    await engines.stop();
  }

  async #report({ organizationId, data }: EventEnvelope): Promise<void> {
    if (!this.isReporting) return;
    const { user, noted } = events.secretMentionsRequested.data.parse(data);
    const [known, reported] = {
      mcp_connection: [this.connections, events.connectionSecretsReported] as const,
      widget: [this.widgets, events.widgetSecretsReported] as const,
      agent: [this.mentions, events.agentSecretsReported] as const,
    }[user.type as 'agent' | 'mcp_connection' | 'widget'];
    const { name, ids, names, uses = [] } = known.get(user.id) ?? { name: '', ids: [], names: [] };
    await this.tell(reported, organizationId, { user: { ...user, name }, ids, names, uses, noted });
  }

  async #neighbours(): Promise<void> {
    this.nats.subscribe('parlance.evt.tools-secrets.>', {
      callback: (_, message) => {
        const event = seals.open(EventEnvelope.parse(parseJson(message.string())));
        this.published.push(event);
        if (event.name === events.secretMentionsRequested.name) void this.#report(event);
      },
    });
    await serveOperation(this.nats, serviceRequests.mcpExecuteInCall, ({ input }) => {
      const { offeredName } = serviceRequests.mcpExecuteInCall.body.parse(input.body);
      if (this.mcpResults === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
      const data = this.mcpResults.get(offeredName);
      return data ? { data } : { error: new AppError('TOOL_NOT_FOUND').toWire() };
    });
    await serveOperation(this.nats, serviceRequests.agentsForCall, ({ input }) => {
      this.requested.push(serviceRequests.agentsForCall.id);
      const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
      if (!agentId.startsWith('a')) return { error: new AppError('AGENT_NOT_FOUND').toWire() };
      const about = { isActive: true, configVersion: 1, allowedOverrides: [], maxDurationSeconds: null };
      const redaction = this.hiding.has(agentId) && {
        redaction: { kinds: [...personalKinds], timezone: 'UTC' },
      };
      return { data: { agentId, name: 'Desk', ...about, language: 'en', ...redaction } };
    });
    await serveOperation(this.nats, serviceRequests.agentsPostCallWebhook, ({ input }) => {
      this.requested.push(serviceRequests.agentsPostCallWebhook.id);
      const { callId = '' } = serviceRequests.agentsPostCallWebhook.body.parse(input.body);
      const variables = { city: 'Paris', ...this.initiations.get(callId) };
      const configuredAt = new Date().toISOString();
      return { data: { version: 1, configuredAt, webhook: null, timezone: 'UTC', variables } };
    });
    await serveOperation(this.nats, contract.callsGet, ({ input }) => {
      this.requested.push(contract.callsGet.id);
      const { callId } = contract.callsGet.params.parse(input.params);
      const at = new Date().toISOString();
      const log = { id: callId, configVersion: 1, campaignId: null, startedAt: at, answeredAt: at };
      return { data: { ...log, ...facts, dynamicVariables: this.variables } };
    });
  }
}
