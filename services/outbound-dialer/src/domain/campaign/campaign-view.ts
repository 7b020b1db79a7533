// A campaign as the interface shows it: the state of its stream, and the number of its recipients in each state.
import type { contract, Result } from '@parlance/contracts';
import { estimateOf } from './campaign-estimate.js';
import type { FileReport } from './campaign-events.js';
import type { Created, KnownCampaign } from './campaign-state.js';
import { openStates, type RecipientCounts, terminalStates } from './recipient-states.js';

export type CampaignView = Result<typeof contract.outboundCallsGetBatch>;

const unread: FileReport = { rows: 0, accepted: 0, rejected: 0, duplicates: 0, columns: [], errors: [] };

/** Two decimals; a hundred only when no recipient is left. */
const percentOf = (done: number, total: number): number =>
  total === 0 ? 0 : Math.floor((done / total) * 10_000) / 100;

/**
 * The total is always the sum of the others. The recipients of a cancelled campaign count as cancelled at once,
 * although writing that down takes a while.
 */
export const progressOf = (counts: RecipientCounts, isCancelled: boolean): CampaignView['progress'] => {
  const { recipients, attempts } = counts;
  const waiting = isCancelled ? 0 : recipients.pending;
  const cancelled = recipients.cancelled + (isCancelled ? recipients.pending : 0);
  const states = [...openStates, ...terminalStates];
  const total = states.reduce((sum, state) => sum + recipients[state], 0);
  return {
    total,
    pending: waiting,
    queued: recipients.queued,
    inProgress: recipients.in_progress,
    completed: recipients.completed,
    voicemail: recipients.voicemail,
    noAnswer: recipients.no_answer,
    busy: recipients.busy,
    failed: recipients.failed,
    cancelled,
    skipped: recipients.skipped,
    percent: percentOf(total - waiting - recipients.queued - recipients.in_progress, total),
    attempts,
  };
};

const statusReasonOf = (state: KnownCampaign): string | null => {
  if (state.phase === 'paused') return state.reason;
  return state.phase === 'failed' ? state.code : null;
};

const askedFor = ({ data: created }: Pick<Created, 'data'>) => ({
  name: created.name,
  agentId: created.agentId,
  agentName: created.agentName,
  sourceFileKey: created.sourceFileKey,
  sourceFileName: created.sourceFileName,
  scheduledAt: created.scheduledAt,
  timezone: created.timezone,
  ringingTimeoutSeconds: created.ringingTimeoutSeconds,
  callsPerSecond: created.callsPerSecond,
  maxConcurrency: created.maxConcurrency,
  callingWindow: created.callingWindow,
  retryPolicy: created.retryPolicy,
  circuitBreaker: created.circuitBreaker,
  budget: created.budget ?? null,
  createdBy: created.createdBy,
  createdAt: created.createdAt,
});

/** @param now the present, from which the estimate of the rest begins */
export const toCampaign = (
  id: string,
  state: KnownCampaign,
  counts: RecipientCounts,
  now: Date,
): CampaignView => ({
  id,
  ...askedFor({ data: state.created }),
  fromNumber: state.personal?.fromNumber ?? '',
  status: state.phase,
  statusReason: statusReasonOf(state),
  ...(state.phase === 'paused' && state.closedBy !== undefined ? { closedBy: state.closedBy } : {}),
  progress: progressOf(counts, state.phase === 'cancelled'),
  file: state.file ?? unread,
  estimate: estimateOf(state, counts, now),
  costMicros: counts.costMicros,
  startedAt: state.startedAt,
  completedAt: state.phase === 'completed' ? state.completedAt : null,
  cancelledAt: state.phase === 'cancelled' ? state.cancelledAt : null,
  updatedAt: state.updatedAt,
});
