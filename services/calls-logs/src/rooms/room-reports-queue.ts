// The stored reports of rooms, a row for each room. A stored webhook is answered, so that the media server sends the next one of the room:
// the row collects them until it is due.

import { setTimeout as delay } from 'node:timers/promises';
import type { PersonalData } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { streamOf } from '@parlance/event-sourcing';
import { JobQueue, type Leased } from '@parlance/jobs';
import type { Database, Tx } from '@parlance/postgres';
import { z } from 'zod';
import { callCategory } from '../call/call-repository.js';
import { GroupedWrites } from './grouped-writes.js';
import { type ReportedRoom, type RoomReports, StoredReports } from './room-report.js';

/**
 * The time in which further reports of a room are waited for. The webhooks at the end of a call come within it, and readers of live calls
 * do not notice it.
 */
export const gatheringMs = 250;

/** Appends that were begun together end within about this time; until then their rows are leased. */
const settlingMs = 25;

interface ReportsRow {
  readonly callId: string;
  readonly room: string;
  readonly reports: unknown;
  readonly isStale: boolean;
}
export type RoomReportsJob = Leased<ReportsRow>;

export const roomReportsJobs = new JobQueue<ReportsRow>({
  name: 'room-reports',
  table: 'room_reports',
  key: ['call_id'],
  // The services know the sessions of the last day.
  columns: `call_id as "callId", room, reports, stored_at < statement_timestamp() - interval '1 day' as "isStale"`,
  dueAt: 'due_at',
  attempts: 'tries',
  // Longer than the services of browsers' rooms may take to answer.
  leaseMs: 60_000,
  retry: { firstMs: 1_000, longestMs: 60_000 },
});

interface StoredRow extends Omit<RoomReports, 'room'> {
  readonly room: string;
}

/** One row for each room: a statement changes a row once. */
const rowsOf = (stored: readonly StoredRow[]): StoredRow[] => {
  const rows = new Map<string, StoredRow>();
  for (const row of stored) {
    const before = rows.get(row.callId);
    rows.set(row.callId, before ? { ...before, reports: [...before.reports, ...row.reports] } : row);
  }
  return [...rows.values()];
};

const storeRows = async (tx: Tx, stored: readonly StoredRow[]): Promise<void> => {
  await tx.query({
    name: 'room-reports-store',
    text: `insert into room_reports as r (call_id, organization_id, room, reports, due_at)
           select call_id, organization_id, room, reports, statement_timestamp() + $2 * interval '1 millisecond'
           from jsonb_to_recordset($1) as given (call_id text, organization_id text, room text, reports jsonb)
           order by call_id
           on conflict (call_id) do update
           set reports = r.reports || excluded.reports`,
    values: [
      JSON.stringify(
        rowsOf(stored).map(({ callId, organizationId, room, reports }) => ({
          ...{ call_id: callId, organization_id: organizationId, room, reports },
        })),
      ),
      gatheringMs,
    ],
  });
};

/**
 * Removes what was recorded. Reports that came meanwhile stay, and are due. Rows are locked in the order in which they are stored.
 * @returns the calls with reports that stay
 */
const settleRows = async (tx: Tx, jobs: readonly RoomReportsJob[]): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ callId: string }>({
    name: 'room-reports-settle',
    text: `with settled as materialized (
             select r.call_id, job.recorded, jsonb_array_length(r.reports) as stored from room_reports r
             join unnest($1::text[], $2::timestamptz[], $3::int[]) as job (call_id, due_at, recorded)
               on r.call_id = job.call_id and r.due_at = job.due_at
             order by r.call_id for update of r),
           removed as (
             delete from room_reports r using settled s where r.call_id = s.call_id and s.stored <= s.recorded)
           update room_reports r set due_at = statement_timestamp(), tries = 0, reports = (
             select jsonb_agg(report order by number)
             from jsonb_array_elements(r.reports) with ordinality as one (report, number) where number > s.recorded)
           from settled s where r.call_id = s.call_id and s.stored > s.recorded
           returning r.call_id as "callId"`,
    values: [
      jobs.map(({ callId }) => callId),
      jobs.map(({ lease }) => lease.fence),
      jobs.map(({ reports }) => (Array.isArray(reports) ? reports.length : 0)),
    ],
  });
  return new Set(rows.map(({ callId }) => callId));
};

const Room = z.object({ name: z.string(), metadata: z.string() });

export interface RoomReportsOptions {
  readonly db: Database;
  readonly personalData: Pick<PersonalData, 'seal' | 'open'>;
}

export class RoomReportsQueue {
  readonly #options: RoomReportsOptions;
  readonly #storing: GroupedWrites<StoredRow, void>;
  readonly #settling: GroupedWrites<RoomReportsJob, ReadonlySet<string>>;

  constructor(options: RoomReportsOptions) {
    this.#options = options;
    this.#storing = new GroupedWrites((rows) => storeRows(options.db, rows));
    this.#settling = new GroupedWrites((jobs) => settleRows(options.db, jobs), settlingMs);
  }

  /** Resolves when the report is stored. @throws AppError SERVICE_UNAVAILABLE */
  async store({ callId, organizationId, room, reports }: RoomReports): Promise<void> {
    const sealed = await this.#options.personalData.seal(streamOf(callCategory, callId), room);
    await this.#storing.add({ callId, organizationId, room: sealed, reports });
  }

  /** @throws CannotOpen when the row is damaged */
  async open({ callId, room, reports }: RoomReportsJob): Promise<Pick<RoomReports, 'room' | 'reports'>> {
    const opened = await this.#options.personalData.open(streamOf(callCategory, callId), room);
    return { room: this.#roomOf(callId, opened), reports: StoredReports.parse(reports) };
  }

  /** Ends a job that is done, together with others. @returns true when further reports of the room are due */
  async settle(job: RoomReportsJob): Promise<boolean> {
    return (await this.#settling.add(job)).has(job.callId);
  }

  /** The call was erased: only its stream still describes it. */
  #roomOf(callId: string, opened: unknown): ReportedRoom {
    return opened === null ? { name: '', metadata: JSON.stringify({ callId }) } : Room.parse(opened);
  }
}

/**
 * Resolves when the reports about telephone calls of the organization that are stored by now are recorded. The room of a browser does not
 * name its organization.
 * @throws AppError SERVICE_UNAVAILABLE when one is not within some seconds
 */
export const untilReportsRecorded = async (
  db: Tx,
  organizationId: string,
  { timeoutMs = 3_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  let since: Date | null = null;
  for (;;) {
    const { rows }: { rows: { now: Date; waits: boolean }[] } = await db.query({
      name: 'room-reports-of-organization',
      text: `select statement_timestamp() as now, exists (
               select from room_reports where organization_id = $1
               and stored_at <= coalesce($2::timestamptz, statement_timestamp())) as waits`,
      values: [organizationId, since],
    });
    if (!rows[0]?.waits) return;
    since ??= rows[0].now;
    if (performance.now() > deadline)
      throw new AppError('SERVICE_UNAVAILABLE', {
        retryAfterSeconds: 1,
        cause: new Error('reports of rooms are not recorded yet'),
      });
    await delay(50);
  }
};
