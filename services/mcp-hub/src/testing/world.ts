// For tests: the whole service on its own Postgres schema, asked over NATS. It has stand-ins for the services that it
// asks, and the MCP server of a shop.
import { randomBytes } from 'node:crypto';
import { Secret } from '@parlance/config';
import { type Result, serviceRequests } from '@parlance/contracts';
import { Keyring, secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { serveOperation } from '@parlance/fixtures';
import { ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { personalKinds } from '@parlance/redaction';
import { Env, start } from '../index.js';
import { ShopServer } from './shop-server.js';

interface Running {
  readonly service: RunningService;
  readonly keyring: Keyring;
  readonly shop: ShopServer;
}

export class World extends ServiceWorld {
  readonly keyring: Keyring;
  readonly shop: ShopServer;
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
  readonly #service: RunningService;

  private constructor(surroundings: Surroundings, { service, keyring, shop }: Running) {
    super(surroundings);
    this.#service = service;
    this.keyring = keyring;
    this.shop = shop;
  }

  static async start(): Promise<World> {
    const surroundings = await startSurroundings('mcp-hub', { connections: 4 });
    const kek = new Secret(randomBytes(32).toString('base64'));
    const shop = new ShopServer();
    await shop.listen();
    const service = await start(
      Env.parse({
        ...surroundings.variables,
        KEK_ID: 'test',
        KEK: kek.reveal(),
        EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      }),
    );
    const keyring = new Keyring({ id: 'test', key: kek });
    const world = new World(surroundings, { service, keyring, shop });
    await world.#neighbours();
    return world;
  }

  override stop(): Promise<void> {
    return super.stop(async () => {
      await this.shop.stop();
      await this.#service.stop();
    });
  }

  async #neighbours(): Promise<void> {
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
