// For tests of logins: two processes of the hub, an authorization server, and an MCP server that takes its tokens alone. All
// that the processes log, and all that crosses the broker, is kept.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Secret } from '@parlance/config';
import {
  type Callable,
  type Caller,
  contract,
  type McpAuthorization,
  type McpConnection,
  type McpLoginOutcome,
  type RequestOf,
  type Result,
  rolePermissions,
  serviceRequests,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import {
  type AuthorizationServer,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from '@parlance/fake-mcp/oauth';
import {
  callerEnvOf,
  callerVariables,
  environmentOf,
  eventually,
  natsUrlOf,
  programOf,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats, RequestSigner, RpcClient } from '@parlance/rpc';

type Nats = Awaited<ReturnType<typeof connectNats>>;

export const publicUrl = 'https://parlance.example';
const main = programOf('mcp-hub');

/** A person of an organization, or an API key. */
export const callerOf = (organizationId: string, id: string, type: 'user' | 'key' = 'user'): Caller => ({
  organizationId,
  actor: { type, id },
  role: type === 'key' ? 'key' : 'owner',
  permissions: [...rolePermissions.owner],
});

class HubProcess {
  readonly #child: ChildProcess;
  readonly #said: Buffer[] = [];

  constructor(variables: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentOf(variables),
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#said.push(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#said.push(chunk));
  }

  get log(): string {
    return Buffer.concat(this.#said).toString('utf8');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

interface Running {
  readonly engines: TestEngines;
  readonly nats: Nats;
  readonly keyring: Keyring;
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly hubs: readonly HubProcess[];
}

export class OAuthWorld {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  /** Payloads of all messages on the broker. */
  readonly #crossed: string[] = [];
  readonly #running: Running;

  private constructor(running: Running) {
    this.#running = running;
    this.db = running.db;
    this.keyring = running.keyring;
    this.issuer = running.issuer;
    this.server = running.server;
    running.nats.subscribe('>', {
      callback: (_, message) => this.#crossed.push(Buffer.from(message.data).toString('latin1')),
    });
  }

  static async start(): Promise<OAuthWorld> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url } = await engines.databaseFor('mcp-hub');
    const variables = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'trace',
      NATS_URL: natsUrlOf(engines.natsUrl, 'mcp-hub'),
      ...callerVariables('mcp-hub'),
      POSTGRES_URL: url.reveal(),
      CURSOR_KEY: randomBytes(32).toString('base64'),
      KEK_ID: 'test',
      KEK: randomBytes(32).toString('base64'),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      PUBLIC_URL: publicUrl,
    };
    const issuer = await startAuthorizationServer();
    const server = await startProtectedServer({ authorizationServer: issuer });
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    const world = new OAuthWorld({
      keyring: new Keyring({ id: variables.KEK_ID, key: new Secret(variables.KEK) }),
      ...{ engines, nats, issuer, server, hubs: [new HubProcess(variables), new HubProcess(variables)] },
      db: createDatabase({ url, applicationName: 'test', max: 2 }),
      rpc: new RpcClient(nats, {
        signer: new RequestSigner('gateway', callerEnvOf('gateway')),
        timeoutMs: 30_000,
      }),
    });
    await eventually(() => {
      if (!world.#running.hubs.every(({ log }) => log.includes('"service":"mcp-hub"')))
        throw new Error('not yet');
      return world.ask(contract.mcpConnections, { query: {} }, callerOf(randomUUID(), 'u1'));
    });
    return world;
  }

  /** @throws AppError */
  async ask<T extends Callable>(row: T, request: RequestOf<T>, caller: Caller): Promise<Result<T>> {
    const { rpc } = this.#running;
    const context = { caller, requestId: randomUUID() };
    return (await rpc.call(row, request, context)).data;
  }

  connect(caller: Caller, url = this.server.url): Promise<McpConnection> {
    const body = { name: 'Protected', url, auth: { type: 'oauth2' as const } };
    return this.ask(contract.mcpConnect, { body }, caller);
  }

  async get(caller: Caller, id: string): Promise<McpConnection> {
    const found = (await this.ask(contract.mcpConnections, { query: {} }, caller)).find(
      (each) => each.id === id,
    );
    if (found === undefined) throw new Error('no such connection');
    return found;
  }

  authorize(caller: Caller, mcpConnectionId: string): Promise<McpAuthorization> {
    return this.ask(contract.mcpAuthorize, { params: { mcpConnectionId } }, caller);
  }

  /** Hands the hub the parameters with which the authorization server sent the person back. */
  async finish(caller: Caller, back: URL): Promise<McpLoginOutcome> {
    const { state = '', code, iss } = Object.fromEntries(back.searchParams);
    const body = { state, ...(code !== undefined && { code }), ...(iss !== undefined && { iss }) };
    return (await this.ask(serviceRequests.mcpFinishLogin, { body }, caller)).outcome;
  }

  /** The answer of the tool that names the owner of the token. */
  async whoAmI(caller: Caller, mcpConnectionId: string): Promise<unknown> {
    const params = { mcpConnectionId, toolName: 'whoami' };
    const { content } = await this.ask(contract.mcpExecute, { params, body: { arguments: {} } }, caller);
    return content[0]?.text;
  }

  get logs(): string {
    return this.#running.hubs.map(({ log }) => log).join('\n');
  }

  get crossed(): string {
    return this.#crossed.join('\n');
  }

  /** Every row of every table, as text. */
  async stored(): Promise<string> {
    const { rows: tables } = await this.db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await this.db.query<{ row: string }>(`select t::text as row from "${name}" t`);
        return rows.map(({ row }) => `${name} ${row}`).join('\n');
      }),
    );
    return texts.join('\n');
  }

  async stop(): Promise<void> {
    const { hubs, db, nats, server, issuer, engines } = this.#running;
    await Promise.all(hubs.map((hub) => hub.stop()));
    await db.end();
    await nats.close();
    await server.stop();
    await issuer.stop();
    await engines.stop();
  }
}
