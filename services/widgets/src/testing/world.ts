// For tests: the whole service on its own Postgres schema, asked over NATS; LiveKit's stand-in; and its neighbours.
import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import { type Caller, contract, type RequestOf, type WidgetSession } from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import {
  type MediaServer,
  ServiceWorld,
  type Surroundings,
  startMediaServer,
  startSurroundings,
} from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { Env, start } from '../index.js';
import { Neighbours } from './neighbours.js';

type SessionRequest = RequestOf<(typeof contract)['widgetsStartSession']>['body'];
type WidgetBody = RequestOf<(typeof contract)['widgetsCreate']>['body'];

export const page = 'https://shop.example.com';

/** The origin of requests to the service: a page, and an address behind it. */
export interface Visitor {
  readonly origin?: string | null;
  readonly address?: string;
}

export class World extends ServiceWorld {
  readonly neighbours = new Neighbours();
  readonly #services: RunningService[] = [];

  private constructor(
    surroundings: Surroundings,
    readonly media: MediaServer,
    readonly variables: Readonly<Record<string, string>>,
  ) {
    super(surroundings);
  }

  /** Starts all but the service itself, which a test may run as a process. */
  static async startNeighbours(more: Readonly<Record<string, string>> = {}): Promise<World> {
    const surroundings = await startSurroundings('widgets');
    const media = await startMediaServer();
    const world = new World(surroundings, media, {
      ...surroundings.variables,
      KEK_ID: 'test',
      KEK: randomBytes(32).toString('base64'),
      LIVEKIT_URL: media.url,
      LIVEKIT_WS_URL: 'wss://media.example.com',
      LIVEKIT_API_KEY: media.apiKey,
      LIVEKIT_API_SECRET: media.apiSecret,
      WIDGET_BASE_URL: 'https://parlance.example.com',
      ...more,
    });
    await world.neighbours.serve(world.nats, world.keyring);
    return world;
  }

  get keyring(): Keyring {
    const { KEK_ID: id = '', KEK = '' } = this.variables;
    return new Keyring({ id, key: new Secret(KEK) });
  }

  static async start(): Promise<World> {
    const world = await World.startNeighbours();
    world.#services.push(await start(Env.parse(world.variables)));
    return world;
  }

  /** Stops the service and starts it again. */
  async restart(): Promise<void> {
    for (const service of this.#services.splice(0)) await service.stop();
    this.#services.push(await start(Env.parse(this.variables)));
  }

  organization(): Organization {
    return new Organization(this);
  }

  startSession(widgetId: string, body: SessionRequest = {}, visitor: Visitor = {}) {
    return this.ask(contract.widgetsStartSession, { params: { widgetId }, body }, visitorOf(visitor));
  }

  config(widgetId: string, visitor: Visitor = {}) {
    return this.ask(contract.widgetsPublicConfig, { params: { widgetId } }, visitorOf(visitor));
  }

  endSession(widgetId: string, sessionId: string, endToken: string, visitor: Visitor = {}) {
    const request = { params: { widgetId, sessionId }, body: { endToken } };
    return this.ask(contract.widgetsEndSession, request, visitorOf(visitor));
  }

  async roomNames(): Promise<string[]> {
    return (await this.media.rooms.listRooms()).map(({ name }) => name);
  }

  override stop(): Promise<void> {
    return super.stop(async () => {
      for (const service of this.#services) await service.stop();
      await this.media.stop();
    });
  }
}

/** The room of a session that is spoken in. */
export const roomOf = ({
  roomName,
  token,
}: WidgetSession): { readonly roomName: string; readonly token: string } => {
  if (roomName === null || token === null) throw new Error('the session has no room');
  return { roomName, token };
};

export const visitorOf = ({ origin = page, address = 'home' }: Visitor): Caller => ({
  organizationId: '',
  actor: { type: 'visitor', id: address, origin },
  role: 'visitor',
  permissions: [],
});

export class Organization {
  readonly id = randomUUID();
  readonly agentId = randomUUID();
  readonly caller: Caller = {
    organizationId: this.id,
    actor: { type: 'user', id: 'u1' },
    role: 'owner',
    permissions: [],
  };

  constructor(readonly world: World) {}

  /** A widget that the page may show. */
  create(body: Partial<WidgetBody> = {}, commandId?: string) {
    const request = {
      params: { agentId: this.agentId },
      body: { name: 'Shop', allowedOrigins: [page], ...body },
    };
    return this.world.ask(contract.widgetsCreate, request, this.caller, commandId);
  }

  get(widgetId: string) {
    return this.world.ask(contract.widgetsGet, { params: { widgetId } }, this.caller);
  }

  list() {
    return this.world.ask(
      contract.widgetsListForAgent,
      { params: { agentId: this.agentId }, query: {} },
      this.caller,
    );
  }

  update(widgetId: string, body: RequestOf<(typeof contract)['widgetsUpdate']>['body']) {
    return this.world.ask(contract.widgetsUpdate, { params: { widgetId }, body }, this.caller);
  }

  delete(widgetId: string) {
    return this.world.ask(contract.widgetsDelete, { params: { widgetId } }, this.caller);
  }
}
