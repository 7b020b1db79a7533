// Connections of an organization: made, changed, refreshed, listed and ended.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  events,
  type McpCatalogEntry,
  type McpConnection,
  type McpConnectionInput,
  type McpConnectionUpdate,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { Keyring } from '@parlance/crypto';
import { UrlRules } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { announce, Cursors, refuseClosed, type Tx } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Host, type NoteSecrets, savingSecrets, secretsInUse } from '@parlance/service-host';
import { refuseOrigin } from '@parlance/webhooks';
import { connectionAttachments } from '../agents/attachments.js';
import { curatedServer, curatedServers } from '../catalog/curated.js';
import { endTokens } from '../oauth/tokens.js';
import { Sessions } from '../protocol/sessions.js';
import { approveOffered, approveTool, enableTools } from '../tools/tools-repository.js';
import { usesOf } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';
import {
  connectedSlugs,
  countConnections,
  deleteConnection,
  getConnection,
  insertConnection,
  listConnections,
  lockConnection,
  type NewConnection,
  type SavedConnection,
  updateConnection,
} from './connections-repository.js';
import { refuseReserved, type StoredHeaders, sealHeaders } from './header-values.js';
import { Refreshes } from './refresh.js';
import { mayAllow, type Named, secretsOf } from './secret-uses.js';
import { secretsOfConnection } from './secrets-in-use.js';
import { checkServerUrl } from './server-url.js';
import { shownConnection, shownConnections } from './shown.js';

type Contract = typeof contract;
type References = (typeof serviceRequests)['mcpSecretReferences'];

/** The list of connections has no pages. Commands at the same time may exceed this limit, because each counts by itself. */
const maxConnections = 100;

type Auth = McpConnection['auth'];

const asAuth = (auth: NonNullable<McpConnectionInput['auth']>): Auth => {
  if (auth.headerName !== undefined) refuseReserved('body.auth', [auth.headerName]);
  const { type, headerName, clientId, secretId = null } = auth;
  return {
    ...{ type, secretId },
    ...(headerName === undefined ? {} : { headerName }),
    ...(clientId === undefined ? {} : { clientId }),
  };
};

const withoutAuth: Auth = { type: 'none', secretId: null };

@Controller()
@Serves()
export class ConnectionsController {
  constructor(
    private readonly host: Host,
    private readonly cursors: Cursors,
    private readonly keyring: Keyring,
    private readonly urls: UrlRules,
    private readonly sessions: Sessions,
    private readonly refreshes: Refreshes,
  ) {}

  async 'mcp.catalog'({ caller }: RpcRequest<Contract['mcpCatalog']>): Promise<McpCatalogEntry[]> {
    const connected = await connectedSlugs(this.host.db, caller.organizationId);
    return curatedServers.map(({ reviewedOn: _reviewedOn, ...server }) => ({
      ...server,
      auth: { ...server.auth },
      source: 'curated',
      connectedId: connected.get(server.slug) ?? null,
    }));
  }

  async 'mcp.connections'({
    query,
    caller,
  }: RpcRequest<Contract['mcpConnections']>): Promise<Answer<McpConnection[]>> {
    const { db } = this.host;
    const { organizationId } = caller;
    const scope = { organizationId, route: 'mcp.connections', filters: {} };
    const { rows, next } = await this.cursors.page(scope, query, (keyset) =>
      listConnections(db, organizationId, keyset),
    );
    return answer(await shownConnections(db, organizationId, rows), next);
  }

  async 'mcp.connect'({
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['mcpConnect']>): Promise<McpConnection> {
    const { organizationId } = caller;
    // With an Idempotency-Key the connection takes the command's id, so that a second try finds the one of the first.
    const id = commandId ?? this.host.ids.next();
    const made = this.#made(organizationId, id, body);
    await savingSecrets(this.host, { organizationId, requestId }, async (tx, note) => {
      await refuseClosed(tx, organizationId);
      if (!(await insertConnection(tx, organizationId, made))) return;
      if ((await countConnections(tx, organizationId)) > maxConnections) {
        throw new AppError('CONFLICT', { details: { maxConnections } });
      }
      await this.#note(note, caller, made);
      await this.#tell(tx, organizationId, id);
    });
    await this.refreshes.now(organizationId, id);
    return shownConnection(this.host.db, organizationId, id);
  }

  async 'mcp.update'({
    params,
    body,
    caller,
    requestId,
  }: RpcRequest<Contract['mcpUpdate']>): Promise<McpConnection> {
    const { organizationId } = caller;
    const { db, clock } = this.host;
    const id = params.mcpConnectionId;
    const isNew = body.auth !== undefined || body.headers !== undefined;
    await savingSecrets(this.host, { organizationId, requestId }, async (tx, note) => {
      await refuseClosed(tx, organizationId);
      const stored = await lockConnection(tx, organizationId, id);
      const saved = this.#changed(stored, body);
      await updateConnection(tx, stored, saved, { isNew, now: clock.now() });
      if (body.auth !== undefined) await endTokens(tx, { organizationId, connectionId: id });
      if (saved.approval_policy !== stored.approval_policy) await approveOffered(tx, organizationId, id);
      await enableTools(tx, organizationId, id, body.tools ?? []);
      if (isNew) await this.#note(note, caller, { id, url: stored.url, ...saved }, stored);
      await this.#tell(tx, organizationId, id);
    });
    if (isNew) {
      this.sessions.forget(id);
      await this.refreshes.now(organizationId, id);
    }
    return shownConnection(db, organizationId, id);
  }

  async 'mcp.refresh'({ params, caller }: RpcRequest<Contract['mcpRefresh']>): Promise<McpConnection> {
    const { organizationId } = caller;
    await getConnection(this.host.db, organizationId, params.mcpConnectionId);
    await this.refreshes.now(organizationId, params.mcpConnectionId);
    return shownConnection(this.host.db, organizationId, params.mcpConnectionId);
  }

  async 'mcp.approve'({ params, body, caller }: RpcRequest<Contract['mcpApprove']>): Promise<McpConnection> {
    const { organizationId } = caller;
    const { mcpConnectionId, toolName } = params;
    await getConnection(this.host.db, organizationId, mcpConnectionId);
    await approveTool(this.host.db, organizationId, mcpConnectionId, { name: toolName, hash: body.hash });
    return shownConnection(this.host.db, organizationId, mcpConnectionId);
  }

  async 'mcp.disconnect'({ params, caller }: RpcRequest<Contract['mcpDisconnect']>): Promise<undefined> {
    const { organizationId } = caller;
    const id = params.mcpConnectionId;
    await this.host.db.transaction(async (tx) => {
      await lockConnection(tx, organizationId, id);
      await connectionAttachments.detachFromAll(tx, this.host, organizationId, id);
      await endTokens(tx, { organizationId, connectionId: id });
      await deleteConnection(tx, organizationId, id);
      await this.#tell(tx, organizationId, id);
    });
    this.sessions.forget(id);
  }

  async 'mcp.secretReferences'({ body, caller }: RpcRequest<References>): Promise<Result<References>> {
    const { organizationId } = caller;
    const resource = { organizationId, type: 'mcp_connection', id: body.mcpConnectionId } as const;
    const read = secretsOfConnection(this.keyring);
    return secretsInUse(this.host.db, resource, (tx) => read(tx, organizationId, body.mcpConnectionId));
  }

  #made(organizationId: string, id: string, body: McpConnectionInput): NewConnection {
    const server = this.#serverOf(body);
    const identity = { organizationId, connectionId: id, url: server.url };
    const headers = sealHeaders(this.keyring, identity, body.headers ?? {}, {});
    const { approvalPolicy: approval_policy, timeoutMs: timeout_ms } = body;
    return { ...server, id, headers, approval_policy, timeout_ms, now: this.host.clock.now() };
  }

  #serverOf(
    body: McpConnectionInput,
  ): Pick<NewConnection, 'catalog_slug' | 'name' | 'url' | 'transport' | 'auth'> {
    if (!('catalogSlug' in body)) {
      const { name, transport } = body;
      const auth = body.auth === undefined ? withoutAuth : asAuth(body.auth);
      return { catalog_slug: null, name, url: checkServerUrl(body.url, this.urls), transport, auth };
    }
    const curated = curatedServer(body.catalogSlug);
    if (curated === undefined)
      throw new AppError('NOT_FOUND', { details: { catalogSlug: body.catalogSlug } });
    const { slug, name, url, transport } = curated;
    const auth = body.auth === undefined ? { ...curated.auth, secretId: null } : asAuth(body.auth);
    return { catalog_slug: slug, name, url: checkServerUrl(url, this.urls), transport, auth };
  }

  #changed(stored: ConnectionRow, body: McpConnectionUpdate): SavedConnection {
    const identity = {
      organizationId: stored.organization_id,
      connectionId: stored.id,
      url: stored.url,
    };
    const headers: StoredHeaders =
      body.headers === undefined
        ? stored.headers
        : sealHeaders(this.keyring, identity, body.headers, stored.headers);
    return {
      name: body.name ?? stored.name,
      auth: body.auth === undefined ? stored.auth : asAuth(body.auth),
      headers,
      approval_policy: body.approvalPolicy ?? stored.approval_policy,
      timeout_ms: body.timeoutMs ?? stored.timeout_ms,
    };
  }

  /**
   * Notes the secrets of a save. The authorization server that gets a secret of OAuth is known only at the login, so that naming one
   * takes the right to allow origins.
   * @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED
   */
  async #note(
    note: NoteSecrets,
    caller: Caller,
    saved: Named & Pick<ConnectionRow, 'url'>,
    before?: Pick<ConnectionRow, 'auth'>,
  ): Promise<void> {
    const { type, secretId } = saved.auth;
    const isNew = before?.auth.type !== type || before.auth.secretId !== secretId;
    if (type === 'oauth2' && secretId !== null && isNew && !mayAllow(caller))
      refuseOrigin(undefined, [secretId]);
    await note(secretsOf(saved, usesOf(saved), caller));
  }

  #tell(tx: Tx, organizationId: string, mcpConnectionId: string): Promise<void> {
    return announce(tx, this.host, events.mcpConnectionSaved, organizationId, { mcpConnectionId });
  }
}
