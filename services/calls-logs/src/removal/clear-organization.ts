// After the removal of an organization this service sends nothing to its receivers any more. The calls stay in their
// streams and read models as history without an owner; the destruction of their keys makes them unreadable.
import type { Database } from '@parlance/postgres';

const rowsAtOnce = 1_000;

/**
 * Deletes the deliveries that wait, and the ones that a person could have sent again; delivered ones stay as history.
 */
const deleteSomeDeliveries = async (db: Database, organizationId: string): Promise<number> => {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries where id = any(array(
       (select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
        where e.organization_id = $1 and d.status in ('pending', 'retrying') limit ${rowsAtOnce})
       union all
       (select id from webhook_deliveries where organization_id = $1 and status = 'dead' limit ${rowsAtOnce})))`,
    [organizationId],
  );
  return rowCount;
};

/** Deletes live transcripts of the organization, and with them the turns that were not handed over. */
const deleteSomeLiveTranscripts = async (db: Database, organizationId: string): Promise<number> => {
  const { rowCount } = await db.query(
    `delete from live_transcripts where (call_id, organization_id, agent_id) in (
       select call_id, organization_id, agent_id from live_transcripts
       where organization_id = $1 limit ${rowsAtOnce / 10})`,
    [organizationId],
  );
  return rowCount;
};

const deleteSomeAnalyses = async (db: Database, organizationId: string): Promise<number> => {
  const { rowCount } = await db.query(
    `delete from call_analyses where call_id = any(array(
       select call_id from call_analyses where organization_id = $1 limit ${rowsAtOnce}))`,
    [organizationId],
  );
  return rowCount;
};

/** Does a part of it; resolves with true when nothing is left to be sent. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  if ((await deleteSomeDeliveries(db, organizationId)) > 0) return false;
  if ((await deleteSomeAnalyses(db, organizationId)) > 0) return false;
  if ((await deleteSomeLiveTranscripts(db, organizationId)) > 0) return false;
  await db.query(
    `update webhook_endpoints set next_due_at = null, disabled_at = coalesce(disabled_at, now())
     where organization_id = $1`,
    [organizationId],
  );
  await db.query('delete from organization_settings where organization_id = $1', [organizationId]);
  return true;
};
