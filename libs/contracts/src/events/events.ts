// Integration events, one file for each service that publishes some.
import { agentsConfigEarlierEvents, agentsConfigEvents } from './agents-config.js';
import { callsLogsEvents } from './calls-logs.js';
import { gatewayEvents } from './gateway.js';
import { knowledgeEvents } from './knowledge.js';
import { mcpHubEarlierEvents, mcpHubEvents } from './mcp-hub.js';
import { outboundDialerEarlierEvents, outboundDialerEvents } from './outbound-dialer.js';
import { telephonyNumbersEvents } from './telephony-numbers.js';
import { toolsSecretsEarlierEvents, toolsSecretsEvents } from './tools-secrets.js';
import { widgetsEarlierEvents, widgetsEvents } from './widgets.js';

/** Versions that this release reads and does not send. */
export const earlierEvents = {
  ...agentsConfigEarlierEvents,
  ...mcpHubEarlierEvents,
  ...outboundDialerEarlierEvents,
  ...toolsSecretsEarlierEvents,
  ...widgetsEarlierEvents,
} as const;

export const events = {
  ...agentsConfigEvents,
  ...callsLogsEvents,
  ...gatewayEvents,
  ...knowledgeEvents,
  ...mcpHubEvents,
  ...outboundDialerEvents,
  ...telephonyNumbersEvents,
  ...toolsSecretsEvents,
  ...widgetsEvents,
} as const;
