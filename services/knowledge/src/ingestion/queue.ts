// The durable queue. A worker leases a job, and presents the lease with each of its writes.
import { JobQueue, type LeaseHolder } from '@parlance/jobs';
import { deleteInPieces, lockedRows, type Tx } from '@parlance/postgres';
import { readerVersion } from '../reading/reader-version.js';
import { announceStatus } from '../sources/announce-status.js';
import { type SourceRow, sourceColumns } from '../sources/source-record.js';
import { noteLeftover } from '../sources/sources-repository.js';
import { Superseded } from './job-failures.js';

interface LeasedRow {
  readonly organization_id: string;
  readonly source_id: string;
  readonly generation: number | null;
  readonly is_fresh: boolean;
  readonly tries: number;
  readonly is_new: boolean;
}

export interface Job extends LeaseHolder {
  readonly organizationId: string;
  readonly sourceId: string;
  /** The generation that is being built. */
  readonly generation: number;
  readonly isFresh: boolean;
  readonly tries: number;
  readonly source: SourceRow;
}

/** The lease lasts longer than the fetching and the reading of one document together. */
export const sourceJobs = new JobQueue<LeasedRow>({
  name: 'knowledge-sources',
  table: 'knowledge_jobs',
  key: ['organization_id', 'source_id'],
  columns: 'organization_id, source_id, generation, is_fresh, tries, is_new',
  dueAt: 'next_try_at',
  leasedUntil: 'claimed_until',
  fence: { column: 'fence', next: 'j.fence + 1' },
  set: 'working_on = j.wanted',
  leaseMs: 180_000,
  fair: {
    turns: { table: 'knowledge_turns' },
    facts: { is_new: 'q.working_on is distinct from q.wanted or q.generation is null' },
  },
});

const beginGeneration = async (
  tx: Tx,
  { organization_id: organizationId, source_id: id }: LeasedRow,
): Promise<number> => {
  const { rows } = await tx.query<{ last_generation: number }>(
    `update knowledge_sources set last_generation = last_generation + 1, pages_found = 0, pages_done = 0,
       chunks_done = 0, status = case when generation > 0 then 'reprocessing' else 'processing' end
     where organization_id = $1 and id = $2 returning last_generation`,
    [organizationId, id],
  );
  const generation = rows[0]?.last_generation ?? 0;
  await tx.query('update knowledge_jobs set generation = $3 where organization_id = $1 and source_id = $2', [
    organizationId,
    id,
    generation,
  ]);
  // An earlier attempt may have written chunks of another generation.
  await noteLeftover(tx, organizationId, id);
  return generation;
};

/** Resolves with undefined when no job is due. */
export const claimJob = async (tx: Tx): Promise<Job | undefined> => {
  const [row] = await sourceJobs.leaseFairly(tx, { free: 1, share: 1, holders: [] });
  if (row === undefined) return undefined;
  const generation = row.is_new ? await beginGeneration(tx, row) : (row.generation ?? 0);
  const { rows } = await tx.query<SourceRow>(
    `select ${sourceColumns} from knowledge_sources where organization_id = $1 and id = $2`,
    [row.organization_id, row.source_id],
  );
  const [source] = rows;
  // A deletion of the source deletes the job first, and this transaction holds the job.
  if (source === undefined) throw new Superseded();
  if (row.is_new) await announceStatus(tx, row.organization_id, source, source.status);
  return {
    organizationId: row.organization_id,
    sourceId: row.source_id,
    lease: row.lease,
    generation,
    isFresh: row.is_fresh,
    tries: row.is_new ? 0 : row.tries,
    source,
  };
};

/** Holds the job and renews the lease: the first statement of each writing transaction. @throws Superseded */
export const holdJob = async (tx: Tx, job: Job): Promise<void> => {
  if ((await sourceJobs.renew(tx, job, 'wanted = working_on')) === undefined) throw new Superseded();
};

interface Release {
  readonly afterMs: number;
  /** The failure of a try that counts. */
  readonly failure?: { readonly code: string; readonly message: string; readonly mostTries: number };
}

/**
 * Puts the job back into the queue, due after `afterMs`. A job that was asked for again meanwhile is due at once.
 * Resolves with false when the worker no longer holds the job.
 */
export const letGo = (tx: Tx, job: Job, { afterMs, failure }: Release): Promise<boolean> =>
  sourceJobs.update(tx, job, {
    set: `claimed_until = null, tries = case when $1::text is null then tries else tries + 1 end,
      error_code = coalesce($1, error_code), error_message = coalesce($3, error_message),
      max_tries = coalesce($4, max_tries),
      next_try_at = case when wanted = working_on then clock_timestamp() + $2 * interval '1 millisecond'
        else next_try_at end`,
    values: [
      failure?.code ?? null,
      Math.round(afterMs),
      failure?.message ?? null,
      failure?.mostTries ?? null,
    ],
  });

/** Deletes the last turns of hosts and organizations that had no turn for long. */
export const forgetTurns = async (db: Tx): Promise<void> => {
  await deleteInPieces(db, { table: 'knowledge_hosts', where: `next_at < now() - interval '1 hour'` });
  await deleteInPieces(db, {
    table: 'knowledge_turns',
    where: `last_turn_at < now() - interval '1 day'
      and not exists (select from knowledge_jobs j where j.organization_id = knowledge_turns.organization_id)`,
  });
};

const dueRefreshes = {
  table: 'knowledge_sources',
  columns: 'organization_id, id',
  where: 'next_refresh_at <= now()',
  order: 'next_refresh_at',
};

/** Makes jobs for the sources with a refresh that is due. */
export const beginRefreshes = async (tx: Tx): Promise<void> => {
  await tx.query(
    `with due as (${lockedRows(dueRefreshes, 100)}),
     later as (
       update knowledge_sources s set next_refresh_at = now() + make_interval(hours => refresh_interval_hours)
       from due where s.organization_id = due.organization_id and s.id = due.id)
     insert into knowledge_jobs (organization_id, source_id, is_fresh, next_try_at, created_at)
     select organization_id, id, false, now(), now() from due
     on conflict (organization_id, source_id) do nothing`,
  );
};

/** The most jobs in the queue beside which older readings are repeated: people's own sources come first. */
const quietQueue = 20;

/**
 * Makes jobs for the files that an older version of the reader has read. Pages are not fetched unasked; their next
 * refresh reads them anew. A file that cannot be loaded keeps its passages, and is tried again a day later.
 */
export const beginRereads = async (tx: Tx): Promise<void> => {
  await tx.query(
    `insert into knowledge_jobs (organization_id, source_id, is_fresh, next_try_at, created_at)
     select s.organization_id, s.id, false, now(), now()
     from knowledge_pages p join knowledge_sources s
       on s.organization_id = p.organization_id and s.id = p.source_id and s.generation = p.generation
     where p.url is null and p.state = 'read' and p.reader_version < $1
       and s.status = 'ready' and s.last_ingested_at < now() - interval '1 day'
     limit greatest(0, ${quietQueue} - (select count(*) from knowledge_jobs))
     on conflict (organization_id, source_id) do nothing`,
    [readerVersion],
  );
};

/** Counts the due jobs that are older than an hour and that no worker holds. An operator has to look at them. */
export const countHangingJobs = async (tx: Tx): Promise<number> => {
  const { rows } = await tx.query<{ jobs: number }>(
    `select count(*)::int as jobs from knowledge_jobs
     where created_at < now() - interval '1 hour' and next_try_at < now()
       and (claimed_until is null or claimed_until < now())`,
  );
  return rows[0]?.jobs ?? 0;
};
