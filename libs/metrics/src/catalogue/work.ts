// Work for organizations beside calls: webhooks, tools, knowledge and widgets.
import { instrument } from './definition.js';
import { executionResults, jobQueues, webhookResults } from './label-values.js';

const seconds = [0.1, 0.5, 1, 5, 30] as const;

export const webhookTries = instrument({
  name: 'parlance.webhook.tries',
  kind: 'histogram',
  unit: 's',
  about: 'Tries to send a webhook: the time of each, by result.',
  place: 'service',
  labels: { 'parlance.result': webhookResults },
  boundaries: seconds,
});

export const webhooksWaiting = instrument({
  name: 'parlance.webhooks.waiting',
  kind: 'gauge',
  unit: '{webhook}',
  about: 'Webhooks that are not delivered yet, counted up to 10,000.',
  place: 'service',
  labels: { 'parlance.webhook.status': ['pending', 'retrying', 'dead'] },
});

export const callAnalyses = instrument({
  name: 'parlance.call.analyses',
  kind: 'histogram',
  unit: 's',
  about: 'Analyses of finished calls: the time of each, by what made it and by result.',
  place: 'service',
  labels: {
    'parlance.analysis.method': ['rules', 'model'],
    'parlance.result': ['completed', 'deferred', 'failed'],
  },
  boundaries: seconds,
});

export const quotaRefusals = instrument({
  name: 'parlance.storage.refusals',
  kind: 'counter',
  unit: '{file}',
  about: 'Files that were refused because an organization has reached its quota of stored bytes, by kind.',
  place: 'service',
  labels: { 'parlance.storage.kind': ['knowledge', 'campaigns', 'recordings'] },
});

export const toolExecutions = instrument({
  name: 'parlance.tool.executions',
  kind: 'histogram',
  unit: 's',
  about: 'Executions of HTTP tools in calls: the time of each, by result.',
  place: 'service',
  labels: { 'parlance.result': executionResults },
  boundaries: seconds,
});

export const mcpExecutions = instrument({
  name: 'parlance.mcp.executions',
  kind: 'histogram',
  unit: 's',
  about: 'Executions of tools of external MCP servers: the time of each, by result.',
  place: 'service',
  labels: { 'parlance.result': executionResults },
  boundaries: seconds,
});

export const jobsLag = instrument({
  name: 'parlance.jobs.lag',
  kind: 'gauge',
  unit: 's',
  about: 'Age of the oldest due job that no worker has leased, by queue.',
  place: 'every',
  labels: { 'parlance.job.queue': jobQueues },
});

export const knowledgeJobs = instrument({
  name: 'parlance.knowledge.jobs',
  kind: 'gauge',
  unit: '{job}',
  about: 'Sources that have to be read: due, in the hands of a worker, and due for more than an hour.',
  place: 'service',
  labels: { 'parlance.job.state': ['due', 'running', 'hanging'] },
});

export const knowledgeReadings = instrument({
  name: 'parlance.knowledge.readings',
  kind: 'counter',
  unit: '{source}',
  about: 'Readings of sources that came to an end, by result.',
  place: 'service',
  labels: { 'parlance.result': ['new', 'unchanged', 'failed'] },
});

export const widgetSessions = instrument({
  name: 'parlance.widget.sessions',
  kind: 'gauge',
  unit: '{session}',
  about: 'Sessions of visitors that are open, and visitors that wait in the queue of a widget.',
  place: 'service',
  labels: { 'parlance.session.state': ['open', 'waiting'] },
});
