// For tests of logins: two processes of the hub, an authorization server, and an MCP server that takes its tokens alone. All
// that the processes log, and all that crosses the broker, is kept.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Secret } from '@parlance/config';
import {
  type Caller,
  contract,
  type McpAuthorization,
  type McpConnection,
  type McpLoginOutcome,
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
import { environmentOf, eventually, programOf } from '@parlance/fixtures';
import { ServiceWorld, type Surroundings, startSurroundings } from '@parlance/fixtures/service';

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

interface Parties {
  readonly keyring: Keyring;
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly hubs: readonly HubProcess[];
}

export class OAuthWorld extends ServiceWorld {
  readonly keyring: Keyring;
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  /** Payloads of all messages on the broker. */
  readonly #crossed: string[] = [];
  readonly #hubs: readonly HubProcess[];

  private constructor(surroundings: Surroundings, { keyring, issuer, server, hubs }: Parties) {
    super(surroundings);
    this.keyring = keyring;
    this.issuer = issuer;
    this.server = server;
    this.#hubs = hubs;
    this.nats.subscribe('>', {
      callback: (_, message) => this.#crossed.push(Buffer.from(message.data).toString('latin1')),
    });
  }

  static async start(): Promise<OAuthWorld> {
    const surroundings = await startSurroundings('mcp-hub');
    const variables = {
      ...surroundings.variables,
      LOG_LEVEL: 'trace',
      KEK_ID: 'test',
      KEK: randomBytes(32).toString('base64'),
      EGRESS_ALLOW_PRIVATE: '127.0.0.1',
      PUBLIC_URL: publicUrl,
    };
    const issuer = await startAuthorizationServer();
    const server = await startProtectedServer({ authorizationServer: issuer });
    const keyring = new Keyring({ id: variables.KEK_ID, key: new Secret(variables.KEK) });
    const hubs = [new HubProcess(variables), new HubProcess(variables)];
    const world = new OAuthWorld(surroundings, { keyring, issuer, server, hubs });
    await eventually(() => {
      if (!world.#hubs.every(({ log }) => log.includes('"service":"mcp-hub"'))) throw new Error('not yet');
      return world.ask(contract.mcpConnections, { query: {} }, callerOf(randomUUID(), 'u1'));
    });
    return world;
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
    return this.#hubs.map(({ log }) => log).join('\n');
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

  override stop(): Promise<void> {
    return super.stop(async () => {
      await Promise.all(this.#hubs.map((hub) => hub.stop()));
      await this.server.stop();
      await this.issuer.stop();
    });
  }
}
