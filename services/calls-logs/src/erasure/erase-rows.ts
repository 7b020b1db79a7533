// The rows of deleted calls in Postgres that tell something of a person, or would send it to somebody.
import { type Database, deleteInPieces, type Tx } from '@parlance/postgres';
import { clearSearch } from '../read-models/call-search.js';
import { clearUnsealedSearch } from '../read-models/unsealed-search.js';
import { noteUnwanted } from '../recordings/recordings-repository.js';
import { tellDelivery } from '../webhooks/delivery-news.js';
import type { CallToErase } from './erasure-queue.js';

/**
 * Messages of the call that were not delivered are given up, and no message can be sent again. Endpoints are locked first, as by
 * the sender.
 */
const endDeliveries = async (tx: Tx, callIds: readonly string[], now: Date): Promise<void> => {
  await tx.query(
    `select 1 from webhook_endpoints where id in (
       select endpoint_id from webhook_deliveries where call_id = any($1)) order by id for update`,
    [callIds],
  );
  const attempt = { at: now.toISOString(), statusCode: null, durationMs: 0, error: 'call_deleted' };
  const { rows } = await tx.query<{ deliveryId: string; organizationId: string; callId: string }>(
    `update webhook_deliveries set status = 'dead', next_attempt_at = null, tries = tries + 1,
       attempts = attempts || $2::jsonb
     where call_id = any($1) and status in ('pending', 'retrying')
     returning id as "deliveryId", organization_id as "organizationId", call_id as "callId"`,
    [callIds, JSON.stringify([attempt])],
  );
  for (const delivery of rows) await tellDelivery(tx, { ...delivery, status: 'dead' }, now);
  await tx.query(
    'update webhook_deliveries set target = null where call_id = any($1) and target is not null',
    [callIds],
  );
};

const rowsByCall = ['browser_calls', 'call_analyses', 'call_initiations', 'room_reports'] as const;

/** Messages of other services that were set aside; few, because each waits for a person. */
const deleteParked = async (tx: Tx, callIds: readonly string[]): Promise<void> => {
  await tx.query('delete from parked_messages where payload like any($1)', [
    callIds.map((callId) => `%${callId.replaceAll(/[\\%_]/g, '\\$&')}%`),
  ]);
};

const endLiveTurns = async (db: Database, callIds: readonly string[]): Promise<void> => {
  // A request that adds turns at this moment is waited for; a later one finds the mark and adds none.
  await db.query('update live_transcripts set is_over = true, turns = 0, bytes = 0 where call_id = any($1)', [
    callIds,
  ]);
  await deleteInPieces(db, { table: 'live_turns', where: 'call_id = any($1)', values: [callIds] });
};

export const eraseRows = async (
  db: Database,
  calls: readonly Pick<CallToErase, 'callId' | 'organizationId'>[],
  now: Date,
): Promise<void> => {
  const callIds = calls.map(({ callId }) => callId);
  await endLiveTurns(db, callIds);
  await db.transaction(async (tx) => {
    await endDeliveries(tx, callIds, now);
    await clearSearch(tx, callIds);
    await clearUnsealedSearch(tx, callIds);
    for (const table of rowsByCall) await tx.query(`delete from ${table} where call_id = any($1)`, [callIds]);
    await deleteParked(tx, callIds);
    for (const call of calls) await noteUnwanted(tx, call, now);
  });
};
