// Three boards of Grafana: everything at a glance, calls and campaigns, and the engines below.
import {
  attempts,
  attemptsOldest,
  attemptsOpen,
  backgroundWaiting,
  campaigns,
  campaignsPaused,
  campaignsStalled,
  consumerBacklog,
  dependencyUp,
  eventLoopP99,
  eventLoopUtilization,
  garbageCollection,
  heapUsed,
  httpActive,
  httpDuration,
  httpResponses,
  installationLimit,
  installationRefusals,
  installationUsed,
  knowledgeJobs,
  knowledgeReadings,
  mcpExecutions,
  memory,
  messagesParked,
  outboxAge,
  outboxSent,
  outboxSize,
  paceGranted,
  paceWait,
  placesUsed,
  placesWaiting,
  poolConnections,
  poolWaiting,
  projectionActive,
  projectionLag,
  projectionParked,
  ready,
  rpcActive,
  rpcDuration,
  rpcExpired,
  rpcOverloaded,
  toolExecutions,
  webhooksWaiting,
  webhookTries,
  widgetSessions,
} from '@parlance/metrics';
import { quantile, rate, series } from './series.js';

type Unit = 's' | 'short' | 'bytes' | 'percentunit' | 'ops';

interface Panel {
  readonly title: string;
  readonly unit: Unit;
  /** Query by the name of its lines. */
  readonly queries: Readonly<Record<string, string>>;
}

const datasource = { type: 'prometheus', uid: 'prometheus' } as const;
const [width, height, perRow] = [8, 8, 3] as const;

const panelOf = ({ title, unit, queries }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource,
  gridPos: { x: (index % perRow) * width, y: Math.floor(index / perRow) * height, w: width, h: height },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { tooltip: { mode: 'multi', sort: 'desc' }, legend: { displayMode: 'list', placement: 'bottom' } },
  targets: Object.entries(queries).map(([legendFormat, expr], target) => ({
    refId: String.fromCharCode(65 + target),
    datasource,
    expr,
    legendFormat,
    exemplar: expr.includes('_bucket'),
  })),
});

const board = (uid: string, title: string, panels: readonly Panel[]) => ({
  uid,
  title,
  tags: ['parlance'],
  schemaVersion: 39,
  editable: false,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating: { list: [] },
  annotations: { list: [] },
  panels: panels.map(panelOf),
});

const by = (labels: string, query: string): string => `sum by (${labels}) (${query})`;
const most = (labels: string, query: string): string => `max by (${labels}) (${query})`;

export const boards = [
  board('parlance-overview', 'Parlance: overview', [
    {
      title: 'Answers by status',
      unit: 'ops',
      queries: { '{{http_response_status_code}}': by('http_response_status_code', rate(httpResponses)) },
    },
    {
      title: 'Time of requests',
      unit: 's',
      queries: { median: quantile(0.5, httpDuration), '99 of 100': quantile(0.99, httpDuration) },
    },
    {
      title: 'Slowest operations, 99 of 100',
      unit: 's',
      queries: {
        '{{parlance_operation}}': `topk(10, ${quantile(0.99, httpDuration, { by: ['parlance.operation'] })})`,
      },
    },
    {
      title: 'Requests under way',
      unit: 'short',
      queries: {
        gateway: `sum(${series(httpActive)})`,
        '{{rpc_service}}': by('rpc_service', series(rpcActive)),
      },
    },
    {
      title: 'Failures of services',
      unit: 'ops',
      queries: {
        '{{rpc_service}} {{error_type}}': by(
          'rpc_service, error_type',
          rate(rpcDuration, { 'error.type': '~.+' }),
        ),
      },
    },
    {
      title: 'Requests expired or refused',
      unit: 'ops',
      queries: {
        'expired {{rpc_service}}': by('rpc_service', rate(rpcExpired)),
        'refused {{rpc_service}}': by('rpc_service', rate(rpcOverloaded)),
      },
    },
    {
      title: 'Ready',
      unit: 'short',
      queries: { '{{parlance_process}}': `min by (parlance_process) (${series(ready)})` },
    },
    {
      title: 'Dependencies',
      unit: 'short',
      queries: {
        '{{parlance_process}} {{parlance_dependency}}': `min by (parlance_process, parlance_dependency) (${series(dependencyUp)})`,
      },
    },
    {
      title: 'Conversations in widgets',
      unit: 'short',
      queries: { '{{parlance_session_state}}': most('parlance_session_state', series(widgetSessions)) },
    },
  ]),
  board('parlance-calls', 'Parlance: calls and campaigns', [
    {
      title: 'Attempts by outcome',
      unit: 'ops',
      queries: { '{{parlance_attempt_outcome}}': by('parlance_attempt_outcome', rate(attempts)) },
    },
    {
      title: 'Attempts without an end',
      unit: 'short',
      queries: { '{{parlance_attempt_phase}}': most('parlance_attempt_phase', series(attemptsOpen)) },
    },
    {
      title: 'Oldest attempt by phase',
      unit: 's',
      queries: { '{{parlance_attempt_phase}}': most('parlance_attempt_phase', series(attemptsOldest)) },
    },
    {
      title: 'Places',
      unit: 'short',
      queries: {
        'used by {{parlance_place_kind}}': most('parlance_place_kind', series(placesUsed)),
        waiting: `max(${series(placesWaiting)})`,
      },
    },
    {
      title: 'Limits of the installation, used',
      unit: 'percentunit',
      queries: {
        '{{parlance_limit}}': `${most('parlance_limit', series(installationUsed))} / ${most('parlance_limit', series(installationLimit))}`,
      },
    },
    {
      title: 'Refused by limits of the installation',
      unit: 'ops',
      queries: { '{{parlance_limit}}': by('parlance_limit', rate(installationRefusals)) },
    },
    {
      title: 'Calls that began, by pace',
      unit: 'ops',
      queries: { '{{parlance_pace_account}}': by('parlance_pace_account', rate(paceGranted)) },
    },
    {
      title: 'Wait for the pace, 95 of 100',
      unit: 's',
      queries: { '{{parlance_pace_account}}': quantile(0.95, paceWait, { by: ['parlance.pace.account'] }) },
    },
    {
      title: 'Campaigns',
      unit: 'short',
      queries: { '{{parlance_campaign_status}}': most('parlance_campaign_status', series(campaigns)) },
    },
    {
      title: 'Campaigns paused, by reason',
      unit: 'short',
      queries: { '{{parlance_pause_reason}}': most('parlance_pause_reason', series(campaignsPaused)) },
    },
    {
      title: 'Running campaigns that dial none, by reason',
      unit: 's',
      queries: { '{{parlance_wait_reason}}': most('parlance_wait_reason', series(campaignsStalled)) },
    },
    {
      title: 'Webhooks',
      unit: 'ops',
      queries: { '{{parlance_result}}': by('parlance_result', rate(webhookTries)) },
    },
    {
      title: 'Webhooks that wait',
      unit: 'short',
      queries: { '{{parlance_webhook_status}}': most('parlance_webhook_status', series(webhooksWaiting)) },
    },
    {
      title: 'Tools in calls',
      unit: 'ops',
      queries: {
        'HTTP {{parlance_result}}': by('parlance_result', rate(toolExecutions)),
        'MCP {{parlance_result}}': by('parlance_result', rate(mcpExecutions)),
      },
    },
    {
      title: 'Knowledge',
      unit: 'short',
      queries: {
        'jobs {{parlance_job_state}}': most('parlance_job_state', series(knowledgeJobs)),
        'read per hour, {{parlance_result}}': `${by('parlance_result', rate(knowledgeReadings, {}, '1h'))} * 3600`,
      },
    },
  ]),
  board('parlance-engines', 'Parlance: engines', [
    {
      title: 'Lag of projections',
      unit: 's',
      queries: { '{{parlance_projection}}': most('parlance_projection', series(projectionLag)) },
    },
    {
      title: 'Copies that do the work of projections',
      unit: 'short',
      queries: { '{{parlance_projection}}': by('parlance_projection', series(projectionActive)) },
    },
    {
      title: 'Set aside',
      unit: 'short',
      queries: {
        '{{parlance_projection}}': most('parlance_projection', series(projectionParked)),
        'messages {{parlance_process}}': most('parlance_process', series(messagesParked)),
      },
    },
    {
      title: 'Oldest event of outboxes',
      unit: 's',
      queries: { '{{parlance_process}}': most('parlance_process', series(outboxAge)) },
    },
    {
      title: 'Events in outboxes',
      unit: 'short',
      queries: { '{{parlance_process}}': most('parlance_process', series(outboxSize)) },
    },
    {
      title: 'Events that consumers have not handled',
      unit: 'short',
      queries: {
        '{{parlance_consumer}} {{parlance_event_state}}': most(
          'parlance_consumer, parlance_event_state',
          series(consumerBacklog),
        ),
      },
    },
    {
      title: 'Events sent',
      unit: 'ops',
      queries: {
        '{{parlance_process}} {{parlance_result}}': by('parlance_process, parlance_result', rate(outboxSent)),
      },
    },
    {
      title: 'Connections to Postgres in use',
      unit: 'short',
      queries: {
        '{{db_client_connection_pool_name}}': by(
          'db_client_connection_pool_name',
          series(poolConnections, { 'db.client.connection.state': 'used' }),
        ),
      },
    },
    {
      title: 'Statements that wait for a connection',
      unit: 'short',
      queries: {
        '{{db_client_connection_pool_name}}': by('db_client_connection_pool_name', series(poolWaiting)),
        'background {{db_client_connection_pool_name}}': by(
          'db_client_connection_pool_name',
          series(backgroundWaiting),
        ),
      },
    },
    {
      title: 'Delay of the event loop, 99 of 100',
      unit: 's',
      queries: { '{{instance}}': series(eventLoopP99) },
    },
    {
      title: 'Use of the event loop',
      unit: 'percentunit',
      queries: { '{{instance}}': series(eventLoopUtilization) },
    },
    { title: 'Memory', unit: 'bytes', queries: { '{{instance}}': series(memory) } },
    { title: 'Heap in use', unit: 'bytes', queries: { '{{instance}}': by('instance', series(heapUsed)) } },
    {
      title: 'Garbage collection, seconds per second',
      unit: 's',
      queries: { '{{v8js_gc_type}}': by('v8js_gc_type', rate(garbageCollection)) },
    },
  ]),
];
