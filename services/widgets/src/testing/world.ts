// For tests: the whole service on its own Postgres schema, asked over NATS; LiveKit's stand-in; and its neighbours.
import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  contract,
  type EventDefinition,
  EventEnvelope,
  type EventOf,
  eventSubject,
  makeEvent,
  type RequestOf,
  type Result,
  type WidgetSession,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { callerEnvOf, callerVariables, natsUrlOf, type TestEngines, testEngines } from '@parlance/fixtures';
import type { RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats, EventSeals, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, start } from '../index.js';
import { type MediaServer, startMediaServer } from './media-server.js';
import { Neighbours } from './neighbours.js';

/** Opens what the service tells calls-logs. */
const seals = new EventSeals('calls-logs', callerEnvOf('calls-logs'));

type Nats = Awaited<ReturnType<typeof connectNats>>;
type SessionRequest = RequestOf<(typeof contract)['widgetsStartSession']>['body'];
type WidgetBody = RequestOf<(typeof contract)['widgetsCreate']>['body'];

export const page = 'https://shop.example.com';

/** The origin of requests to the service: a page, and an address behind it. */
export interface Visitor {
  readonly origin?: string | null;
  readonly address?: string;
}

export class World {
  readonly neighbours = new Neighbours();
  /** The events that the service has announced. */
  readonly published: EventEnvelope[] = [];
  readonly #services: RunningService[] = [];

  private constructor(
    readonly engines: TestEngines,
    readonly media: MediaServer,
    readonly nats: Nats,
    readonly db: Database,
    readonly variables: Readonly<Record<string, string>>,
    readonly rpc: RpcClient,
  ) {}

  /** Starts all but the service itself, which a test may run as a process. */
  static async startNeighbours(more: Readonly<Record<string, string>> = {}): Promise<World> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url } = await engines.databaseFor('widgets');
    const kek = new Secret(randomBytes(32).toString('base64'));
    const media = await startMediaServer();
    const variables = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrlOf(engines.natsUrl, 'widgets'),
      ...callerVariables('widgets'),
      POSTGRES_URL: url.reveal(),
      CURSOR_KEY: randomBytes(32).toString('base64'),
      KEK_ID: 'test',
      KEK: kek.reveal(),
      LIVEKIT_URL: media.url,
      LIVEKIT_WS_URL: 'wss://media.example.com',
      LIVEKIT_API_KEY: media.apiKey,
      LIVEKIT_API_SECRET: media.apiSecret,
      WIDGET_BASE_URL: 'https://parlance.example.com',
      ...more,
    };
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const db = createDatabase({ url, applicationName: 'test', max: 2 });
    const rpc = new RpcClient(nats, {
      signer: new RequestSigner('gateway', callerEnvOf('gateway')),
      timeoutMs: 30_000,
    });
    const world = new World(engines, media, nats, db, variables, rpc);
    await world.neighbours.serve(nats, new Keyring({ id: 'test', key: kek }));
    nats.subscribe('parlance.evt.widgets.>', {
      callback: (_, message) => world.published.push(seals.open(EventEnvelope.parse(message.json()))),
    });
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

  /** @throws AppError */
  async ask<T extends Callable>(
    row: T,
    request: RequestOf<T>,
    caller: Caller,
    commandId?: string,
  ): Promise<Result<T>> {
    const context = { caller, requestId: randomUUID() };
    return (await this.rpc.call(row, request, { ...context, ...(commandId && { commandId }) })).data;
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

  async stop(): Promise<void> {
    await this.db.end();
    await this.nats.close();
    for (const service of this.#services) await service.stop();
    await this.media.stop();
    await this.engines.stop();
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
