// Clears away a removed organization. Its campaigns and calls that have not ended are cancelled; its recipients,
// suppressed numbers and settings are deleted. The outcomes of its calls stay in their streams, as history without an
// owner.
import { AppError } from '@parlance/errors';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { openCallIds } from '../admission/call-slots.js';
import { cancelInHand } from '../admission/campaign-sweep.js';
import { openCampaignsOf } from '../campaign/campaign-numbers.js';
import { type Campaigns, campaignStep } from '../campaign/campaign-repository.js';
import { deleteRecipients, deleteRefusedRows } from '../importing/recipient-batch.js';
import { type OutboundCalls, stepMeta } from '../outbound-call/outbound-call-repository.js';
import { stopClaims } from '../recipients/recipients.js';

export interface ClearingParts {
  readonly db: Database;
  readonly calls: OutboundCalls;
  readonly campaigns: Campaigns;
  /** Hangs up a cancelled call. */
  readonly recover: (outboundCallId: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

const rowsAtOnce = 2_000;
/**
 * Deleted by whole organization. The limits that the operator set stay: they hold for the next organization of the owner.
 * So do the sums for the operator's limits, which are deleted when their months are over.
 * None of them grows with the number of called people.
 */
const smallTables = [
  'organization_settings',
  'paid_numbers',
  'campaign_numbers',
  'campaign_outcomes',
  'call_slots',
  'browser_places',
] as const;
const largeTables = ['suppressions', 'daily_attempts', 'operator_attempts'] as const;

/** A campaign that was never created, or has ended, needs nothing. */
const cancelCampaign = async (parts: ClearingParts, organizationId: string, id: string): Promise<void> => {
  const { db, campaigns, clock } = parts;
  if ((await campaigns.load(id)).state.phase === 'absent') return;
  const now = clock.now().toISOString();
  await campaigns(
    id,
    { type: 'CancelCampaign', organizationId, now },
    campaignStep(organizationId, id, 'CancelCampaign', now),
  );
  await db.transaction((tx) => stopClaims(tx, id));
  await cancelInHand(parts, { id, organizationId });
};

const cancelCall = async (parts: ClearingParts, organizationId: string, id: string): Promise<boolean> => {
  const { calls, recover, clock } = parts;
  const { phase } = (await calls.load(id)).state;
  if (phase === 'absent' || phase === 'ended') return phase === 'ended';
  const now = clock.now().toISOString();
  const command = { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now } as const;
  await calls(id, command, stepMeta(organizationId, id, 'CancelWithOrganization', now));
  await recover(id);
  return true;
};

/** @returns the number of calls and campaigns that the read models, or taken places, still show as open */
const endAll = async (parts: ClearingParts, organizationId: string): Promise<number> => {
  const { db, clock } = parts;
  const campaigns = await openCampaignsOf(parts, organizationId, clock.now());
  for (const id of campaigns) await cancelCampaign(parts, organizationId, id).catch(unlessOver);
  const calls = await openCallIds(db, organizationId, clock.now());
  for (const id of calls) await cancelCall(parts, organizationId, id).catch(unlessOver);
  return campaigns.length + calls.length;
};

/** Passes over the error of a campaign or call that ended by itself in the same moment. */
const unlessOver = (error: unknown): void => {
  const codes: readonly string[] = ['CAMPAIGN_NOT_CANCELLABLE', 'CALL_NOT_CANCELLABLE'];
  if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
};

/** @returns false when there may be more */
const deleteSomeRecipients = async (db: Database, organizationId: string): Promise<boolean> => {
  const { rows } = await db.query<{ id: string }>(
    'select id from campaigns where organization_id = $1 order by id',
    [organizationId],
  );
  for (const { id } of rows) {
    const deleted = await db.transaction(async (tx) => {
      // Counts before rows, as the projection takes them.
      await tx.query('select lock_campaign_counts(array[$1::uuid])', [id]);
      return deleteRecipients(tx, id, rowsAtOnce);
    });
    const deletedRefused = await deleteRefusedRows(db, id, rowsAtOnce);
    if (deleted === rowsAtOnce || deletedRefused === rowsAtOnce) return false;
  }
  return true;
};

const deleteSomeRows = async (db: Database, organizationId: string): Promise<boolean> => {
  for (const table of largeTables) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where organization_id = $1 limit ${rowsAtOnce}))`,
      [organizationId],
    );
    if (rowCount === rowsAtOnce) return false;
  }
  for (const table of smallTables)
    await db.query(`delete from ${table} where organization_id = $1`, [organizationId]);
  return true;
};

/** Does a part of it; resolves with true when nothing is left. */
export const clearOrganization = async (parts: ClearingParts, organizationId: string): Promise<boolean> => {
  if ((await endAll(parts, organizationId)) > 0) return false;
  const { db } = parts;
  return (await deleteSomeRecipients(db, organizationId)) && (await deleteSomeRows(db, organizationId));
};
