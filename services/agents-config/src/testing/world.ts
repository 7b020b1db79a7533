// For tests: the service as it runs, booted whole on its own Postgres schema and asked over NATS.
import { randomBytes } from 'node:crypto';
import { Secret } from '@parlance/config';
import {
  type CallFacts,
  type KnowledgeForRuntime,
  type McpToolForRuntime,
  type Result,
  serviceRequests,
  type ToolForRuntime,
} from '@parlance/contracts';
import { Keyring, secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { serveOperation } from '@parlance/fixtures';
import {
  type MediaServer,
  ServiceWorld,
  type Surroundings,
  startMediaServer,
  startSurroundings,
} from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { Env, start } from '../index.js';
import { newOrganization } from './organizations.js';

interface Running {
  readonly media: MediaServer;
  readonly service: RunningService;
  readonly webhookKey: Secret;
  readonly keyring: Keyring;
}

export class World extends ServiceWorld {
  /** LiveKit's stand-in, as the service reaches it. */
  readonly media: MediaServer;
  /** The signing secrets of organizations are made from it. */
  readonly webhookKey: Secret;
  readonly keyring: Keyring;
  /** The answer of the services that hold calls, for every agent; undefined: they do not answer. */
  inUse: { readonly live: number; readonly open: number } | undefined = { live: 0, open: 0 };
  /** The limits of the operator for every organization; undefined: the dialer does not answer. */
  limits: Result<typeof serviceRequests.limitsOf> | undefined = { concurrentCalls: null, countries: null };
  /** Names of the secrets that every organization has. */
  secrets: readonly string[] = [];
  /** The origins of secrets, by id or name. */
  readonly allowed = new Map<string, Set<string>>();
  /** Secrets by their ids, with their organizations and values. */
  readonly values = new Map<string, { readonly organizationId: string; readonly value: string }>();
  /** Ids that no secret has. */
  readonly missing = new Set<string>();
  /** Runs before tools-secrets notes the secrets of a resource. */
  beforeNote: ((resourceId: string) => Promise<void>) | undefined;
  /** Mentions that were noted, as names. */
  readonly referred: string[] = [];
  /** The tools of every agent; undefined: tools-secrets does not answer. */
  tools: ToolForRuntime[] | undefined = [];
  /** The MCP tools of every agent; undefined: mcp-hub does not answer. */
  mcpTools: McpToolForRuntime[] | undefined = [];
  /** The knowledge of every agent; undefined: the service `knowledge` does not answer. */
  knowledge: KnowledgeForRuntime | undefined = { mode: 'none', prompt: null };
  /** The facts of calls at calls-logs; undefined: calls-logs does not answer. */
  callFacts: CallFacts[] | undefined = [];
  /** Calls that are on record as those of another organization. */
  readonly foreignCalls = new Set<string>();
  readonly #service: RunningService;

  private constructor(surroundings: Surroundings, running: Running) {
    super(surroundings);
    this.#service = running.service;
    this.media = running.media;
    this.webhookKey = running.webhookKey;
    this.keyring = running.keyring;
  }

  /** @param variables of its environment, besides the required ones */
  static async start(variables: Readonly<Record<string, string>> = {}): Promise<World> {
    const surroundings = await startSurroundings('agents-config', { connections: 1 });
    const kek = randomBytes(32).toString('base64');
    const keyring = new Keyring({ id: 'test', key: new Secret(kek) });
    const webhookKey = new Secret(randomBytes(32).toString('base64'));
    const media = await startMediaServer();
    const service = await start(
      Env.parse({
        ...surroundings.variables,
        WEBHOOK_SIGNING_KEY: webhookKey.reveal(),
        KEK_ID: 'test',
        KEK: kek,
        LIVEKIT_URL: media.url,
        LIVEKIT_WS_URL: 'wss://media.example.com',
        LIVEKIT_API_KEY: media.apiKey,
        LIVEKIT_API_SECRET: media.apiSecret,
        RUNTIME_BASE_URL: 'https://runtime.example.com',
        ...variables,
      }),
    );
    const world = new World(surroundings, { media, service, webhookKey, keyring });
    await world.#listen();
    return world;
  }

  /** A new organization, with its most frequent requests. */
  organization(): ReturnType<typeof newOrganization> {
    return newOrganization(this.ask);
  }

  override stop(): Promise<void> {
    return super.stop(async () => {
      await this.#service.stop();
      await this.media.stop();
    });
  }

  async #listen(): Promise<void> {
    const { callsLiveCountOfAgent: live, outboundCallsOpenCountOfAgent: open } = serviceRequests;
    await serveOperation(this.nats, live, () => this.inUse && { data: { live: this.inUse.live } });
    const { secretsRefer } = serviceRequests;
    await serveOperation(this.nats, secretsRefer, async ({ input }) => {
      const { user, ids, names, uses = [], mayAllow } = secretsRefer.body.parse(input.body);
      await this.beforeNote?.(user.id);
      const isKnown =
        names.every((name) => this.secrets.includes(name)) && !ids.some((id) => this.missing.has(id));
      if (!isKnown) return { error: new AppError('SECRET_NOT_FOUND').toWire() };
      for (const { origin, ids: sent, names: mentioned } of uses)
        for (const secret of [...sent, ...mentioned]) {
          const allowed = this.allowed.get(secret) ?? new Set();
          if (!allowed.has(origin) && mayAllow !== true) {
            const details = { origin, secrets: [secret] };
            return { error: new AppError('SECRET_ORIGIN_NOT_ALLOWED', { details }).toWire() };
          }
          this.allowed.set(secret, allowed.add(origin));
        }
      this.referred.push(...names);
      return { data: {} };
    });
    await serveOperation(this.nats, serviceRequests.secretsSealed, ({ input }) => {
      const { ids } = serviceRequests.secretsSealed.body.parse(input.body);
      return { data: ids.flatMap((id) => this.#sealed(id)) };
    });
    await serveOperation(this.nats, serviceRequests.limitsOf, () => this.limits && { data: this.limits });
    await serveOperation(this.nats, serviceRequests.toolsForAgent, () => this.tools && { data: this.tools });
    await serveOperation(
      this.nats,
      serviceRequests.mcpForAgent,
      () => this.mcpTools && { data: this.mcpTools },
    );
    await serveOperation(
      this.nats,
      serviceRequests.knowledgeForAgent,
      () => this.knowledge && { data: this.knowledge },
    );
    await serveOperation(
      this.nats,
      serviceRequests.callsFacts,
      () => this.callFacts && { data: this.callFacts },
    );
    const { callsBelongsToOther } = serviceRequests;
    await serveOperation(this.nats, callsBelongsToOther, ({ input }) => ({
      data: { isForeign: this.foreignCalls.has(callsBelongsToOther.body.parse(input.body).callId) },
    }));
    await serveOperation(this.nats, open, () => this.inUse && { data: { open: this.inUse.open } });
  }

  #sealed(id: string): Result<typeof serviceRequests.secretsSealed> {
    const secret = this.values.get(id);
    if (secret === undefined) return [];
    const { organizationId, value } = secret;
    const binding = secretBinding({ organizationId, secretId: id, version: 1 });
    const sealed = this.keyring.seal(Buffer.from(value), binding);
    const allowedOrigins = [...(this.allowed.get(id) ?? [])];
    return [{ id, name: 'KEY', version: 1, sealed, previous: null, allowedOrigins }];
  }
}
