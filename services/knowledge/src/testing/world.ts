// For tests: the service as it runs, with a site and an object storage that it reads from.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { type RunningS3, startS3 } from '@parlance/fake-s3';
import { environmentOf, programOf, serveOperation } from '@parlance/fixtures';
import { ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import type { RunningService } from '@parlance/observability';
import { Env, start } from '../index.js';

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

interface Sources {
  readonly site: Site;
  readonly s3: RunningS3;
  readonly storage: ObjectStorage;
  /** The data folder of the object storage. */
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
}

export class World extends ServiceWorld {
  readonly site: Site;
  readonly storage: ObjectStorage;
  /** The environment of a service process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #sources: Sources;

  private constructor(surroundings: Surroundings, sources: Sources) {
    super(surroundings);
    this.site = sources.site;
    this.storage = sources.storage;
    this.variables = sources.variables;
    this.#sources = sources;
  }

  static async start(): Promise<World> {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-knowledge-'));
    const surroundings = await startSurroundings('knowledge');
    const s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
    const variables = {
      ...surroundings.variables,
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      KNOWLEDGE_REQUESTS_PER_SECOND: '1000',
      OBJECT_STORAGE_URL: s3.url,
      OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
      OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
    };
    const site = await Site.start();
    const storage = connectObjectStorage(Env.parse(variables));
    if (storage === undefined) throw new Error('no storage');
    const world = new World(surroundings, { site, s3, storage, directory, variables });
    await world.#neighbours();
    return world;
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

  override stop(): Promise<void> {
    const { site, s3, storage, directory } = this.#sources;
    return super.stop(async () => {
      storage.close();
      await site.stop();
      await s3.stop();
      rmSync(directory, { recursive: true, force: true });
    });
  }

  async #neighbours(): Promise<void> {
    const { agentsForCall, agentsReference } = serviceRequests;
    await serveOperation(this.nats, agentsForCall, ({ input }) => {
      const { agentId } = agentsForCall.body.parse(input.body);
      const known = { agentId, name: 'A', isActive: true, configVersion: 1, allowedOverrides: [] };
      return { data: { ...known, maxDurationSeconds: null } };
    });
    await serveOperation(this.nats, agentsReference, () => ({
      data: { name: 'A', isOrganizationKnown: true },
    }));
  }
}
