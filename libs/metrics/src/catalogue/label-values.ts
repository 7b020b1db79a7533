// The fixed sets that labels take their values from. Each comes from the contract or is listed here; none holds an id.
import { CallStatus, callables, eventConsumers, operations, platformProcesses } from '@parlance/contracts';
import { errorCodes } from '@parlance/errors';

/** Processes that keep something of their own: services, the gateway, and the MCP facade. */
export const processNames: readonly string[] = platformProcesses.map(({ name }) => name);

/** Processes that speak the protocol of runtimes. An installation may have others in their place. */
export const runtimeNames = ['text-runtime', 'voice-runtime'] as const;

export const operationIds: readonly string[] = operations.map(({ id }) => id);

export const requestIds: readonly string[] = callables.map(({ id }) => id);

/** Under which the gateway mounts the contract; the version of the interface. */
const routePrefix = '/api/v1';

/** Method and route of an operation, as the semantic conventions write them. */
export const routes: ReadonlyMap<string, { readonly method: string; readonly route: string }> = new Map(
  operations.map(({ id, method, path }) => [id as string, { method, route: `${routePrefix}${path}` }]),
);

export const routeNames: readonly string[] = [...new Set([...routes.values()].map(({ route }) => route))];

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const otherStatuses = [200, 201, 202, 204, 302, 304, 431];

/** Statuses that an answer can have. */
export const statuses: readonly string[] = [
  ...new Set([...otherStatuses, ...Object.values(errorCodes).map(({ status }) => status)]),
]
  .sort((left, right) => left - right)
  .map(String);

/** Statuses that count as a failure of the platform. */
export const failureStatuses: readonly string[] = statuses.filter((status) => Number(status) >= 500);

export const errorNames: readonly string[] = Object.keys(errorCodes);

/** Consumers of events of other services. */
export const consumerNames: readonly string[] = [
  ...new Set(
    Object.values(eventConsumers).flatMap((of) => Object.values(of).map(({ durable }): string => durable)),
  ),
];

/** Dependencies that readiness looks at. */
export const dependencies = [
  'eventStore',
  'readModel',
  'queue',
  'objectStorage',
  'mediaServer',
  'telephony:TWILIO',
  'telephony:TELNYX',
  'aiRuntime',
  'mail',
] as const;

/** Followers of the streams of all services. */
export const projections = [
  'call-index',
  'sealed-call-search',
  'sealed-call-documents',
  'call-announcements',
  'call-live-turns',
  'call-webhooks',
  'call-erasures',
  'outbound-calls',
  'campaigns',
  'spend',
  'publish-attempts',
  'publish-campaigns',
] as const;

/** Queues of leased jobs, of the gateway and of all services. */
export const jobQueues = [
  'mails',
  'erasures',
  'left-removals',
  'knowledge-sources',
  'token-revocations',
  'secret-mentions',
  'ended-widget-sessions',
  'call-erasures',
  'recordings',
  'room-reports',
] as const;

/** The ends of an attempt as far as the dialer saw it, and two states before the end. */
export const attemptOutcomes: readonly string[] = [
  ...['started', 'answered', 'adopted', 'in_doubt', 'abandoned', 'unknown'],
  ...CallStatus.options,
];

export const openPhases = ['due', 'dialing', 'in_doubt', 'connected'] as const;

/** Accounts at providers; the pace of a campaign is its own, and campaigns count as one. */
export const paceAccounts = ['TWILIO', 'TELNYX', 'unknown', 'campaign'] as const;

export const campaignStatuses = ['validating', 'scheduled', 'running', 'paused'] as const;

export const pauseReasons = [
  'outside_calling_window',
  'circuit_breaker',
  'provider_unavailable',
  'agent_unavailable',
  'number_unavailable',
  'budget_reached',
  'spend_limit_reached',
] as const;

/**
 * Reasons for which a running campaign waits with its next call. Calls take all places, or the organization has no places for
 * campaigns. Others use up the pace, or calls in progress hold the money. The process has all the calls that it may have, a
 * neighbour cannot be asked, or no reason is known.
 */
export const waitReasons = [
  'places',
  'no_places',
  'pace',
  'money',
  'process',
  'unreachable',
  'unknown',
] as const;

/** The limits that all organizations share. */
export const installationLimits = ['money_day', 'money_month', 'calls', 'numbers'] as const;

export const executionResults = ['ok', 'error', 'timeout', 'busy'] as const;

export const webhookResults = [
  'delivered',
  'refused',
  'redirect',
  'timeout',
  'unreachable',
  'failed',
] as const;
