// The requests between services over NATS, and the verified webhooks that the gateway hands on: one file for each service that
// answers.
import { agentsConfigRequests } from './agents-config.js';
import { callsLogsRequests } from './calls-logs.js';
import { knowledgeRequests } from './knowledge.js';
import { mcpHubRequests } from './mcp-hub.js';
import { outboundDialerRequests } from './outbound-dialer.js';
import { telephonyNumbersRequests } from './telephony-numbers.js';
import { toolsSecretsRequests } from './tools-secrets.js';
import { widgetsRequests } from './widgets.js';

export const serviceRequests = {
  ...agentsConfigRequests,
  ...callsLogsRequests,
  ...knowledgeRequests,
  ...mcpHubRequests,
  ...outboundDialerRequests,
  ...telephonyNumbersRequests,
  ...toolsSecretsRequests,
  ...widgetsRequests,
} as const;

export type AnyServiceRequest = (typeof serviceRequests)[keyof typeof serviceRequests];
