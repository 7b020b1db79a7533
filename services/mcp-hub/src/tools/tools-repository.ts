// Tools of connections in Postgres: read anew from their servers, approved, and switched on and off.
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import type { DefinedTool } from './definition.js';
import { offeredNames } from './offered-name.js';
import { type ApprovalPolicy, type ToolRow, toolColumns } from './tool-record.js';

export interface ToolsOf {
  readonly organizationId: string;
  readonly connection: {
    readonly id: string;
    readonly name: string;
    readonly approvalPolicy: ApprovalPolicy;
  };
}

/** Tools that their server does not list any more are kept up to this number, the newest of them. */
const mostAbsent = 256;

/** The rows of connections of one organization, by connection and in the order of their servers. */
export const toolsOf = async (
  tx: Tx,
  organizationId: string,
  connectionIds: readonly string[],
): Promise<ToolRow[]> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'tools_of_connections',
    text: `select ${toolColumns} from mcp_tools t
           where t.organization_id = $1 and t.connection_id = any($2::uuid[]) and t.is_present
           order by t.connection_id, t.position, t.name`,
    values: [organizationId, connectionIds],
  });
  return rows;
};

const insertTool = async (
  tx: Tx,
  { organizationId, connection }: ToolsOf,
  tool: DefinedTool & { readonly id: string; readonly position: number; readonly now: Date },
): Promise<void> => {
  const { first, second } = offeredNames(connection, tool.name);
  const isApproved = connection.approvalPolicy === 'auto' && !tool.isSuspicious;
  for (const offeredName of new Set([first, second])) {
    const { rowCount } = await tx.query(
      `insert into mcp_tools (id, organization_id, connection_id, name, offered_name, position, definition, hash,
         approved_hash, approved_definition, is_enabled, is_suspicious, is_present, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $9::text is null then null else $7::jsonb end,
         true, $10, true, $11)
       on conflict on constraint one_tool_per_offered_name do nothing`,
      [
        ...[tool.id, organizationId, connection.id, tool.name, offeredName, tool.position],
        ...[JSON.stringify(tool.definition), tool.hash, isApproved ? tool.hash : null],
        ...[tool.isSuspicious, tool.now],
      ],
    );
    if (rowCount > 0) return;
  }
  throw new AppError('CONFLICT');
};

const updateTool = async (
  tx: Tx,
  known: ToolRow,
  tool: DefinedTool & { readonly position: number; readonly now: Date },
): Promise<void> => {
  await tx.query(
    `update mcp_tools set position = $2, definition = $3, hash = $4, is_suspicious = $5, is_present = true,
       changed_at = case when hash = $4 then changed_at else $6 end
     where id = $1`,
    [known.id, tool.position, JSON.stringify(tool.definition), tool.hash, tool.isSuspicious, tool.now],
  );
};

/**
 * Replaces the tools of a connection by those that its server lists now. A tool that comes back has its name, its approval
 * and its switch again. The caller holds the connection's row.
 */
export const replaceTools = async (
  tx: Tx,
  of: ToolsOf,
  tools: readonly DefinedTool[],
  { ids, now }: { readonly ids: Ids; readonly now: Date },
): Promise<void> => {
  const { rows } = await tx.query<ToolRow>(
    `select ${toolColumns} from mcp_tools t where t.organization_id = $1 and t.connection_id = $2`,
    [of.organizationId, of.connection.id],
  );
  const known = new Map(rows.map((row) => [row.name, row]));
  for (const [position, tool] of tools.entries()) {
    const before = known.get(tool.name);
    known.delete(tool.name);
    if (before === undefined) await insertTool(tx, of, { ...tool, id: ids.next(), position, now });
    else await updateTool(tx, before, { ...tool, position, now });
  }
  const absent = [...known.values()].filter(({ is_present }) => is_present).map(({ id }) => id);
  await tx.query('update mcp_tools set is_present = false, changed_at = $2 where id = any($1::uuid[])', [
    absent,
    now,
  ]);
  await tx.query(
    `delete from mcp_tools where id in (
       select id from mcp_tools where connection_id = $1 and not is_present order by changed_at desc offset ${mostAbsent})`,
    [of.connection.id],
  );
};

/** @throws AppError MCP_TOOL_NOT_FOUND for a name that the server does not list */
export const enableTools = async (
  tx: Tx,
  organizationId: string,
  connectionId: string,
  switches: readonly { readonly name: string; readonly enabled: boolean }[],
): Promise<void> => {
  for (const { name, enabled } of switches) {
    const { rowCount } = await tx.query(
      `update mcp_tools set is_enabled = $4
       where organization_id = $1 and connection_id = $2 and name = $3 and is_present`,
      [organizationId, connectionId, name, enabled],
    );
    if (rowCount === 0) throw new AppError('MCP_TOOL_NOT_FOUND');
  }
};

/**
 * Approves the tool as the person saw it.
 * @throws AppError MCP_TOOL_NOT_FOUND; CONFLICT when the tool has changed since, with its present hash
 */
export const approveTool = async (
  tx: Tx,
  organizationId: string,
  connectionId: string,
  { name, hash }: { readonly name: string; readonly hash: string },
): Promise<void> => {
  const { rows } = await tx.query<{ hash: string }>(
    `update mcp_tools set approved_hash = case when hash = $4 then hash else approved_hash end,
       approved_definition = case when hash = $4 then definition else approved_definition end
     where organization_id = $1 and connection_id = $2 and name = $3 and is_present returning hash`,
    [organizationId, connectionId, name, hash],
  );
  const [row] = rows;
  if (row === undefined) throw new AppError('MCP_TOOL_NOT_FOUND');
  if (row.hash !== hash) throw new AppError('CONFLICT', { details: { hash: row.hash } });
};

/** A tool that is neither switched off nor suspicious counts as approved: a new policy takes nothing away from agents. */
export const approveOffered = async (tx: Tx, organizationId: string, connectionId: string): Promise<void> => {
  await tx.query(
    `update mcp_tools set approved_hash = hash, approved_definition = definition
     where organization_id = $1 and connection_id = $2 and is_present and is_enabled and not is_suspicious`,
    [organizationId, connectionId],
  );
};

/** The tool of a connection with this name. Undefined for a tool that is switched off or gone. */
export const findTool = async (
  tx: Tx,
  organizationId: string,
  connectionId: string,
  name: string,
): Promise<ToolRow | undefined> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'mcp_tool_named',
    text: `select ${toolColumns} from mcp_tools t where t.organization_id = $1 and t.connection_id = $2 and t.name = $3
             and t.is_present and t.is_enabled`,
    values: [organizationId, connectionId, name],
  });
  return rows[0];
};

/** The tool that an agent calls by this name. @throws AppError TOOL_NOT_FOUND */
export const toolOfAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  offeredName: string,
): Promise<ToolRow> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'mcp_tool_of_agent',
    text: `select ${toolColumns} from mcp_tools t join mcp_attachments a on a.connection_id = t.connection_id
           where t.organization_id = $1 and a.agent_id = $2 and t.offered_name = $3 and t.is_present and t.is_enabled`,
    values: [organizationId, agentId, offeredName],
  });
  const [row] = rows;
  if (row === undefined) throw new AppError('TOOL_NOT_FOUND');
  return row;
};
