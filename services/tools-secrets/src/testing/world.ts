// For tests: the whole service, started on its own Postgres schema and asked over NATS.
import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  contract,
  type EventDefinition,
  type EventOf,
  eventSubject,
  makeEvent,
  type RequestOf,
  type Result,
  rolePermissions,
  type SecretRecord,
  serviceRequests,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { type RunningService, systemClock } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/persistence';
import { CallerSigner, ConfidentialRequests, connectNats, RpcClient } from '@parlance/rpc';
import { serveOperation, type TestEngines, testEngines } from '@parlance/testing';
import { Env, start } from '../index.js';
import { SecretValues } from '../secrets/secret-values.js';

type Nats = Awaited<ReturnType<typeof connectNats>>;

interface Running {
  readonly engines: TestEngines;
  readonly service: RunningService;
  readonly nats: Nats;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly signer: CallerSigner;
  readonly rpc: RpcClient;
}

const callerOf = (organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...rolePermissions.owner],
});

export class World {
  /** The answer of agents-config for each agent. An agent that is not in this map does not exist. */
  readonly mentions = new Map<string, Result<typeof serviceRequests.agentsSecretReferences>>();
  readonly db: Database;
  readonly keyring: Keyring;
  readonly nats: Nats;
  /** Opens secrets like another part of the service. */
  readonly values: SecretValues;
  readonly #running: Running;

  private constructor(running: Running) {
    this.#running = running;
    this.db = running.db;
    this.keyring = running.keyring;
    this.nats = running.nats;
    this.values = new SecretValues({ db: running.db, keyring: running.keyring, clock: systemClock });
  }

  static async start(): Promise<World> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url } = await engines.databaseFor('tools-secrets');
    const signingKey = new Secret(randomBytes(32).toString('base64'));
    const kek = new Secret(randomBytes(32).toString('base64'));
    const service = await start(
      Env.parse({
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        NATS_URL: engines.natsUrl,
        CALLER_SIGNING_KEY: signingKey.reveal(),
        POSTGRES_URL: url.reveal(),
        KEK_ID: 'test',
        KEK: kek.reveal(),
      }),
    );
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const rpc = new RpcClient(nats, {
      timeoutMs: 20_000,
      confidential: new ConfidentialRequests(signingKey),
    });
    const world = new World({
      ...{ engines, service, nats, rpc },
      db: createDatabase({ url, applicationName: 'test', max: 4 }),
      keyring: new Keyring({ id: 'test', key: kek }),
      signer: new CallerSigner(signingKey),
    });
    await serveOperation(nats, serviceRequests.agentsSecretReferences, ({ input }) => {
      const { agentId } = serviceRequests.agentsSecretReferences.body.parse(input.body);
      const data = world.mentions.get(agentId);
      return data ? { data } : { error: new AppError('AGENT_NOT_FOUND').toWire() };
    });
    return world;
  }

  /** @throws AppError */
  async ask<T extends Callable>(
    row: T,
    request: RequestOf<T>,
    organizationId: string,
    commandId?: string,
  ): Promise<Result<T>> {
    const { signer, rpc } = this.#running;
    const context = { caller: await signer.sign(callerOf(organizationId)), requestId: randomUUID() };
    return (await rpc.call(row, request, { ...context, ...(commandId && { commandId }) })).data;
  }

  create(organizationId: string, name: string, value = `value of ${name}`): Promise<SecretRecord> {
    return this.ask(contract.secretsCreate, { body: { name, value } }, organizationId);
  }

  list(organizationId: string): Promise<SecretRecord[]> {
    return this.ask(contract.secretsList, {}, organizationId);
  }

  remove(organizationId: string, secretId: string): Promise<unknown> {
    return this.ask(contract.secretsDelete, { params: { secretId } }, organizationId);
  }

  /** Publishes an event in the name of another service. */
  async tell<T extends EventDefinition>(
    definition: T,
    organizationId: string,
    data: EventOf<T>['data'],
  ): Promise<void> {
    const occurredAt = new Date().toISOString();
    const event = makeEvent(definition, { id: randomUUID(), occurredAt, organizationId, data });
    await this.nats.jetstream().publish(eventSubject(definition), JSON.stringify(event), { msgID: event.id });
  }

  async stop(): Promise<void> {
    const { engines, service, nats, db } = this.#running;
    await nats.close();
    await service.stop();
    await db.end();
    await engines.stop();
  }
}
