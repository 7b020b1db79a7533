// Connections in Postgres. Every query names the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import { isUniqueViolation, type Keyset, type Tx } from '@parlance/postgres';
import { type ConnectionRow, type ConnectionRowWithAgents, connectionColumns } from './connection-record.js';

/** The settings of a connection that a person decides. */
export type SavedConnection = Pick<
  ConnectionRow,
  'name' | 'auth' | 'headers' | 'approval_policy' | 'timeout_ms'
>;

export type NewConnection = SavedConnection &
  Pick<ConnectionRow, 'id' | 'catalog_slug' | 'url' | 'transport'> & { readonly now: Date };

const found = <R>(row: R | undefined): R => {
  if (row === undefined) throw new AppError('MCP_CONNECTION_NOT_FOUND');
  return row;
};

const slugTaken = (error: unknown): never => {
  if (isUniqueViolation(error, 'one_connection_per_catalog_entry')) {
    throw new AppError('CONFLICT', { details: { catalogSlug: 'is connected already' } });
  }
  throw error;
};

const connectingAdvice = 'The platform asks the server for its tools. Look again in a moment.';

/** False when a connection with this id exists already. @throws AppError CONFLICT for a slug that is connected */
export const insertConnection = async (
  tx: Tx,
  organizationId: string,
  made: NewConnection,
): Promise<boolean> => {
  const { rowCount } = await tx
    .query(
      `insert into mcp_connections (id, organization_id, catalog_slug, name, url, transport, auth, headers,
         approval_policy, timeout_ms, status, status_since, advice, refresh_due_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'connecting', $11, $12, $11, $11, $11)
       on conflict (id) do nothing`,
      [
        ...[made.id, organizationId, made.catalog_slug, made.name, made.url, made.transport],
        ...[JSON.stringify(made.auth), JSON.stringify(made.headers), made.approval_policy, made.timeout_ms],
        ...[made.now, connectingAdvice],
      ],
    )
    .catch(slugTaken);
  return rowCount > 0;
};

/** Saves the settings. With new headers or credentials, the connection begins anew. */
export const updateConnection = async (
  tx: Tx,
  { organization_id, id }: ConnectionRow,
  saved: SavedConnection,
  { isNew, now }: { readonly isNew: boolean; readonly now: Date },
): Promise<void> => {
  await tx.query(
    `update mcp_connections set name = $3, auth = $4, headers = $5, approval_policy = $6, timeout_ms = $7,
       updated_at = $8, revision = revision + $9::int,
       status = case when $9::int = 1 then 'connecting' else status end,
       status_since = case when $9::int = 1 then $8 else status_since end,
       last_error = case when $9::int = 1 then null else last_error end,
       advice = case when $9::int = 1 then $10 else advice end,
       refresh_due_at = case when $9::int = 1 then $8 else refresh_due_at end,
       refresh_lease = case when $9::int = 1 then null else refresh_lease end,
       refresh_leased_until = case when $9::int = 1 then null else refresh_leased_until end
     where organization_id = $1 and id = $2`,
    [
      ...[organization_id, id, saved.name, JSON.stringify(saved.auth), JSON.stringify(saved.headers)],
      ...[saved.approval_policy, saved.timeout_ms, now, isNew ? 1 : 0, connectingAdvice],
    ],
  );
};

export const deleteConnection = async (tx: Tx, organizationId: string, id: string): Promise<void> => {
  await tx.query('delete from mcp_connections where organization_id = $1 and id = $2', [organizationId, id]);
};

export const countConnections = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from mcp_connections where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
};

/** The ids of connected catalog entries, by slug. */
export const connectedSlugs = async (
  tx: Tx,
  organizationId: string,
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await tx.query<{ catalog_slug: string; id: string }>(
    'select catalog_slug, id from mcp_connections where organization_id = $1 and catalog_slug is not null',
    [organizationId],
  );
  return new Map(rows.map(({ catalog_slug, id }) => [catalog_slug, id]));
};

/** The connection, locked against other changes until the transaction ends. @throws AppError MCP_CONNECTION_NOT_FOUND */
export const lockConnection = async (tx: Tx, organizationId: string, id: string): Promise<ConnectionRow> => {
  const { rows } = await tx.query<ConnectionRow>(
    `select ${connectionColumns} from mcp_connections c where c.organization_id = $1 and c.id = $2 for update`,
    [organizationId, id],
  );
  return found(rows[0]);
};

const findConnection = async (
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<ConnectionRow | undefined> => {
  const { rows } = await tx.query<ConnectionRow>({
    name: 'get_mcp_connection',
    text: `select ${connectionColumns} from mcp_connections c where c.organization_id = $1 and c.id = $2`,
    values: [organizationId, id],
  });
  return rows[0];
};

/** @throws AppError MCP_CONNECTION_NOT_FOUND */
export const getConnection = async (tx: Tx, organizationId: string, id: string): Promise<ConnectionRow> =>
  found(await findConnection(tx, organizationId, id));

const withAgents = (condition: string): string => `
  select ${connectionColumns}, used.agent_ids from mcp_connections c
  cross join lateral (
    select coalesce(array_agg(a.agent_id order by a.attached_at, a.agent_id), '{}') as agent_ids
    from mcp_attachments a where a.connection_id = c.id) used
  where c.organization_id = $1 and ${condition}
  order by c.created_at desc, c.id desc`;

/** The page after the keyset $2, $3 of $4 rows. */
const pageWithAgents = (condition: string): string => `
  ${withAgents(`(c.created_at, c.id) < ($2::timestamptz, $3::uuid) and ${condition}`)} limit $4`;

export const listConnections = async (
  tx: Tx,
  organizationId: string,
  { createdAt, id, limit }: Keyset,
): Promise<ConnectionRowWithAgents[]> => {
  const { rows } = await tx.query<ConnectionRowWithAgents>(pageWithAgents('true'), [
    ...[organizationId, createdAt, id, limit],
  ]);
  return rows;
};

export const listConnectionsOfAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  { createdAt, id, limit }: Keyset,
): Promise<ConnectionRowWithAgents[]> => {
  const { rows } = await tx.query<ConnectionRowWithAgents>({
    name: 'mcp_connections_of_agent',
    text: pageWithAgents('c.id in (select connection_id from mcp_attachments where agent_id = $5)'),
    values: [organizationId, createdAt, id, limit, agentId],
  });
  return rows;
};

/** @throws AppError MCP_CONNECTION_NOT_FOUND */
export const getConnectionWithAgents = async (
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<ConnectionRowWithAgents> => {
  const { rows } = await tx.query<ConnectionRowWithAgents>(withAgents('c.id = $2'), [organizationId, id]);
  return found(rows[0]);
};

/** True when the agent may use the connection. */
export const isAttached = async (
  tx: Tx,
  organizationId: string,
  { connectionId, agentId }: { readonly connectionId: string; readonly agentId: string },
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'is_mcp_attached',
    text: 'select 1 from mcp_attachments where organization_id = $1 and connection_id = $2 and agent_id = $3',
    values: [organizationId, connectionId, agentId],
  });
  return rowCount > 0;
};
