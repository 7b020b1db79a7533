// For tests: the service as it runs, with a site and an object storage that it reads from.

import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  serviceRequests,
} from '@parlance/contracts';
import { type RunningS3, startS3 } from '@parlance/fake-s3';
import {
  callerEnvOf,
  callerVariables,
  environmentOf,
  natsUrlOf,
  programOf,
  serveOperation,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import type { RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, start } from '../index.js';

type Nats = Awaited<ReturnType<typeof connectNats>>;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
const main = programOf('knowledge');

/** A site with pages that a test sets. Any other page is not found. */
export class Site {
  readonly pages = new Map<string, string | Handler>();
  /** The path and the status of each request, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Site> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const site = new Site(server);
    server.on('request', (request, response) => site.#answer(request, response));
    return site;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const page = this.pages.get(request.url ?? '');
    response.on('finish', () => this.asked.push(`${request.url} ${response.statusCode}`));
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === 'string')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    else page(request, response);
  }
}

/** A page with a body that is long enough to be read as an article. */
export const page = (title: string, text: string, links: readonly string[] = []): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>
   ${links.map((href) => `<a href="${href}">more</a>`).join(' ')}</body></html>`;

export class World {
  readonly site: Site;
  readonly db: Database;
  readonly storage: ObjectStorage;
  /** The environment of a service process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly nats: Nats;
  readonly #engines: TestEngines;
  readonly #s3: RunningS3;
  readonly #directory: string;
  readonly #rpc: RpcClient;

  private constructor(parts: {
    engines: TestEngines;
    s3: RunningS3;
    site: Site;
    db: Database;
    storage: ObjectStorage;
    nats: Nats;
    directory: string;
    variables: Readonly<Record<string, string>>;
  }) {
    this.site = parts.site;
    this.db = parts.db;
    this.storage = parts.storage;
    this.variables = parts.variables;
    this.nats = parts.nats;
    this.#engines = parts.engines;
    this.#s3 = parts.s3;
    this.#directory = parts.directory;
    this.#rpc = new RpcClient(parts.nats, { signer: new RequestSigner('gateway', callerEnvOf('gateway')) });
  }

  static async start(): Promise<World> {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-knowledge-'));
    const engines = await testEngines({ postgres: true, nats: true });
    const s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
    const { url } = await engines.databaseFor('knowledge');
    const variables = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrlOf(engines.natsUrl, 'knowledge'),
      ...callerVariables('knowledge'),
      POSTGRES_URL: url.reveal(),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      KNOWLEDGE_REQUESTS_PER_SECOND: '1000',
      CURSOR_KEY: randomBytes(32).toString('base64'),
      OBJECT_STORAGE_URL: s3.url,
      OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
      OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
    };
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    await serveOperation(nats, serviceRequests.agentsForCall, ({ input }) => {
      const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
      const known = { agentId, name: 'A', isActive: true, configVersion: 1, allowedOverrides: [] };
      return { data: { ...known, maxDurationSeconds: null } };
    });
    await serveOperation(nats, serviceRequests.agentsReference, () => ({
      data: { name: 'A', isOrganizationKnown: true },
    }));
    const db = createDatabase({ url, applicationName: 'test', max: 2 });
    const site = await Site.start();
    const storage = connectObjectStorage(Env.parse(variables));
    if (storage === undefined) throw new Error('no storage');
    return new World({ engines, s3, site, db, storage, nats, directory, variables });
  }

  startService(more: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    return start(Env.parse({ ...this.variables, ...more }));
  }

  /** Runs a process that is to die at the point, and resolves with the signal that ended it. */
  async dieAt(point: string): Promise<NodeJS.Signals | null> {
    const env = environmentOf({ ...this.variables, CRASH_AT: point });
    const child = spawn(process.execPath, [main], { stdio: ['ignore', 'ignore', 'inherit'], env });
    const [, signal] = await once(child, 'exit');
    // Node's own types of an event are any.
    return signal as NodeJS.Signals | null;
  }

  organization(): Caller {
    const actor = { type: 'user', id: 'u1' } as const;
    return { organizationId: randomUUID(), actor, role: 'owner', permissions: [...rolePermissions.owner] };
  }

  async ask<T extends Callable>(row: T, request: RequestOf<T>, who: Caller): Promise<Result<T>> {
    const context = { caller: who, requestId: randomUUID() };
    return (await this.#rpc.call(row, request, context)).data;
  }

  /** Publishes an event of another service. */
  async tell<T extends EventDefinition>(
    definition: T,
    { organizationId }: Caller,
    data: EventOf<T>['data'],
  ): Promise<void> {
    const occurredAt = new Date().toISOString();
    const event = makeEvent(definition, { id: randomUUID(), occurredAt, organizationId, data });
    await this.nats.jetstream().publish(eventSubject(definition), JSON.stringify(event), { msgID: event.id });
  }

  /** The key of an uploaded document. */
  async upload(who: Caller, fileName: string, content: Buffer | string): Promise<string> {
    const bytes = String(Buffer.byteLength(content));
    const query = { fileName, contentType: 'application/octet-stream', bytes };
    const { uploadUrl, fileKey } = await this.ask(contract.knowledgeUploadUrl, { query }, who);
    const headers = { 'content-type': 'application/octet-stream' };
    const stored = await fetch(uploadUrl, {
      method: 'PUT',
      body: new Uint8Array(Buffer.from(content)),
      headers,
    });
    if (!stored.ok) throw new Error(`not uploaded: ${stored.status}`);
    return fileKey;
  }

  async stop(): Promise<void> {
    await this.nats.close();
    await this.db.end();
    this.storage.close();
    await this.site.stop();
    await this.#s3.stop();
    await this.#engines.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
