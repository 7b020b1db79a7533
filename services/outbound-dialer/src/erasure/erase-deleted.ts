// Erases outbound calls that were deleted by their id: what the dialer keeps, and the records of their attempts in calls-logs. Any number
// of replicas may do so.
import type { Erasure } from '@parlance/erasure';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { attemptsOf, type Known } from '../domain/outbound-call/outbound-call-view.js';
import type { EraseCalls } from '../integration/clients.js';
import { emptyRows } from '../personal-data/empty-recipients.js';
import { forgetCalls } from '../personal-data/forget-calls.js';
import { deleteFilesOf } from '../personal-data/forget-campaigns.js';
import { type DeletionJob, leaseDeletions, settleDeletion } from './deleted-calls.js';
import type { ErasingParts } from './erase-person.js';

interface DeletingParts extends ErasingParts {
  readonly eraseCalls: EraseCalls;
  readonly logger: Logger;
}

const callsAtOnce = 50;
const everyMs = 2_000;

const entriesOf = ({ outboundCallId, organizationId, deletedAt }: DeletionJob, { placed }: Known) => {
  const common = { organizationId, at: deletedAt.toISOString() };
  const call: Erasure = { ...common, kind: 'outbound-call', id: outboundCallId, isDeleted: true };
  const { campaignId, rowNumber } = placed;
  if (campaignId === null || rowNumber === null) return [call];
  return [call, { ...common, kind: 'recipient', id: `${campaignId}/${rowNumber}` } as const];
};

/** @returns false when the campaign still works on the recipient of the call */
const emptyRecipient = async (parts: DeletingParts, { placed }: Known): Promise<boolean> => {
  const { campaignId, rowNumber } = placed;
  if (campaignId === null || rowNumber === null) return true;
  const left = await emptyRows(parts.db, campaignId, [rowNumber], { onlyIdle: true });
  await deleteFilesOf(parts, [campaignId]);
  return left === 0;
};

/** @returns false when something of the call is in use, and it is to be repeated */
const eraseOne = async (parts: DeletingParts, job: DeletionJob): Promise<boolean> => {
  const { calls, erasures, eraseCalls } = parts;
  const { outboundCallId, organizationId, deletedBy, isErased } = job;
  const { state } = await calls.load(outboundCallId);
  if (state.phase !== 'ended') return false;
  if (!isErased) await erasures.record(entriesOf(job, state));
  await forgetCalls(parts, [outboundCallId]);
  const isEmptied = await emptyRecipient(parts, state);
  const callIds = attemptsOf(state).map(({ callId }) => callId);
  if (callIds.length > 0)
    await eraseCalls(organizationId, { callIds, erasureId: outboundCallId, requestedBy: deletedBy });
  return isEmptied;
};

/** @returns the number of calls that were leased */
const eraseDeletedCalls = async (parts: DeletingParts): Promise<number> => {
  const { db, clock, logger } = parts;
  const jobs = await leaseDeletions(db, clock.now(), callsAtOnce);
  for (const job of jobs) {
    try {
      if (await eraseOne(parts, job)) await settleDeletion(db, job, clock.now());
    } catch (err) {
      logger.warn({ outboundCallId: job.outboundCallId, err }, 'erasure of an outbound call deferred');
    }
  }
  return jobs.length;
};

/** Starts at once. */
export const startErasingDeleted = (parts: DeletingParts): RunningPart =>
  startRounds({
    name: 'erasure of outbound calls',
    everyMs,
    activity: parts.db.activity,
    logger: parts.logger,
    round: async (stopping) => {
      while (!stopping.aborted && (await eraseDeletedCalls(parts)) === callsAtOnce);
    },
  });
