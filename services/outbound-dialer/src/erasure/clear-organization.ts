// Clears away a removed organization. Its campaigns and calls that have not ended are cancelled; its rows and files are deleted, and
// the keys of its streams are destroyed. What stays is the course of its calls in the streams, without a number or a name, and the
// sums of its spending.
import type { PersonalData } from '@parlance/crypto';
import type { Erasures } from '@parlance/erasure';
import { AppError } from '@parlance/errors';
import type { EventStoreConnection } from '@parlance/event-sourcing';
import { forgetFiles, type ObjectStorage } from '@parlance/object-storage';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { type Database, deleteOfOrganization } from '@parlance/postgres';
import { openCampaignsOf } from '../campaigns/campaign-numbers.js';
import { cancelInHand } from '../campaigns/campaign-sweep.js';
import { openCallIds } from '../dispatch/call-slots.js';
import { deleteRecipients, deleteRefusedRows } from '../import/recipient-batch.js';
import { uploadPrefix } from '../import/uploads.js';
import { forgetCalls } from '../personal-data/forget-calls.js';
import { subjectOfCampaign } from '../personal-data/forget-campaigns.js';
import { numbersSubject } from '../personal-data/number-hashes.js';
import { stopClaims } from '../recipients/recipients.js';
import { type Campaigns, campaignStep } from '../repositories/campaign-repository.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import { forgetReasons } from '../suppressions/suppression-facts.js';

export interface ClearingParts {
  readonly db: Database;
  readonly calls: OutboundCalls;
  readonly campaigns: Campaigns;
  readonly eventStore: Pick<EventStoreConnection, 'driver'>;
  readonly personalData: PersonalData;
  readonly erasures: Pick<Erasures, 'record'>;
  readonly storage: Pick<ObjectStorage, 'list' | 'delete'> | undefined;
  /** Hangs up a cancelled call. */
  readonly recover: (outboundCallId: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

const rowsAtOnce = 2_000;
const callsAtOnce = 200;
const campaignsAtOnce = 200;
/**
 * The limits that the operator set stay: they hold for the next organization of the owner. So do the sums for the operator's limits,
 * which are deleted when their months are over.
 */
const tables = [
  'suppressions',
  'daily_attempts',
  'operator_attempts',
  'deleted_outbound_calls',
  'organization_settings',
  'paid_numbers',
  'campaign_numbers',
  'campaign_outcomes',
  'retention_rounds',
  'call_slots',
  'browser_places',
] as const;

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

const deleteRows = async (db: Database, organizationId: string): Promise<boolean> => {
  const areCleared = await deleteOfOrganization(db, organizationId, tables);
  await forgetFiles(db, organizationId);
  return areCleared;
};

/** @returns false when there may be more */
const eraseSomeCalls = async (parts: ClearingParts, organizationId: string): Promise<boolean> => {
  const { db } = parts;
  const { rows } = await db.query<{ id: string; isOver: boolean }>(
    `select id, phase = 'ended' and not hang_up as "isOver" from outbound_calls where organization_id = $1
     order by created_at limit ${callsAtOnce}`,
    [organizationId],
  );
  // A row is missed by the projection as long as an event of its stream may follow.
  const ids = rows.filter(({ isOver }) => isOver).map(({ id }) => id);
  await forgetCalls(parts, ids);
  await db.transaction(async (tx) => {
    // A place without a call counts as one that is about to begin.
    await tx.query('delete from call_slots where outbound_call_id = any($1::uuid[])', [ids]);
    await tx.query('delete from outbound_attempts where outbound_call_id = any($1::uuid[])', [ids]);
    await tx.query('delete from outbound_calls where id = any($1::uuid[])', [ids]);
  });
  return rows.length === 0;
};

/** @returns false when there may be more */
const eraseSomeCampaigns = async (
  { db, personalData }: ClearingParts,
  organizationId: string,
): Promise<boolean> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from campaigns where organization_id = $1 order by id limit ${campaignsAtOnce}`,
    [organizationId],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return true;
  await personalData.forget(...ids.map(subjectOfCampaign));
  await db.transaction(async (tx) => {
    await tx.query('select lock_campaign_counts($1::uuid[])', [ids]);
    for (const table of ['campaign_counts', 'file_claims', 'sealed_campaigns'])
      await tx.query(`delete from ${table} where campaign_id = any($1::uuid[])`, [ids]);
    await tx.query('delete from campaigns where id = any($1::uuid[])', [ids]);
  });
  return false;
};

const deleteFiles = async (storage: ClearingParts['storage'], organizationId: string): Promise<void> => {
  if (storage === undefined) return;
  for await (const { key } of storage.list(uploadPrefix(organizationId))) await storage.delete(key);
};

/** Does a part of it; resolves with true when nothing is left. */
export const clearOrganization = async (parts: ClearingParts, organizationId: string): Promise<boolean> => {
  if ((await endAll(parts, organizationId)) > 0) return false;
  const { db, storage, personalData, erasures, clock } = parts;
  if (!(await deleteSomeRecipients(db, organizationId))) return false;
  if (!(await eraseSomeCampaigns(parts, organizationId))) return false;
  if (!(await deleteRows(db, organizationId))) return false;
  if (!(await forgetReasons(db, organizationId))) return false;
  await deleteFiles(storage, organizationId);
  // Last: a phone that still rings holds up its own call, and nothing else.
  if (!(await eraseSomeCalls(parts, organizationId))) return false;
  await personalData.forget(numbersSubject(organizationId));
  const at = clock.now().toISOString();
  await erasures.record([{ organizationId, kind: 'organization', id: organizationId, at }]);
  return true;
};
