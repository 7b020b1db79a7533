// For the tests of webhooks: deliveries in a real Postgres, real receivers, and a clock that only the test moves.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Secret } from '@parlance/config';
import { Keyring } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { derivedSecrets, WebhookSender } from '@parlance/webhooks';
import { type DelivererOptions, WebhookDeliverer } from '../webhooks/deliverer.js';
import { addDelivery } from '../webhooks/deliveries-repository.js';
import { type Attempt, endpointOf, sealTarget } from '../webhooks/delivery.js';
import type { PayloadOf } from '../webhooks/payload.js';

export const signingKey = new Secret('k'.repeat(32));

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Listens on 127.0.0.1, or another address of this machine; answers as the test wants, 200 unless it says. */
export class Receiver {
  readonly received: Received[] = [];
  connections = 0;
  answer: Answer = (response) => response.end();
  readonly #server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.received.push({ path: request.url ?? '', headers: request.headers, body });
    this.answer(response, request);
  });
  url = '';

  static async start(host = '127.0.0.1'): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.on('connection', () => {
      receiver.connections += 1;
    });
    await new Promise<void>((resolve) => receiver.#server.listen(0, host, resolve));
    const address = receiver.#server.address();
    receiver.url = `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
    return receiver;
  }

  ids(): (string | string[] | undefined)[] {
    return this.received.map(({ headers }) => headers['webhook-id']);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface Row {
  readonly status: string;
  readonly tries: number;
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: Date | null;
  readonly target: string | null;
  readonly sequence: number;
}

export class WebhookWorld {
  readonly organizationId: string = randomUUID();
  readonly keyring = new Keyring({ id: 'k1', key: new Secret(randomBytes(32).toString('base64')) });
  readonly egress = new Egress({ allowPrivate: ['127.0.0.1'] });
  readonly sender = new WebhookSender({ egress: this.egress, secrets: derivedSecrets(signingKey) });
  /** The current time, until the test sets another. */
  time = new Date();
  /** The payload of webhooks. */
  payloadOf: PayloadOf = async ({ id, type, sequence }) => ({
    body: JSON.stringify({ id, type, sequence }),
    values: () => undefined,
  });

  private constructor(
    readonly engines: TestEngines,
    readonly db: Database,
  ) {}

  static async start(): Promise<WebhookWorld> {
    const engines = await testEngines({ postgres: true });
    const { url } = await engines.databaseFor('calls-logs');
    const db = createDatabase({ url, applicationName: 'webhooks-test' });
    await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
    return new WebhookWorld(engines, db);
  }

  async stop(): Promise<void> {
    await this.egress.close();
    await this.db.end();
    await this.engines.stop();
  }

  /** Another copy of the deliverer; chance is always in the middle. */
  copy(change: Partial<DelivererOptions> = {}): WebhookDeliverer {
    return new WebhookDeliverer({
      db: this.db,
      keyring: this.keyring,
      sender: this.sender,
      payloadOf: (delivery, target) => this.payloadOf(delivery, target),
      clock: { now: () => this.time },
      logger: createLogger({ service: 'test', level: 'silent' }),
      random: () => 0.5,
      ...change,
    });
  }

  /** Records a delivery about a new call. @returns the webhook-id */
  async tell(
    url: string,
    change: {
      timeoutMs?: number;
      callId?: string;
      agentId?: string;
      configuredAt?: string;
      organizationId?: string;
    } = {},
  ) {
    const { organizationId = this.organizationId } = change;
    const { timeoutMs = 5_000, callId = randomUUID(), configuredAt = '2026-01-01T00:00:00.000Z' } = change;
    const { agentId = randomUUID() } = change;
    const id = randomUUID();
    const webhook = {
      ...{ url, timeoutMs, headers: {}, method: 'POST' as const, enabled: true },
      events: ['call.ended' as const],
    };
    const target = sealTarget(this.keyring, id, { agentId, webhook, variables: {}, timezone: 'UTC' });
    const delivery = {
      ...{ id, organizationId, agentId, callId, type: 'call.ended' as const, revision: 3n },
      occurredAt: this.time,
      endpointId: endpointOf(organizationId, url),
      origin: new URL(url).origin,
      configuredAt,
      target,
    };
    await this.db.transaction((tx) => addDelivery(tx, delivery, this.time));
    return id;
  }

  async row(id: string): Promise<Row> {
    const { rows } = await this.db.query<Row>(
      'select status, tries, attempts, next_attempt_at, target, sequence from webhook_deliveries where id = $1',
      [id],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('there is no such delivery');
    return row;
  }

  later(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}
