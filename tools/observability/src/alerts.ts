// The alerts: the conditions that an operator is told of, and their delays. Each alert has a page in docs/runbooks.
import { contract, isStreaming } from '@parlance/contracts';
import {
  attempts,
  attemptsOldest,
  backgroundWaiting,
  campaignsPaused,
  campaignsStalled,
  consumerBacklog,
  dependencyUp,
  eventLoopP99,
  httpDuration,
  httpResponses,
  installationLimit,
  installationRefusals,
  installationUsed,
  knowledgeJobs,
  mcpExecutions,
  messagesParked,
  modelFallbacks,
  outboxAge,
  poolWaiting,
  processNames,
  projectionActive,
  projectionLag,
  projectionParked,
  quotaRefusals,
  ready,
  rpcExpired,
  rpcOverloaded,
  runtimeNames,
  toolExecutions,
  troubledParts,
  turnTime,
  voiceJobsLost,
  webhooksWaiting,
  webhookTries,
} from '@parlance/metrics';
import { quantile, rate, series } from './series.js';

export interface Alert {
  readonly name: string;
  /** `page` wakes a person; `ticket` waits for the morning. */
  readonly severity: 'page' | 'ticket';
  readonly expr: string;
  /** The condition has to hold for this time. */
  readonly for: string;
  readonly summary: string;
  /** File in docs/runbooks, without its ending. */
  readonly runbook: string;
}

/** Answers that last as long as a conversation say nothing of slowness. */
const streaming = Object.values(contract)
  .filter((row) => isStreaming(row))
  .map(({ id }) => id.replaceAll('.', '\\\\.'))
  .join('|');

const share = (part: string, whole: string): string => `sum(${part}) / sum(${whole})`;

/** So few that a share of them means nothing, per second. */
const enough = (whole: string, perSecond = 0.05): string => `and sum(${whole}) > ${perSecond}`;

/** A process that is gone leaves no series that could be 0, and discovery forgets its address. */
const absentOf = (processes: readonly string[]): string =>
  processes.map((name) => `absent(${series(ready, { 'parlance.process': name })})`).join(' or ');

const down = (need: (typeof dependencyUp.labels)['parlance.dependency.need'][number]): string =>
  `min by (parlance_process, parlance_dependency) (${series(dependencyUp, { 'parlance.dependency.need': need })}) == 0`;

/** Several copies dial side by side, and one that sees a good reason is enough: the smallest copy counts. */
const stalledFor = (reasons: string): string =>
  `min(max by (instance) (${series(campaignsStalled, { 'parlance.wait.reason': `~${reasons}` })}))`;

/** Not every installation has the runtimes of the platform, so one is missed only where it was seen in the last day. */
const goneRuntime = `group by (parlance_process) (last_over_time(${series(ready, { 'parlance.process': `~${runtimeNames.join('|')}` })}[1d])) unless on (parlance_process) ${series(ready)}`;

const dead = series(webhooksWaiting, { 'parlance.webhook.status': 'dead' });

export const alerts: readonly Alert[] = [
  {
    name: 'ParlanceProcessDown',
    severity: 'page',
    expr: 'up{job="parlance"} == 0',
    for: '2m',
    summary: 'A process does not answer at its ops listener.',
    runbook: 'process-down',
  },
  {
    name: 'ParlanceProcessGone',
    severity: 'page',
    expr: absentOf(processNames),
    for: '2m',
    summary: 'No copy of {{ $labels.parlance_process }} runs.',
    runbook: 'process-down',
  },
  {
    name: 'ParlanceNotReady',
    severity: 'page',
    expr: `${series(ready)} == 0`,
    for: '2m',
    summary: '{{ $labels.parlance_process }} cannot do its core work.',
    runbook: 'not-ready',
  },
  {
    name: 'ParlanceDependencyDown',
    severity: 'page',
    expr: down('required'),
    for: '1m',
    summary: '{{ $labels.parlance_process }} finds {{ $labels.parlance_dependency }} down.',
    runbook: 'dependency-down',
  },
  {
    name: 'ParlanceOptionalDependencyDown',
    severity: 'ticket',
    expr: down('optional'),
    for: '5m',
    summary: '{{ $labels.parlance_process }} does without {{ $labels.parlance_dependency }}.',
    runbook: 'dependency-down',
  },
  {
    name: 'ParlancePartInTrouble',
    severity: 'ticket',
    expr: `${series(troubledParts)} > 0`,
    for: '10m',
    summary: 'A background part of {{ $labels.parlance_process }} cannot do its work.',
    runbook: 'part-in-trouble',
  },
  {
    name: 'ParlanceRequestsFail',
    severity: 'page',
    expr: `${share(rate(httpResponses, { 'http.response.status_code': '~5..' }), rate(httpResponses))} > 0.02 ${enough(rate(httpResponses))}`,
    for: '5m',
    summary: 'More than two in a hundred requests fail on our side.',
    runbook: 'requests-fail',
  },
  {
    name: 'ParlanceRequestsSlow',
    severity: 'ticket',
    expr: `${quantile(0.99, httpDuration, { where: streaming === '' ? {} : { 'parlance.operation': `!~${streaming}` } })} > 2.5`,
    for: '10m',
    summary: 'One in a hundred requests takes longer than 2.5 seconds.',
    runbook: 'requests-slow',
  },
  {
    name: 'ParlanceRequestsExpire',
    severity: 'ticket',
    expr: `sum by (rpc_service) (${rate(rpcExpired)}) > 0.1`,
    for: '5m',
    summary: 'Requests reach {{ $labels.rpc_service }} after their deadline.',
    runbook: 'requests-expire',
  },
  {
    name: 'ParlanceRequestsRefused',
    severity: 'ticket',
    expr: `sum by (rpc_service) (${rate(rpcOverloaded)}) > 0.1`,
    for: '5m',
    summary: '{{ $labels.rpc_service }} refuses requests, because it has too many in progress.',
    runbook: 'requests-refused',
  },
  {
    name: 'ParlanceProjectionStopped',
    severity: 'page',
    expr: `sum by (parlance_projection) (${series(projectionActive)}) == 0`,
    for: '1m',
    summary: 'No copy does the work of {{ $labels.parlance_projection }}.',
    runbook: 'projection-stopped',
  },
  {
    name: 'ParlanceProjectionLags',
    severity: 'page',
    expr: `max by (parlance_projection) (${series(projectionLag)}) > 60`,
    for: '2m',
    summary: '{{ $labels.parlance_projection }} is a minute behind the event store.',
    runbook: 'projection-lags',
  },
  {
    name: 'ParlanceEventsParked',
    severity: 'ticket',
    expr: `max by (parlance_projection) (${series(projectionParked)}) > 0`,
    for: '1m',
    summary: '{{ $labels.parlance_projection }} has set events aside.',
    runbook: 'events-parked',
  },
  {
    name: 'ParlanceMessagesParked',
    severity: 'ticket',
    expr: `max by (parlance_process) (${series(messagesParked)}) > 0`,
    for: '1m',
    summary: '{{ $labels.parlance_process }} has set messages of other services aside.',
    runbook: 'events-parked',
  },
  {
    name: 'ParlanceConsumerBehind',
    severity: 'ticket',
    // A consumer that keeps up has none at some of the looks of a quarter of an hour.
    expr: `max by (parlance_consumer) (${series(consumerBacklog, { 'parlance.event.state': 'waiting' })}) > 0`,
    for: '15m',
    summary: 'Events have waited for {{ $labels.parlance_consumer }} all the time for a quarter of an hour.',
    runbook: 'consumer-behind',
  },
  {
    name: 'ParlanceOutboxStuck',
    severity: 'page',
    expr: `max by (parlance_process) (${series(outboxAge)}) > 120`,
    for: '2m',
    summary: 'An event of {{ $labels.parlance_process }} has waited for two minutes to be sent.',
    runbook: 'outbox-stuck',
  },
  {
    name: 'ParlanceAttemptsInDoubt',
    severity: 'page',
    expr: `max(${series(attemptsOldest, { 'parlance.attempt.phase': 'in_doubt' })}) > 300`,
    for: '1m',
    summary: 'An attempt has been in doubt for five minutes.',
    runbook: 'attempts-in-doubt',
  },
  {
    name: 'ParlanceAttemptsUnknown',
    severity: 'ticket',
    expr: `sum(${rate(attempts, { 'parlance.attempt.outcome': 'unknown' }, '15m')}) * 900 >= 1`,
    for: '1m',
    summary: 'An attempt ended without evidence whether the phone rang.',
    runbook: 'attempts-in-doubt',
  },
  {
    name: 'ParlanceAttemptsAbandoned',
    severity: 'ticket',
    expr: `${share(rate(attempts, { 'parlance.attempt.outcome': 'abandoned' }), rate(attempts, { 'parlance.attempt.outcome': 'started' }))} > 0.2 ${enough(rate(attempts, { 'parlance.attempt.outcome': 'started' }))}`,
    for: '10m',
    summary: 'One in five attempts is given up before its dial.',
    runbook: 'attempts-abandoned',
  },
  {
    name: 'ParlanceCallsWait',
    severity: 'page',
    expr: `max(${series(attemptsOldest, { 'parlance.attempt.phase': 'due' })}) > 120`,
    for: '2m',
    summary: 'A call that is due has waited for two minutes for its dial.',
    runbook: 'calls-wait',
  },
  {
    name: 'ParlanceBreakerOpen',
    severity: 'page',
    expr: `max by (parlance_pause_reason) (${series(campaignsPaused, { 'parlance.pause.reason': '~circuit_breaker|provider_unavailable' })}) > 0`,
    for: '5m',
    summary: 'The breaker pauses campaigns: {{ $labels.parlance_pause_reason }}.',
    runbook: 'breaker-open',
  },
  {
    name: 'ParlanceCampaignStalled',
    severity: 'page',
    // Places and money end a wait by themselves, and an organization without places chose to have none.
    expr: `${stalledFor('process|unreachable|unknown')} > 600`,
    for: '5m',
    summary: 'A running campaign has dialled none of its waiting recipients for ten minutes.',
    runbook: 'campaign-stalled',
  },
  {
    name: 'ParlanceCampaignCrowdedOut',
    severity: 'ticket',
    expr: `${stalledFor('pace')} > 1800`,
    for: '5m',
    summary: 'A running campaign has waited for half an hour for its turn at the pace of a provider account.',
    runbook: 'campaign-stalled',
  },
  {
    name: 'ParlanceRuntimeGone',
    severity: 'page',
    expr: goneRuntime,
    for: '2m',
    summary: 'No replica of {{ $labels.parlance_process }} runs, so its conversations are not answered.',
    runbook: 'runtime-gone',
  },
  {
    name: 'ParlanceCallsLost',
    severity: 'ticket',
    expr: `sum(increase(${series(voiceJobsLost)}[15m])) > 0`,
    for: '1m',
    summary: 'A call ended because the process that held it was gone.',
    runbook: 'runtime-gone',
  },
  {
    name: 'ParlanceAnswersSlow',
    severity: 'ticket',
    expr: `${quantile(0.95, turnTime, { where: { 'parlance.turn.step': 'response' } })} > 3`,
    for: '10m',
    summary: 'One in twenty spoken answers begins more than three seconds after the caller.',
    runbook: 'answers-slow',
  },
  {
    name: 'ParlanceModelsFail',
    severity: 'ticket',
    expr: `sum(${rate(modelFallbacks)}) / sum(${rate(turnTime, { 'parlance.turn.step': 'response' })}) > 0.1 ${enough(rate(turnTime, { 'parlance.turn.step': 'response' }), 0.01)}`,
    for: '10m',
    summary: 'In more than one of ten spoken turns a model failed, and the next one of its list was used.',
    runbook: 'answers-slow',
  },
  {
    name: 'ParlanceWebhooksFail',
    severity: 'ticket',
    expr: `${share(rate(webhookTries, { 'parlance.result': '!~delivered' }), rate(webhookTries))} > 0.5 ${enough(rate(webhookTries))}`,
    for: '15m',
    summary: 'More than half of the tries to send webhooks fail.',
    runbook: 'webhooks-fail',
  },
  {
    name: 'ParlanceWebhooksGivenUp',
    severity: 'ticket',
    // Webhooks of an earlier day count no more, but at 10,000 the gauge cannot grow.
    expr: `max(delta(${dead}[1h])) > 0 or max(${dead}) >= 10000`,
    for: '5m',
    summary: 'Webhooks were given up in the last hour, or 10,000 of them wait for a person.',
    runbook: 'webhooks-given-up',
  },
  {
    name: 'ParlanceQuotaReached',
    severity: 'ticket',
    expr: `sum by (parlance_storage_kind) (${rate(quotaRefusals, {}, '1h')}) > 0`,
    for: '5m',
    summary:
      'Files are refused ({{ $labels.parlance_storage_kind }}): an organization has reached its quota.',
    runbook: 'quota-reached',
  },
  {
    name: 'ParlanceInstallationLimitNear',
    severity: 'ticket',
    // Replicas read the same rows. Where the limit is 0, nothing is used of it.
    expr: `max by (parlance_limit) (${series(installationUsed)}) / max by (parlance_limit) (${series(installationLimit)}) > 0.8`,
    for: '5m',
    summary:
      'More than 80 % of a limit of the installation is used ({{ $labels.parlance_limit }}), by all organizations together.',
    runbook: 'installation-limits',
  },
  {
    name: 'ParlanceInstallationLimitReached',
    severity: 'page',
    // A purchase of a number can wait until the morning. Campaigns that are paused for it ask for nothing, hence the hour.
    expr: `sum by (parlance_limit) (increase(${series(installationRefusals, { 'parlance.limit': '!~numbers' })}[1h])) > 0`,
    for: '1m',
    summary:
      'Calls of all organizations are refused for want of room within a limit of the installation ({{ $labels.parlance_limit }}).',
    runbook: 'installation-limits',
  },
  {
    name: 'ParlanceToolsFail',
    severity: 'ticket',
    expr: `${share(rate(toolExecutions, { 'parlance.result': '!~ok' }), rate(toolExecutions))} > 0.5 ${enough(rate(toolExecutions))}`,
    for: '15m',
    summary: 'More than half of the executions of tools in calls fail.',
    runbook: 'tools-fail',
  },
  {
    name: 'ParlanceMcpToolsFail',
    severity: 'ticket',
    expr: `${share(rate(mcpExecutions, { 'parlance.result': '!~ok' }), rate(mcpExecutions))} > 0.5 ${enough(rate(mcpExecutions))}`,
    for: '15m',
    summary: 'More than half of the executions of MCP tools fail.',
    runbook: 'tools-fail',
  },
  {
    name: 'ParlanceKnowledgeHangs',
    severity: 'ticket',
    expr: `max(${series(knowledgeJobs, { 'parlance.job.state': 'hanging' })}) > 0`,
    for: '10m',
    summary: 'A source has waited for more than an hour to be read.',
    runbook: 'knowledge-hangs',
  },
  {
    name: 'ParlancePoolExhausted',
    severity: 'page',
    expr: `${series(poolWaiting)} > 0`,
    for: '2m',
    summary: 'Statements of {{ $labels.db_client_connection_pool_name }} wait for a connection.',
    runbook: 'pool-exhausted',
  },
  {
    name: 'ParlanceBackgroundWaits',
    severity: 'ticket',
    expr: `${series(backgroundWaiting)} > 0`,
    for: '10m',
    summary:
      'Background work of {{ $labels.db_client_connection_pool_name }} waits for its turn at Postgres.',
    runbook: 'background-waits',
  },
  {
    name: 'ParlanceEventLoopBlocked',
    severity: 'ticket',
    expr: `${series(eventLoopP99)} > 0.5`,
    for: '5m',
    summary: 'The event loop of {{ $labels.instance }} turns half a second late.',
    runbook: 'event-loop-blocked',
  },
];
