// The three forms of a tool: its row in the table `tools`, the record for readers, and the description for a model.
import type { Tool, ToolForRuntime, ToolInput, ToolParameter } from '@parlance/contracts';
import { type StoredHeaders, shownHeaders } from './header-values.js';
import { typedPreset } from './preset.js';

/** The saved settings of a tool, except its name and `isActive`. */
export type ToolDocument = Omit<ToolInput, 'type' | 'name' | 'isActive' | 'request'> & {
  readonly request: Omit<ToolInput['request'], 'headers'> & { readonly headers: StoredHeaders };
};

export interface ToolRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly document: ToolDocument;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A tool's row with its agents and the numbers of its executions in the last 24 hours. */
export interface ToolRowWithUse extends ToolRow {
  readonly agent_ids: readonly string[];
  readonly runs: number | null;
  readonly failures: number | null;
  readonly p95_ms: number | null;
}

export const toolColumns =
  'tools.id, tools.organization_id, tools.name, tools.is_active, tools.document, tools.created_at, tools.updated_at';

export const toTool = (row: ToolRowWithUse): Tool => {
  const { request, ...settings } = row.document;
  return {
    id: row.id,
    type: 'http',
    name: row.name,
    ...settings,
    request: { ...request, headers: shownHeaders(request.headers) },
    isActive: row.is_active,
    agentIds: [...row.agent_ids],
    stats24h: { runs: row.runs ?? 0, failures: row.failures ?? 0, p95Ms: row.p95_ms },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
};

type JsonSchema = ToolForRuntime['parameters'];

const schemaOf = ({ type, description, enum: allowed }: ToolParameter): JsonSchema => {
  const values = allowed?.map((text) => typedPreset(type, text) ?? text);
  return { type, description, ...(values === undefined ? {} : { enum: values }) };
};

/** JSON Schema of the arguments that the model fills in. */
export const argumentsSchema = (parameters: readonly ToolParameter[]): JsonSchema => {
  const filled = parameters.filter(({ source }) => source === 'model');
  return {
    type: 'object',
    properties: Object.fromEntries(filled.map((parameter) => [parameter.name, schemaOf(parameter)])),
    required: filled.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
};

export const toToolForRuntime = ({ name, document }: ToolRow): ToolForRuntime => {
  const { description, executionMode, fillerMessage, interruptible, timeoutMs, parameters } = document;
  return {
    ...{ name, description, executionMode, fillerMessage, interruptible, timeoutMs },
    parameters: argumentsSchema(parameters),
  };
};
