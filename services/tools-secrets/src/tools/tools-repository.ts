// Tools in Postgres. Every query names the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import { stringifyStored } from '@parlance/json';
import { isUniqueViolation, type Keyset, type Tx } from '@parlance/postgres';
import { statsOfDay } from './run-counts.js';
import { type ToolDocument, type ToolRow, type ToolRowWithUse, toolColumns } from './tool-record.js';

export interface SavedTool {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly document: ToolDocument;
  readonly now: Date;
}

const found = <R>(row: R | undefined): R => {
  if (row === undefined) throw new AppError('TOOL_NOT_FOUND');
  return row;
};

const nameTaken = (error: unknown): never => {
  if (isUniqueViolation(error, 'one_tool_per_name')) throw new AppError('NAME_TAKEN');
  throw error;
};

/** False when a tool with this id exists already. @throws AppError NAME_TAKEN */
export const insertTool = async (tx: Tx, organizationId: string, tool: SavedTool): Promise<boolean> => {
  const inserted = await tx
    .query(
      `insert into tools (id, organization_id, name, is_active, document, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6) on conflict (id) do nothing`,
      [tool.id, organizationId, tool.name, tool.isActive, stringifyStored(tool.document), tool.now],
    )
    .catch(nameTaken);
  return inserted.rowCount > 0;
};

/** @throws AppError NAME_TAKEN */
export const updateTool = async (tx: Tx, organizationId: string, tool: SavedTool): Promise<void> => {
  await tx
    .query(
      `update tools set name = $3, is_active = $4, document = $5, updated_at = $6
       where organization_id = $1 and id = $2`,
      [organizationId, tool.id, tool.name, tool.isActive, stringifyStored(tool.document), tool.now],
    )
    .catch(nameTaken);
};

export const countTools = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from tools where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
};

/** The tool, locked against other changes until the transaction ends. @throws AppError TOOL_NOT_FOUND */
export const lockTool = async (tx: Tx, organizationId: string, toolId: string): Promise<ToolRow> => {
  const { rows } = await tx.query<ToolRow>(
    `select ${toolColumns} from tools where organization_id = $1 and id = $2 for update`,
    [organizationId, toolId],
  );
  return found(rows[0]);
};

/** @throws AppError TOOL_NOT_FOUND */
export const getTool = async (tx: Tx, organizationId: string, toolId: string): Promise<ToolRow> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'get_tool',
    text: `select ${toolColumns} from tools where organization_id = $1 and id = $2`,
    values: [organizationId, toolId],
  });
  return found(rows[0]);
};

export const deleteTool = async (tx: Tx, organizationId: string, toolId: string): Promise<void> => {
  await tx.query('delete from tools where organization_id = $1 and id = $2', [organizationId, toolId]);
};

const withUse = (condition: string): string => `
  select ${toolColumns}, used.agent_ids, day.runs, day.failures, day.p95_ms
  from tools
  cross join lateral (
    select coalesce(array_agg(a.agent_id order by a.attached_at, a.agent_id), '{}') as agent_ids
    from tool_attachments a where a.tool_id = tools.id) used
  left join (${statsOfDay}) day on day.tool_id = tools.id
  where tools.organization_id = $1 and ${condition}
  order by tools.created_at desc, tools.id desc`;

/** The page after the keyset $2, $3 of $4 rows. */
const pageWithUse = (condition: string): string => `
  ${withUse(`(tools.created_at, tools.id) < ($2::timestamptz, $3::uuid) and ${condition}`)} limit $4`;

/** The statement that lists tools of organization $1, newest first. */
export const listOfTools = pageWithUse('true');

export const listTools = async (
  tx: Tx,
  organizationId: string,
  { createdAt, id, limit }: Keyset,
): Promise<ToolRowWithUse[]> => {
  const { rows } = await tx.query<ToolRowWithUse>({
    name: 'list_tools',
    text: listOfTools,
    values: [organizationId, createdAt, id, limit],
  });
  return rows;
};

export const listToolsOfAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  { createdAt, id, limit }: Keyset,
): Promise<ToolRowWithUse[]> => {
  const { rows } = await tx.query<ToolRowWithUse>({
    name: 'list_tools_of_agent',
    text: pageWithUse('tools.id in (select tool_id from tool_attachments where agent_id = $5)'),
    values: [organizationId, createdAt, id, limit, agentId],
  });
  return rows;
};

/** @throws AppError TOOL_NOT_FOUND */
export const getToolWithUse = async (
  tx: Tx,
  organizationId: string,
  toolId: string,
): Promise<ToolRowWithUse> => {
  const { rows } = await tx.query<ToolRowWithUse>(withUse('tools.id = $2'), [organizationId, toolId]);
  return found(rows[0]);
};

/** The active tools of an agent, by name. */
export const activeToolsOfAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<ToolRow[]> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'active_tools_of_agent',
    text: `select ${toolColumns} from tools join tool_attachments a on a.tool_id = tools.id
           where tools.organization_id = $1 and a.agent_id = $2 and tools.is_active order by tools.name`,
    values: [organizationId, agentId],
  });
  return rows;
};

/** The active tool of an agent with exactly this name. */
export const findActiveTool = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  name: string,
): Promise<ToolRow | undefined> => {
  const { rows } = await tx.query<ToolRow>({
    name: 'active_tool_named',
    text: `select ${toolColumns} from tools join tool_attachments a on a.tool_id = tools.id
           where tools.organization_id = $1 and a.agent_id = $2 and tools.name = $3 and tools.is_active`,
    values: [organizationId, agentId, name],
  });
  return rows[0];
};
