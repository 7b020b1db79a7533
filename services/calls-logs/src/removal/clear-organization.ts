// After the removal of an organization nothing of it is left here: first it sends nothing any more, then its calls go with their
// documents, files and keys, and last what was counted of them. Every step can be done again.
import type { PersonalData } from '@parlance/crypto';
import type { Erasures } from '@parlance/erasure';
import { streamOf } from '@parlance/event-sourcing';
import { forgetFiles, type ObjectStorage } from '@parlance/object-storage';
import type { Clock } from '@parlance/observability';
import { type Database, deleteOfOrganization } from '@parlance/postgres';
import pLimit from 'p-limit';
import { callCategory } from '../call/call-repository.js';
import { recordingsOf } from '../call/recording-keys.js';
import { eraseRows } from '../erasure/erase-rows.js';
import type { CallDocuments } from '../read-models/call-documents.js';
import { indexTables } from '../read-models/call-index-tables.js';
import { searchSubject, searchTables } from '../read-models/call-search.js';

export interface ClearingOptions {
  readonly db: Database;
  readonly documents: Pick<CallDocuments, 'delete'>;
  readonly personalData: Pick<PersonalData, 'forget'>;
  /** Undefined where no storage is configured. */
  readonly storage: Pick<ObjectStorage, 'delete' | 'list'> | undefined;
  readonly erasures: Pick<Erasures, 'record'>;
  readonly clock: Clock;
  /** Resolves when the read models hold all that is recorded by now. @throws AppError SERVICE_UNAVAILABLE */
  readonly untilProjected: () => Promise<void>;
}

const rowsAtOnce = 1_000;
const callsAtOnce = 200;
const filesAtOnce = 500;
const abreast = 10;

/** Deletes the deliveries that wait, and the ones that a person could have sent again. */
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

/** Reports of the media server that are in no stream yet. */
const deleteSomeRoomReports = async (
  { db, personalData }: ClearingOptions,
  organizationId: string,
): Promise<number> => {
  const { rows } = await db.query<{ id: string }>(
    `delete from room_reports where call_id in (
       select call_id from room_reports where organization_id = $1 limit ${callsAtOnce})
     returning call_id as id`,
    [organizationId],
  );
  await personalData.forget(...rows.map(({ id }) => streamOf(callCategory, id)));
  return rows.length;
};

/** By index: those in the log, then those that were deleted. */
const someCalls = async (db: Database, organizationId: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `(select call_id as id from call_index where organization_id = $1 and deleted_at is null limit ${callsAtOnce})
     union all
     (select call_id from call_index where organization_id = $1 and deleted_at is not null limit ${callsAtOnce})
     limit ${callsAtOnce}`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
};

/** Rows beside the read models, each found by its call. */
const tablesByCall = ['webhook_deliveries', 'call_erasures'] as const;

/** The rows of the index go last: by them the calls are found again. */
const deleteSomeCalls = async (
  { db, documents, personalData, clock }: ClearingOptions,
  organizationId: string,
): Promise<number> => {
  const callIds = await someCalls(db, organizationId);
  if (callIds.length === 0) return 0;
  await eraseRows(
    db,
    callIds.map((callId) => ({ callId, organizationId })),
    clock.now(),
  );
  await documents.delete(callIds);
  await personalData.forget(...callIds.map((callId) => streamOf(callCategory, callId)));
  await db.transaction(async (tx) => {
    for (const table of [...tablesByCall, 'call_index'])
      await tx.query(`delete from ${table} where call_id = any($1)`, [callIds]);
  });
  return callIds.length;
};

/** Also files that no row names. An upload that is under way is deleted later, by the row of its recording. */
const deleteSomeFiles = async ({ storage }: ClearingOptions, organizationId: string): Promise<number> => {
  if (storage === undefined) return 0;
  const limit = pLimit(abreast);
  const deleting: Promise<void>[] = [];
  for await (const { key } of storage.list(recordingsOf(organizationId))) {
    deleting.push(limit(() => storage.delete(key)));
    if (deleting.length === filesAtOnce) break;
  }
  await Promise.all(deleting);
  return deleting.length;
};

const deleteCounts = async (db: Database, organizationId: string): Promise<boolean> => {
  const tables = [
    ...[...indexTables, ...searchTables],
    ...['browser_calls', 'call_erasures', 'organization_settings'],
  ];
  const areCleared = await deleteOfOrganization(db, organizationId, tables);
  await forgetFiles(db, organizationId);
  return areCleared;
};

/** Does a part of it; resolves with true when nothing is left. */
export const clearOrganization = async (
  options: ClearingOptions,
  organizationId: string,
): Promise<boolean> => {
  const { db, personalData, erasures, clock, untilProjected } = options;
  if ((await deleteSomeDeliveries(db, organizationId)) > 0) return false;
  if ((await deleteSomeLiveTranscripts(db, organizationId)) > 0) return false;
  if ((await deleteSomeRoomReports(options, organizationId)) > 0) return false;
  // What was recorded before the removal has its rows and documents then, and is found.
  await untilProjected();
  if ((await deleteSomeCalls(options, organizationId)) > 0) return false;
  if ((await deleteSomeFiles(options, organizationId)) > 0) return false;
  await db.query(
    `update webhook_endpoints set next_due_at = null, origin = '', disabled_at = coalesce(disabled_at, now())
     where organization_id = $1`,
    [organizationId],
  );
  if (!(await deleteCounts(db, organizationId))) return false;
  await personalData.forget(searchSubject(organizationId));
  const at = clock.now().toISOString();
  await erasures.record([{ organizationId, kind: 'organization', id: organizationId, at }]);
  return true;
};
