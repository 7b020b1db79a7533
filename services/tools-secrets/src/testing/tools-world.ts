// For tests of tools: the whole service, stand-ins for the services that it asks, and a customer's system.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  contract,
  type EventDefinition,
  EventEnvelope,
  eventSubject,
  events,
  makeEvent,
  type RequestOf,
  type Result,
  serviceRequests,
  type Tool,
  type ToolResult,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/persistence';
import { CallerSigner, ConfidentialRequests, callerOfCall, connectNats, RpcClient } from '@parlance/rpc';
import { serveOperation, type TestEngines, testEngines } from '@parlance/testing';
import { Env, start } from '../index.js';

type Nats = Awaited<ReturnType<typeof connectNats>>;

/** A request that the customer's system received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** A customer's system. A test sets the answer of each path. */
export class CustomerSystem {
  readonly received: Received[] = [];
  readonly answers = new Map<string, RequestListener>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      void readBody(request).then((body) => {
        const { method = '', url = '', headers } = request;
        this.received.push({ method, url, headers, body });
        const answer = this.answers.get(path);
        if (answer) answer(request, response);
        else response.setHeader('content-type', 'application/json').end(JSON.stringify({ path, ok: true }));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  url(path: string): string {
    const { port } = this.#server.address() as AddressInfo; // listening on a port, so not a path
    return `http://127.0.0.1:${port}${path}`;
  }

  /** The requests that came to this path. */
  sentTo(path: string): Received[] {
    return this.received.filter(({ url }) => url.split('?', 1)[0] === path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface Running {
  readonly engines: TestEngines;
  readonly service: RunningService;
  readonly nats: Nats;
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly signer: CallerSigner;
  readonly system: CustomerSystem;
}

const facts = {
  channel: 'phone',
  direction: 'outbound',
  fromNumber: '+14155550100',
  toNumber: '+14155550199',
};

export class ToolsWorld {
  readonly nats: Nats;
  readonly db: Database;
  readonly system: CustomerSystem;
  readonly published: EventEnvelope[] = [];
  /** The dynamic variables of every call. */
  variables: Record<string, string> = { customer: 'Ada' };
  readonly #running: Running;

  private constructor(running: Running) {
    this.#running = running;
    this.nats = running.nats;
    this.db = running.db;
    this.system = running.system;
  }

  static async start(): Promise<ToolsWorld> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url } = await engines.databaseFor('tools-secrets');
    const signingKey = new Secret(randomBytes(32).toString('base64'));
    const system = new CustomerSystem();
    await system.listen();
    const service = await start(
      Env.parse({
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        NATS_URL: engines.natsUrl,
        CALLER_SIGNING_KEY: signingKey.reveal(),
        POSTGRES_URL: url.reveal(),
        KEK_ID: 'test',
        KEK: randomBytes(32).toString('base64'),
        EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      }),
    );
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const confidential = new ConfidentialRequests(signingKey);
    const rpc = new RpcClient(nats, { confidential, timeoutMs: 30_000 });
    const db = createDatabase({ url, applicationName: 'test', max: 2 });
    const signer = new CallerSigner(signingKey);
    const world = new ToolsWorld({ engines, service, nats, db, rpc, signer, system });
    await world.#neighbours();
    return world;
  }

  organization(): ToolsOrganization {
    return new ToolsOrganization(this, randomUUID());
  }

  async ask<T extends Callable>(row: T, request: RequestOf<T>, caller: Caller): Promise<Result<T>> {
    const { rpc, signer } = this.#running;
    return (await rpc.call(row, request, { caller: await signer.sign(caller), requestId: randomUUID() }))
      .data;
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
    data: Parameters<typeof makeEvent<T>>[1]['data'],
  ): Promise<void> {
    const event = makeEvent(definition, {
      ...{ id: randomUUID(), occurredAt: new Date().toISOString(), organizationId, data },
    });
    await this.nats.jetstream().publish(eventSubject(event), JSON.stringify(event));
  }

  async stop(): Promise<void> {
    const { service, nats, engines, system, db } = this.#running;
    await db.end();
    await system.stop();
    await nats.close();
    await service.stop();
    await engines.stop();
  }

  async #neighbours(): Promise<void> {
    this.nats.subscribe('parlance.evt.tools-secrets.>', {
      callback: (_, message) => this.published.push(EventEnvelope.parse(message.json())),
    });
    await serveOperation(this.nats, serviceRequests.agentsForCall, ({ input }) => {
      const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
      if (!agentId.startsWith('a')) return { error: new AppError('AGENT_NOT_FOUND').toWire() };
      const about = { isActive: true, configVersion: 1, allowedOverrides: [], maxDurationSeconds: null };
      return { data: { agentId, name: 'Desk', ...about } };
    });
    await serveOperation(this.nats, serviceRequests.agentsPostCallWebhook, () => ({
      data: {
        ...{ version: 1, configuredAt: new Date().toISOString(), webhook: null, timezone: 'UTC' },
        variables: { city: 'Paris' },
      },
    }));
    await serveOperation(this.nats, contract.callsGet, ({ input }) => {
      const { callId } = contract.callsGet.params.parse(input.params);
      const at = new Date().toISOString();
      const log = { id: callId, configVersion: 1, campaignId: null, startedAt: at, answeredAt: at };
      return { data: { ...log, ...facts, dynamicVariables: this.variables } };
    });
  }
}

/** The id of an agent that agents-config knows. */
export const newAgentId = (): string => `a${randomUUID().slice(1)}`;

export class ToolsOrganization {
  readonly caller: Caller;

  constructor(
    readonly world: ToolsWorld,
    readonly id: string,
  ) {
    this.caller = { organizationId: id, actor: { type: 'user', id: 'u1' }, role: 'owner', permissions: [] };
  }

  /** Creates a tool named `name` that calls `path` of the customer's system. */
  create(name: string, path: string, change: ToolChange = {}): Promise<Tool> {
    const { request, ...rest } = change;
    const body = {
      ...{ name, description: 'Looks something up.' },
      ...rest,
      request: { method: 'GET' as const, url: this.world.system.url(path), ...request },
    };
    return this.world.ask(contract.toolsCreate, { body }, this.caller);
  }

  update(toolId: string, body: RequestOf<(typeof contract)['toolsUpdate']>['body']): Promise<Tool> {
    return this.world.ask(contract.toolsUpdate, { params: { toolId }, body }, this.caller);
  }

  attach(toolId: string, agentId: string) {
    return this.world.ask(contract.toolsAttach, { params: { toolId, agentId } }, this.caller);
  }

  list(): Promise<Tool[]> {
    return this.world.ask(contract.toolsList, {}, this.caller);
  }

  test(toolId: string, args: Args = {}, agentId?: string) {
    const body = { arguments: args, ...(agentId === undefined ? {} : { agentId }) };
    return this.world.ask(contract.toolsTest, { params: { toolId }, body }, this.caller);
  }

  /** Runs a tool like the runtime of the agent's call. */
  run(call: { agentId: string; callId: string }, toolName: string, args: Args = {}, executionId?: string) {
    const caller = callerOfCall({ organizationId: this.id, ...call });
    const body = { arguments: args, ...(executionId === undefined ? {} : { executionId }) };
    const params = { callId: call.callId, toolName };
    return this.world.ask(contract.toolsRunInCall, { params, body }, caller) as Promise<ToolResult>;
  }

  /** A new call of a new agent that has these tools. */
  async inCall(...tools: readonly Tool[]): Promise<{ agentId: string; callId: string }> {
    const agentId = newAgentId();
    for (const tool of tools) await this.attach(tool.id, agentId);
    return { agentId, callId: `call_${randomUUID()}` };
  }

  async secret(name: string, value: string) {
    return this.world.ask(contract.secretsCreate, { body: { name, value } }, this.caller);
  }

  endCall(call: { agentId: string; callId: string }, endedAt: Date): Promise<void> {
    const at = endedAt.toISOString();
    return this.world.tell(events.callEnded, this.id, {
      ...call,
      ...{
        outboundCallId: null,
        campaignId: null,
        status: 'completed',
        outcome: 'answered',
        costMicros: null,
      },
      ...{ endedReason: 'user_hangup', answeredBy: null, durationSeconds: 1 },
      ...{ startedAt: at, answeredAt: at, endedAt: at },
    });
  }
}

type Args = RequestOf<(typeof contract)['toolsTest']>['body']['arguments'];
type ToolBody = RequestOf<(typeof contract)['toolsCreate']>['body'];
type ToolChange = Partial<Omit<ToolBody, 'request'>> & { readonly request?: Partial<ToolBody['request']> };

/** The error code of a refused request, or another error. Undefined for a request that succeeded. */
export const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
