// For tests: the whole service on its own Postgres schema, asked over NATS. It has stand-ins for the services that it
// asks, and the MCP server of a shop.
import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  type EventDefinition,
  EventEnvelope,
  type EventOf,
  eventSubject,
  makeEvent,
  type RequestOf,
  type Result,
  serviceRequests,
} from '@parlance/contracts';
import { Keyring, secretBinding } from '@parlance/crypto';
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
import type { RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { personalKinds } from '@parlance/redaction';
import { connectNats, EventSeals, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, start } from '../index.js';
import { ShopServer } from './shop-server.js';

/** Opens what the service tells calls-logs. */
const seals = new EventSeals('calls-logs', callerEnvOf('calls-logs'));

type Nats = Awaited<ReturnType<typeof connectNats>>;

interface Running {
  readonly engines: TestEngines;
  readonly service: RunningService;
  readonly nats: Nats;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly rpc: RpcClient;
  readonly shop: ShopServer;
}

export class World {
  readonly nats: Nats;
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly keyring: Keyring;
  readonly shop: ShopServer;
  /** The events that the service has announced. */
  readonly published: EventEnvelope[] = [];
  /** Agents whose configuration hides personal data. */
  readonly hiding = new Set<string>();
  /** Secrets by id, as tools-secrets keeps them. */
  readonly secrets = new Map<
    string,
    { readonly organizationId: string; readonly name: string; value: string }
  >();
  /** The origins of secrets, by id. */
  readonly allowed = new Map<string, Set<string>>();
  /** Runs before tools-secrets notes the secrets of a resource. */
  beforeNote: ((resourceId: string) => Promise<void>) | undefined;
  /** The mentions that the service asked tools-secrets to note. */
  readonly referred: string[] = [];
  readonly #running: Running;

  private constructor(running: Running) {
    const { nats, db, rpc, keyring, shop } = running;
    this.#running = running;
    this.nats = nats;
    this.db = db;
    this.rpc = rpc;
    this.keyring = keyring;
    this.shop = shop;
  }

  static async start(): Promise<World> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url } = await engines.databaseFor('mcp-hub');
    const kek = new Secret(randomBytes(32).toString('base64'));
    const shop = new ShopServer();
    await shop.listen();
    const service = await start(
      Env.parse({
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        NATS_URL: natsUrlOf(engines.natsUrl, 'mcp-hub'),
        ...callerVariables('mcp-hub'),
        POSTGRES_URL: url.reveal(),
        CURSOR_KEY: randomBytes(32).toString('base64'),
        KEK_ID: 'test',
        KEK: kek.reveal(),
        EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      }),
    );
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const world = new World({
      ...{ engines, service, nats, shop },
      db: createDatabase({ url, applicationName: 'test', max: 4 }),
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
    request: RequestOf<T>,
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

  async stop(): Promise<void> {
    const { service, nats, engines, shop, db } = this.#running;
    await db.end();
    await shop.stop();
    await nats.close();
    await service.stop();
    await engines.stop();
  }

  async #neighbours(): Promise<void> {
    this.nats.subscribe('parlance.evt.mcp-hub.>', {
      callback: (_, message) =>
        this.published.push(seals.open(EventEnvelope.parse(parseJson(message.string())))),
    });
    await serveOperation(this.nats, serviceRequests.agentsForCall, ({ input }) => {
      const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
      if (!agentId.startsWith('a')) return { error: new AppError('AGENT_NOT_FOUND').toWire() };
      const about = { isActive: true, configVersion: 1, allowedOverrides: [], maxDurationSeconds: null };
      const redaction = this.hiding.has(agentId) && {
        redaction: { kinds: [...personalKinds], timezone: 'UTC' },
      };
      return { data: { agentId, name: 'Desk', ...about, language: 'en', ...redaction } };
    });
    await serveOperation(this.nats, serviceRequests.secretsRefer, async ({ input }) => {
      const { user, ids, names, uses = [], mayAllow } = serviceRequests.secretsRefer.body.parse(input.body);
      await this.beforeNote?.(user.id);
      const found = names.flatMap((name) => this.#named(name));
      if (!ids.every((id) => this.secrets.has(id)) || found.length < names.length)
        return { error: new AppError('SECRET_NOT_FOUND').toWire() };
      for (const { origin, ...mentions } of uses)
        for (const id of [...mentions.ids, ...mentions.names.flatMap((name) => this.#named(name))]) {
          const allowed = this.allowed.get(id) ?? new Set();
          if (!allowed.has(origin) && mayAllow !== true) {
            const details = { origin, secrets: [id] };
            return { error: new AppError('SECRET_ORIGIN_NOT_ALLOWED', { details }).toWire() };
          }
          this.allowed.set(id, allowed.add(origin));
        }
      this.referred.push(...ids, ...found);
      return { data: {} };
    });
    await serveOperation(this.nats, serviceRequests.secretsSealed, ({ input }) => {
      const { ids, names } = serviceRequests.secretsSealed.body.parse(input.body);
      const found = names.flatMap((name) => this.#named(name));
      return { data: [...ids, ...found].flatMap((id) => this.#sealed(id)) };
    });
  }

  /** The ids of the secrets with this name. */
  #named(wanted: string): string[] {
    return [...this.secrets].flatMap(([id, { name }]) => (name === wanted ? [id] : []));
  }

  #sealed(id: string): Result<typeof serviceRequests.secretsSealed> {
    const secret = this.secrets.get(id);
    if (secret === undefined) return [];
    const { organizationId, name, value } = secret;
    const binding = secretBinding({ organizationId, secretId: id, version: 1 });
    const sealed = this.keyring.seal(Buffer.from(value), binding);
    const allowedOrigins = [...(this.allowed.get(id) ?? [])];
    return [{ id, name, version: 1, sealed, previous: null, allowedOrigins }];
  }
}
