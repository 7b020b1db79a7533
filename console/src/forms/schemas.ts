// The contract's own schemas, by operation. Each group is a file of its own, which is loaded when one of its forms is shown. Together
// the groups bring the numbering plans of all countries.
import type { ZodType } from 'zod';
import type { OperationId } from '../data/types.js';

interface Row {
  readonly id: string;
  readonly body?: ZodType;
}
type Rows = readonly Row[] | Readonly<Record<string, Row>>;

const tools = async (): Promise<Rows> =>
  (await import('@parlance/contracts/operations/tools-secrets')).toolOperations;

const groups: Readonly<Record<string, () => Promise<Rows>>> = {
  agents: async () => (await import('@parlance/contracts/operations/agents')).agentOperations,
  auth: async () => (await import('@parlance/contracts/accounts')).authOperations,
  calls: async () => (await import('@parlance/contracts/operations/calls')).callOperations,
  knowledge: async () => (await import('@parlance/contracts/operations/knowledge')).knowledgeOperations,
  mcp: async () => (await import('@parlance/contracts/operations/mcp')).mcpOperations,
  models: async () => (await import('@parlance/contracts/operations/models')).modelOperations,
  numbers: async () => (await import('@parlance/contracts/operations/numbers')).numberOperations,
  outboundCalls: async () =>
    (await import('@parlance/contracts/operations/outbound-calls')).outboundCallOperations,
  secrets: tools,
  settings: async () => (await import('@parlance/contracts/operations/settings')).settingsOperations,
  suppressions: async () =>
    (await import('@parlance/contracts/operations/suppressions')).suppressionOperations,
  tools,
  webhooks: async () => (await import('@parlance/contracts/operations/webhooks')).webhookOperations,
  widgets: async () => (await import('@parlance/contracts/operations/widgets')).widgetOperations,
};

/** zod tries whether it may compile code. The policy of the page forbids that, and the browser reports every try. */
const withoutCompiler = async (): Promise<void> => {
  const { config } = await import('zod');
  config({ jitless: true });
};

/**
 * The schema of the operation's body.
 * @throws TypeError for an operation without a body
 */
export const bodySchemaOf = async (operation: OperationId): Promise<ZodType> => {
  const [group = ''] = operation.split('.');
  await withoutCompiler();
  const rows: Rows = (await groups[group]?.()) ?? [];
  const body = Object.values<Row>(rows).find(({ id }) => id === operation)?.body;
  if (body === undefined) throw new TypeError(`${operation} has no form`);
  return body;
};
