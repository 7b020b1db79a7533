// Connections of an organization: made, changed, refreshed, listed and ended.
import { Controller } from '@nestjs/common';
import {
  type contract,
  events,
  type McpCatalogEntry,
  type McpConnection,
  type McpConnectionInput,
  type McpConnectionUpdate,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce, refuseClosed, type Tx } from '@parlance/persistence';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { detachFromAll } from '../agents/attachments.js';
import { curatedServer, curatedServers } from '../catalog/curated.js';
import { endTokens } from '../oauth/tokens.js';
import { Parts } from '../parts.js';
import { approveOffered, approveTool, enableTools } from '../tools/tools-repository.js';
import { secretIdsOf } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';
import {
  connectedSlugs,
  countConnections,
  deleteConnection,
  findConnection,
  getConnection,
  insertConnection,
  listConnections,
  lockConnection,
  type NewConnection,
  type SavedConnection,
  updateConnection,
} from './connections-repository.js';
import { refuseReserved, type StoredHeaders, sealHeaders } from './header-values.js';
import { refreshNow } from './refresh.js';
import { checkServerUrl } from './server-url.js';
import { shownConnection, shownConnections } from './shown.js';

type Contract = typeof contract;

/** The list of connections has no pages. Commands at the same time may exceed this limit, because each counts by itself. */
const maxConnections = 100;

type Auth = McpConnection['auth'];

const asAuth = (auth: NonNullable<McpConnectionInput['auth']>): Auth => {
  if (auth.headerName !== undefined) refuseReserved('body.auth', [auth.headerName]);
  const { type, headerName, secretId = null } = auth;
  return { type, ...(headerName === undefined ? {} : { headerName }), secretId };
};

const withoutAuth: Auth = { type: 'none', secretId: null };

interface About {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

@Controller()
@Serves()
export class ConnectionsController {
  constructor(private readonly parts: Parts) {}

  async 'mcp.catalog'({ caller }: RpcRequest<Contract['mcpCatalog']>): Promise<McpCatalogEntry[]> {
    const connected = await connectedSlugs(this.parts.db, caller.organizationId);
    return curatedServers.map(({ reviewedOn: _reviewedOn, ...server }) => ({
      ...server,
      auth: { ...server.auth },
      source: 'curated',
      connectedId: connected.get(server.slug) ?? null,
    }));
  }

  async 'mcp.connections'({ caller }: RpcRequest<Contract['mcpConnections']>): Promise<McpConnection[]> {
    const { organizationId } = caller;
    return shownConnections(
      this.parts.db,
      organizationId,
      await listConnections(this.parts.db, organizationId),
    );
  }

  async 'mcp.connect'({
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['mcpConnect']>): Promise<McpConnection> {
    const { organizationId } = caller;
    // With an Idempotency-Key the connection takes the command's id, so that a second try finds the one of the first.
    const id = commandId ?? this.parts.ids.next();
    const made = this.#made(organizationId, id, body);
    const about = { organizationId, id, name: made.name };
    await this.#referring(about, { requestId, secretIds: secretIdsOf(made) }, async (tx) => {
      await refuseClosed(tx, organizationId);
      if (!(await insertConnection(tx, organizationId, made))) return;
      if ((await countConnections(tx, organizationId)) > maxConnections) {
        throw new AppError('CONFLICT', { details: { maxConnections } });
      }
    });
    await refreshNow(this.parts, organizationId, id);
    return shownConnection(this.parts.db, organizationId, id);
  }

  async 'mcp.update'({
    params,
    body,
    caller,
    requestId,
  }: RpcRequest<Contract['mcpUpdate']>): Promise<McpConnection> {
    const { organizationId } = caller;
    const { db, clock } = this.parts;
    const id = params.mcpConnectionId;
    const before = await getConnection(db, organizationId, id);
    const about = { organizationId, id, name: body.name ?? before.name };
    const secretIds = secretIdsOf(this.#changed(before, body));
    const isNew = body.auth !== undefined || body.headers !== undefined;
    await this.#referring(about, { requestId, secretIds }, async (tx) => {
      await refuseClosed(tx, organizationId);
      const stored = await lockConnection(tx, organizationId, id);
      const saved = this.#changed(stored, body);
      await updateConnection(tx, stored, saved, { isNew, now: clock.now() });
      if (body.auth !== undefined) await endTokens(tx, { organizationId, connectionId: id });
      if (saved.approval_policy !== stored.approval_policy) await approveOffered(tx, organizationId, id);
      await enableTools(tx, organizationId, id, body.tools ?? []);
    });
    if (isNew) {
      this.parts.sessions.forget(id);
      await refreshNow(this.parts, organizationId, id);
    }
    return shownConnection(db, organizationId, id);
  }

  async 'mcp.refresh'({ params, caller }: RpcRequest<Contract['mcpRefresh']>): Promise<McpConnection> {
    const { organizationId } = caller;
    await getConnection(this.parts.db, organizationId, params.mcpConnectionId);
    await refreshNow(this.parts, organizationId, params.mcpConnectionId);
    return shownConnection(this.parts.db, organizationId, params.mcpConnectionId);
  }

  async 'mcp.approve'({ params, body, caller }: RpcRequest<Contract['mcpApprove']>): Promise<McpConnection> {
    const { organizationId } = caller;
    const { mcpConnectionId, toolName } = params;
    await getConnection(this.parts.db, organizationId, mcpConnectionId);
    await approveTool(this.parts.db, organizationId, mcpConnectionId, { name: toolName, hash: body.hash });
    return shownConnection(this.parts.db, organizationId, mcpConnectionId);
  }

  async 'mcp.disconnect'({ params, caller }: RpcRequest<Contract['mcpDisconnect']>): Promise<undefined> {
    const { organizationId } = caller;
    const id = params.mcpConnectionId;
    await this.parts.db.transaction(async (tx) => {
      const { name } = await lockConnection(tx, organizationId, id);
      await detachFromAll(tx, this.parts, organizationId, id);
      await endTokens(tx, { organizationId, connectionId: id });
      await deleteConnection(tx, organizationId, id);
      await this.#tell(tx, { organizationId, id, name });
    });
    this.parts.sessions.forget(id);
  }

  #made(organizationId: string, id: string, body: McpConnectionInput): NewConnection {
    const { keyring, urls, clock } = this.parts;
    const headers = sealHeaders(keyring, { organizationId, connectionId: id }, body.headers ?? {}, {});
    const settings = {
      ...{ id, headers, approval_policy: body.approvalPolicy, timeout_ms: body.timeoutMs, now: clock.now() },
    };
    if (!('catalogSlug' in body)) {
      const { name, transport } = body;
      const auth = body.auth === undefined ? withoutAuth : asAuth(body.auth);
      return { ...settings, catalog_slug: null, name, url: checkServerUrl(body.url, urls), transport, auth };
    }
    const curated = curatedServer(body.catalogSlug);
    if (curated === undefined)
      throw new AppError('NOT_FOUND', { details: { catalogSlug: body.catalogSlug } });
    const { slug, name, url, transport } = curated;
    const auth = body.auth === undefined ? { ...curated.auth, secretId: null } : asAuth(body.auth);
    return { ...settings, catalog_slug: slug, name, url: checkServerUrl(url, urls), transport, auth };
  }

  #changed(stored: ConnectionRow, body: McpConnectionUpdate): SavedConnection {
    const identity = { organizationId: stored.organization_id, connectionId: stored.id };
    const headers: StoredHeaders =
      body.headers === undefined
        ? stored.headers
        : sealHeaders(this.parts.keyring, identity, body.headers, stored.headers);
    return {
      name: body.name ?? stored.name,
      auth: body.auth === undefined ? stored.auth : asAuth(body.auth),
      headers,
      approval_policy: body.approvalPolicy ?? stored.approval_policy,
      timeout_ms: body.timeoutMs ?? stored.timeout_ms,
    };
  }

  /**
   * Saves, after tools-secrets has noted the secrets, so that none of them is deleted meanwhile. Afterwards tools-secrets is
   * told of the mentions that are really saved, also when the save failed.
   */
  async #referring(
    about: About,
    { requestId, secretIds }: { readonly requestId: string; readonly secretIds: string[] },
    save: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const { organizationId, id, name } = about;
    if (secretIds.length > 0) {
      const caller = await this.parts.platformToken(organizationId);
      const body = { user: { id, type: 'mcp_connection' as const, name }, ids: secretIds, names: [] };
      await this.parts.rpc.call(serviceRequests.secretsRefer, { body }, { caller, requestId });
    }
    try {
      await this.parts.db.transaction(async (tx) => {
        await save(tx);
        await this.#tell(tx, about);
      });
    } catch (error) {
      if (secretIds.length > 0) await this.#tell(this.parts.db, about);
      throw error;
    }
  }

  async #tell(tx: Tx, { organizationId, id, name }: About): Promise<void> {
    const saved = await findConnection(tx, organizationId, id);
    const secretIds = saved === undefined ? [] : secretIdsOf(saved);
    const data = { mcpConnectionId: id, name: saved?.name ?? name, secretIds };
    await announce(tx, this.parts, events.mcpConnectionSaved, organizationId, data);
  }
}
