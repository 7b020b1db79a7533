// For tests: the whole service on its own Postgres schema, asked over NATS. It has stand-ins for the services that it
// asks, and a customer's system.
import { randomBytes } from 'node:crypto';
import { loadEnv, Secret } from '@parlance/config';
import {
  contract,
  EventEnvelope,
  eventSubject,
  events,
  type SecretMentionsReport,
  serviceRequests,
  type ToolResult,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { serveOperation } from '@parlance/fixtures';
import { ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';
import { type RunningService, systemClock } from '@parlance/observability';
import { personalKinds } from '@parlance/redaction';
import { Env, start } from '../index.js';
import { SecretValues } from '../secrets/secret-values.js';
import { CustomerSystem } from './customer-system.js';

interface Running {
  readonly service: RunningService;
  /** The variables of the service. */
  readonly variables: Readonly<Record<string, string>>;
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

export class World extends ServiceWorld {
  readonly adminUrl: Secret;
  readonly keyring: Keyring;
  readonly system: CustomerSystem;
  /** Opens secrets like another part of the service. */
  readonly values: SecretValues;
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
  #running: Running;

  private constructor(
    surroundings: Surroundings,
    running: Running,
    customer: { readonly keyring: Keyring; readonly system: CustomerSystem },
  ) {
    super(surroundings);
    this.#running = running;
    this.adminUrl = surroundings.adminUrl;
    this.keyring = customer.keyring;
    this.system = customer.system;
    this.values = new SecretValues({ db: this.db, keyring: this.keyring, clock: systemClock });
  }

  static async start(): Promise<World> {
    // A hundred thousand rows take a while on a machine that is busy.
    const patient = { connections: 4, statementTimeoutMs: 60_000 };
    const surroundings = await startSurroundings('tools-secrets', patient);
    const kek = new Secret(randomBytes(32).toString('base64'));
    const system = new CustomerSystem();
    await system.listen();
    const variables = {
      ...surroundings.variables,
      KEK_ID: 'test',
      KEK: kek.reveal(),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
    };
    const running = { service: await start(Env.parse(variables)), variables };
    const keyring = new Keyring({ id: 'test', key: kek });
    const world = new World(surroundings, running, { keyring, system });
    await world.#neighbours();
    return world;
  }

  /** The variables that the service runs with. */
  get environment(): Readonly<Record<string, string>> {
    return this.#running.variables;
  }

  /** A rolling update: a replica with these variables takes over from the one that runs. @throws StartRefusal */
  async roll(changes: Readonly<Record<string, string>>): Promise<void> {
    const before = this.#running;
    const variables = { ...before.variables, ...changes };
    this.#running = { service: await start(loadEnv(Env, variables)), variables };
    await before.service.stop();
  }

  override stop(): Promise<void> {
    return super.stop(async () => {
      await this.system.stop();
      await this.#running.service.stop();
    });
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
    await this.announce(reported, organizationId, { user: { ...user, name }, ids, names, uses, noted });
  }

  async #neighbours(): Promise<void> {
    const { secretMentionsRequested } = events;
    this.nats.subscribe(eventSubject(secretMentionsRequested), {
      callback: (_, message) => void this.#report(EventEnvelope.parse(message.json())),
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
