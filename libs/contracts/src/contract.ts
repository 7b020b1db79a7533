// The contract: every operation, in one table.
import type { Operation, ServiceName } from './operation.js';
import { agentOperations } from './operations/agents.js';
import { callerOperations } from './operations/callers.js';
import { callOperations } from './operations/calls.js';
import { eventOperations } from './operations/events.js';
import { healthOperations } from './operations/health.js';
import { internalOperations } from './operations/internal.js';
import { knowledgeOperations } from './operations/knowledge.js';
import { mcpOperations } from './operations/mcp.js';
import { numberOperations } from './operations/numbers.js';
import { outboundCallOperations } from './operations/outbound-calls.js';
import { settingsOperations } from './operations/settings.js';
import { spendOperations } from './operations/spend.js';
import { suppressionOperations } from './operations/suppressions.js';
import { toolOperations } from './operations/tools-secrets.js';
import { webhookOperations } from './operations/webhooks.js';
import { widgetOperations } from './operations/widgets.js';
import { type AnyServiceRequest, serviceRequests } from './service-requests.js';

export const contract = {
  ...healthOperations,
  ...agentOperations,
  ...numberOperations,
  ...callOperations,
  ...outboundCallOperations,
  ...knowledgeOperations,
  ...toolOperations,
  ...widgetOperations,
  ...mcpOperations,
  ...internalOperations,
  ...settingsOperations,
  ...suppressionOperations,
  ...spendOperations,
  ...callerOperations,
  ...webhookOperations,
  ...eventOperations,
} as const;

/** Any row of the table, with its literals. */
export type AnyOperation = (typeof contract)[keyof typeof contract];
export type OperationId = AnyOperation['id'];

export const operations: readonly AnyOperation[] = Object.values(contract);

const byId = new Map<string, Operation>(operations.map((row) => [row.id, row]));
export const operationById = (id: string): Operation | undefined => byId.get(id);

/** Everything that a service answers over NATS. */
export type CallablesOf<S extends ServiceName> = Extract<
  AnyOperation | AnyServiceRequest,
  { readonly service: S }
>;

export const callables: readonly (AnyOperation | AnyServiceRequest)[] = [
  ...operations,
  ...Object.values(serviceRequests),
];
