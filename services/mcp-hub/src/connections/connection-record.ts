// A row of the table `mcp_connections`, and the connection as readers see it.
import type { McpConnection, McpWarning } from '@parlance/contracts';
import { hasDrifted, type ToolRow, toTool } from '../tools/tool-record.js';
import { type StoredHeaders, shownHeaders } from './header-values.js';

export interface ConnectionRow {
  readonly id: string;
  readonly organization_id: string;
  readonly catalog_slug: string | null;
  readonly name: string;
  readonly url: string;
  readonly transport: McpConnection['transport'];
  readonly auth: McpConnection['auth'];
  readonly headers: StoredHeaders;
  readonly approval_policy: McpConnection['approvalPolicy'];
  readonly timeout_ms: number;
  readonly revision: number;
  readonly status: McpConnection['status'];
  readonly status_since: Date;
  readonly last_error: string | null;
  readonly advice: string | null;
  readonly server_info: McpConnection['serverInfo'];
  readonly warnings: readonly McpWarning[];
  readonly last_refreshed_at: Date | null;
  readonly refresh_failures: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A connection with the agents that use it. */
export interface ConnectionRowWithAgents extends ConnectionRow {
  readonly agent_ids: readonly string[];
}

export const connectionColumns = `c.id, c.organization_id, c.catalog_slug, c.name, c.url, c.transport, c.auth, c.headers,
  c.approval_policy, c.timeout_ms, c.revision, c.status, c.status_since, c.last_error, c.advice, c.server_info, c.warnings,
  c.last_refreshed_at, c.refresh_failures, c.created_at, c.updated_at`;

const driftAdvice = 'Tools have changed since they were approved. Look at them and approve them.';

const healthOf = (row: ConnectionRow, tools: readonly ToolRow[]): McpConnection['health'] => {
  const { advice } = row;
  const since = row.status_since.toISOString();
  if (row.status === 'auth_required') return { state: 'auth_expired', since, advice };
  if (row.status !== 'connected') return { state: 'unreachable', since, advice };
  const changes = tools.filter(hasDrifted).map(({ changed_at }) => changed_at.toISOString());
  const [first] = changes.sort();
  return first === undefined
    ? { state: 'ok', since, advice: null }
    : { state: 'drifted', since: first, advice: driftAdvice };
};

export const toConnection = (row: ConnectionRowWithAgents, tools: readonly ToolRow[]): McpConnection => ({
  id: row.id,
  catalogSlug: row.catalog_slug,
  name: row.name,
  url: row.url,
  transport: row.transport,
  auth: row.auth,
  headers: shownHeaders(row.headers),
  status: row.status,
  lastError: row.last_error,
  health: healthOf(row, tools),
  serverInfo: row.server_info,
  tools: tools.map((tool) => toTool(tool, row.approval_policy)),
  warnings: [...row.warnings],
  approvalPolicy: row.approval_policy,
  timeoutMs: row.timeout_ms,
  agentIds: [...row.agent_ids],
  lastRefreshedAt: row.last_refreshed_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
