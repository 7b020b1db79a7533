// Calls that wait for their analysis. A row is leased for some minutes, and deleted with the result.
import { type FairSlots, fairlyPicked } from '@parlance/jobs';
import type { Tx } from '@parlance/postgres';

export interface AnalysisJob {
  readonly callId: string;
  readonly organizationId: string;
  readonly ingestId: string;
  /** Tries so far, this one included. */
  readonly tries: number;
}

export const addJob = async (tx: Tx, job: Omit<AnalysisJob, 'tries'>, now: Date): Promise<void> => {
  await tx.query({
    name: 'analysis-add',
    text: `insert into call_analyses (call_id, organization_id, ingest_id, due_at) values ($1, $2, $3, $4)
           on conflict (call_id) do nothing`,
    values: [job.callId, job.organizationId, job.ingestId, now],
  });
};

/** Longer than an analysis may take. A replica that dies leaves its jobs to the others after it. */
const leaseMs = 60 * 1_000;
const longestPauseMs = 60 * 60 * 1_000;

const lease = `${fairlyPicked(
  {
    turns: { pool: 'analyses' },
    table: 'call_analyses',
    id: 'call_id',
    isDue: 'q.due_at <= $1',
    order: 'q.due_at',
  },
  { limit: '$2::int', share: '$5::int', holders: '$6::text[]' },
)}
  update call_analyses a set tries = tries + 1,
    due_at = $1::timestamptz + least($3 * power(2, least(tries, 10)), $4) * interval '1 millisecond'
  from picked where a.call_id = picked.id
  returning a.call_id, a.organization_id, a.ingest_id, a.tries`;

/**
 * Leases jobs that are due: of each organization its oldest ones. The lease is also the pause before the next try, and doubles
 * with each.
 */
export const leaseJobs = async (
  tx: Tx,
  now: Date,
  { free, share, holders }: Pick<FairSlots, 'free' | 'share' | 'holders'>,
): Promise<readonly AnalysisJob[]> => {
  const { rows } = await tx.query<{
    call_id: string;
    organization_id: string;
    ingest_id: string;
    tries: number;
  }>({
    name: 'analysis-lease',
    text: lease,
    values: [now, free, leaseMs, longestPauseMs, share, holders],
  });
  return rows.map((row) => ({
    callId: row.call_id,
    organizationId: row.organization_id,
    ingestId: row.ingest_id,
    tries: row.tries,
  }));
};

export const dropJob = async (tx: Tx, { callId, ingestId }: AnalysisJob): Promise<void> => {
  await tx.query({
    name: 'analysis-drop',
    text: 'delete from call_analyses where call_id = $1 and ingest_id = $2',
    values: [callId, ingestId],
  });
};

/** Analyses are made of calls that were handed over since this moment. */
export const analysesSince = async (tx: Tx): Promise<Date> => {
  const { rows } = await tx.query<{ since: Date }>('select since from analysis_start');
  return rows[0]?.since ?? new Date(0);
};
