// The contract: every operation, in one table.
import { agentOperations } from './agents.js';
import { callerOperations } from './callers.js';
import { callOperations } from './calls.js';
import { eventOperations } from './events.js';
import { healthOperations } from './health.js';
import { internalOperations } from './internal.js';
import { knowledgeOperations } from './knowledge.js';
import { mcpOperations } from './mcp.js';
import { modelOperations } from './models.js';
import { numberOperations } from './numbers.js';
import type { Operation } from './operation.js';
import { outboundCallOperations } from './outbound-calls.js';
import { peopleOperations } from './people.js';
import { settingsOperations } from './settings.js';
import { spendOperations } from './spend.js';
import { storageOperations } from './storage.js';
import { suppressionOperations } from './suppressions.js';
import { toolOperations } from './tools-secrets.js';
import { webhookOperations } from './webhooks.js';
import { widgetOperations } from './widgets.js';

export const contract = {
  ...healthOperations,
  ...agentOperations,
  ...numberOperations,
  ...callOperations,
  ...outboundCallOperations,
  ...knowledgeOperations,
  ...toolOperations,
  ...modelOperations,
  ...widgetOperations,
  ...mcpOperations,
  ...internalOperations,
  ...settingsOperations,
  ...suppressionOperations,
  ...spendOperations,
  ...storageOperations,
  ...callerOperations,
  ...peopleOperations,
  ...webhookOperations,
  ...eventOperations,
} as const;

/** Any row of the table, with its literals. */
export type AnyOperation = (typeof contract)[keyof typeof contract];
export type OperationId = AnyOperation['id'];

export const operations: readonly AnyOperation[] = Object.values(contract);

const byId = new Map<string, Operation>(operations.map((row) => [row.id, row]));
export const operationById = (id: string): Operation | undefined => byId.get(id);
