// A row of the table `mcp_tools`, and the tool as readers and models see it.
import type { McpTool, McpToolForRuntime } from '@parlance/contracts';
import type { Definition } from './definition.js';

export interface ToolRow {
  readonly id: string;
  readonly connection_id: string;
  readonly name: string;
  readonly offered_name: string;
  readonly definition: Definition;
  readonly hash: string;
  readonly approved_hash: string | null;
  readonly approved_definition: Definition | null;
  readonly is_enabled: boolean;
  readonly is_suspicious: boolean;
  readonly is_present: boolean;
  readonly changed_at: Date;
}

export type ApprovalPolicy = 'auto' | 'per_tool';

export const toolColumns =
  't.id, t.connection_id, t.name, t.offered_name, t.definition, t.hash, t.approved_hash, t.approved_definition, t.is_enabled, t.is_suspicious, t.is_present, t.changed_at';

/** True for a tool that another person has looked at, as it is now. */
const isApproved = ({ hash, approved_hash }: Pick<ToolRow, 'hash' | 'approved_hash'>): boolean =>
  hash === approved_hash;

/** True for a tool that may be used as it is now. A suspicious one always waits for a person. */
export const isReleased = (tool: ToolRow, policy: ApprovalPolicy): boolean =>
  isApproved(tool) || (policy === 'auto' && !tool.is_suspicious);

export const isOffered = (tool: ToolRow, policy: ApprovalPolicy): boolean =>
  tool.is_present && tool.is_enabled && isReleased(tool, policy);

export const hasDrifted = (tool: ToolRow): boolean =>
  tool.is_present && tool.approved_hash !== null && !isApproved(tool);

const shownDefinition = ({ title, description, inputSchema }: Definition) => ({
  title,
  description,
  inputSchema,
});

export const toTool = (row: ToolRow, policy: ApprovalPolicy): McpTool => {
  const { title, description, inputSchema, annotations } = row.definition;
  return {
    name: row.name,
    ...{ title, description, inputSchema, annotations },
    enabled: row.is_enabled,
    hash: row.hash,
    approvedHash: row.approved_hash,
    changedSinceApproval: hasDrifted(row),
    approvedDefinition: row.approved_definition && shownDefinition(row.approved_definition),
    offered: isOffered(row, policy),
    offeredName: row.offered_name,
  };
};

/** The longest wait for a tool in a call, in milliseconds. */
export const mostMsInCall = 60_000;
const longestForModels = 2_000;

/** The tool as a model is told of it. */
export const toToolForRuntime = (
  { offered_name: name, definition }: ToolRow,
  connection: { readonly name: string; readonly timeoutMs: number },
): McpToolForRuntime => ({
  name,
  description: (definition.description || (definition.title ?? name)).slice(0, longestForModels),
  executionMode: 'immediate',
  fillerMessage: null,
  interruptible: true,
  timeoutMs: Math.min(connection.timeoutMs, mostMsInCall),
  parameters: { ...definition.inputSchema, type: 'object' },
  serverName: connection.name,
});
