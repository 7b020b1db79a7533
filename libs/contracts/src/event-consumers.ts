// The consumers of each event. The services start their consumers from these rows, and the broker lets each service read
// the events of its own rows alone.
import type { EventDefinition } from './events/event.js';
import { earlierEvents, events } from './events/events.js';
import type { ServiceName } from './values/service-name.js';

/** One durable consumer of a service; copies of the service share its work. */
export interface EventConsumer<T extends EventDefinition = EventDefinition> {
  /** The name of the consumer; it begins with that of the service. */
  readonly durable: string;
  readonly events: readonly T[];
}

const consumer = <const T extends readonly EventDefinition[]>(
  durable: `${ServiceName}${'' | `-${string}`}`,
  ...heard: T
): EventConsumer<T[number]> => Object.freeze({ durable, events: heard });

const { organizationDeleted } = events;

export const eventConsumers = {
  'agents-config': {
    use: consumer('agents-config', events.callEnded, events.numberChanged),
    tools: consumer('agents-config-tools', events.agentToolsChanged),
    sources: consumer('agents-config-knowledge', events.agentKnowledgeChanged),
    connections: consumer('agents-config-connections', events.agentConnectionsChanged),
    widgets: consumer('agents-config-widgets', events.agentWidgetsChanged),
    secrets: consumer('agents-config-secrets', events.secretMentionsRequested),
    removals: consumer('agents-config', organizationDeleted),
  },
  'telephony-numbers': {
    agents: consumer('telephony-numbers', events.agentUpdated, events.agentDeleted),
    trunks: consumer('telephony-numbers-trunks', events.attemptSettled),
    removals: consumer('telephony-numbers', organizationDeleted),
  },
  'calls-logs': {
    attempts: consumer(
      'calls-logs',
      events.attemptStarted,
      earlierEvents.attemptStarted,
      events.attemptAnswered,
      events.attemptSettled,
    ),
    attemptReports: consumer('calls-logs-attempt-reports', events.attemptsReported),
    conversations: consumer(
      'calls-logs-conversations',
      events.conversationStarted,
      earlierEvents.conversationStarted,
      events.previewStarted,
      earlierEvents.previewStarted,
    ),
    sessions: consumer('calls-logs-sessions', events.sessionStarted),
    settings: consumer('calls-logs-settings', events.settingsChanged),
    toolRuns: consumer(
      'calls-logs-tool-runs',
      events.toolExecuted,
      earlierEvents.toolExecuted,
      events.mcpToolExecuted,
      earlierEvents.mcpToolExecuted,
    ),
    initiations: consumer(
      'calls-logs-initiations',
      events.initiationFinished,
      earlierEvents.initiationFinished,
    ),
    removals: consumer('calls-logs', organizationDeleted),
  },
  'outbound-dialer': {
    calls: consumer('outbound-dialer', events.callEnded),
    optOuts: consumer('outbound-dialer-opt-outs', events.callOptedOut),
    attempts: consumer('outbound-dialer-attempts', events.attemptsRequested),
    numbers: consumer('outbound-dialer-numbers', events.numberChanged),
    settings: consumer('outbound-dialer-settings', events.settingsChanged),
    removals: consumer('outbound-dialer', organizationDeleted),
  },
  knowledge: {
    agents: consumer('knowledge', events.agentDeleted),
    calls: consumer('knowledge-search', events.callEnded),
    removals: consumer('knowledge', organizationDeleted),
  },
  'tools-secrets': {
    agents: consumer('tools-secrets', events.agentConfigured, events.agentUpdated, events.agentDeleted),
    connections: consumer('tools-secrets-connections', events.mcpConnectionSaved),
    widgets: consumer('tools-secrets-widgets', events.widgetSaved),
    tools: consumer('tools-secrets-tools', events.agentDeleted, events.callEnded),
    reports: consumer(
      'tools-secrets-reports',
      events.agentSecretsReported,
      events.connectionSecretsReported,
      events.widgetSecretsReported,
    ),
    removals: consumer('tools-secrets', organizationDeleted),
  },
  widgets: {
    agents: consumer('widgets', events.agentDeleted),
    calls: consumer('widgets-calls', events.callEnded),
    secrets: consumer('widgets-secrets', events.secretMentionsRequested),
    removals: consumer('widgets', organizationDeleted),
  },
  'mcp-hub': {
    agents: consumer('mcp-hub-agents', events.agentDeleted, events.callEnded),
    secrets: consumer('mcp-hub-secrets', events.secretMentionsRequested),
    removals: consumer('mcp-hub', organizationDeleted),
  },
} as const satisfies Partial<Record<ServiceName, Readonly<Record<string, EventConsumer>>>>;

const byService: Partial<Record<ServiceName, Readonly<Record<string, EventConsumer>>>> = eventConsumers;

/** The consumers of a service; the gateway has none. */
export const consumersOf = (service: ServiceName): readonly EventConsumer[] =>
  Object.values(byService[service] ?? {});
