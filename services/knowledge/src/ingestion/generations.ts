// Ends a job. The new generation replaces the served one, or the served one is confirmed, or the job fails.
import type { Database, Tx } from '@parlance/postgres';
import { announceStatus } from '../sources/announce-status.js';
import { refuseGrowth } from '../sources/chunk-quota.js';
import type { SourceErrorCode } from '../sources/source-record.js';
import { noteLeftover } from '../sources/sources-repository.js';
import { holdJob, type Job } from './queue.js';

const keyOf = (job: Job): readonly unknown[] => [job.organizationId, job.sourceId, job.generation];

export interface Outcome {
  readonly usable: number;
  readonly kept: number;
  /** Pages of the served generation. */
  readonly served: number;
  readonly errorCode: SourceErrorCode | null;
  readonly errorMessage: string | null;
}

/** Counts the pages by their state, and finds the first error. */
export const outcomeOf = async (tx: Tx, job: Job): Promise<Outcome> => {
  const { rows } = await tx.query<Outcome>(
    `select (count(*) filter (where state in ('read', 'kept')))::int as usable,
       (count(*) filter (where state = 'kept'))::int as kept,
       (select count(*)::int from knowledge_pages
        where organization_id = $1 and source_id = $2 and generation = $4 and state = 'read') as served,
       (array_agg(error_code order by ordinal) filter (where error_code is not null))[1] as "errorCode",
       (array_agg(error_message order by ordinal) filter (where error_code is not null))[1] as "errorMessage"
     from knowledge_pages where organization_id = $1 and source_id = $2 and generation = $3`,
    [...keyOf(job), job.source.generation],
  );
  return rows[0] ?? { usable: 0, kept: 0, served: 0, errorCode: null, errorMessage: null };
};

/** True when every page is the same as in the served generation, and no page is missing. */
export const isUnchanged = ({ usable, kept, served }: Outcome): boolean =>
  usable > 0 && kept === usable && served === usable;

/** Copies the chunks of one unchanged page. Resolves with false when no such page is left. @throws Superseded */
export const takeOverPage = (db: Database, job: Job): Promise<boolean> =>
  db.transaction(
    async (tx) => {
      await holdJob(tx, job);
      const { rows } = await tx.query<{ id: string }>(
        `update knowledge_pages set state = 'read' where organization_id = $1 and source_id = $2 and generation = $3
           and id = (select id from knowledge_pages where organization_id = $1 and source_id = $2 and generation = $3
             and state = 'kept' order by ordinal limit 1)
         returning id`,
        keyOf(job),
      );
      const [page] = rows;
      if (page === undefined) return false;
      await tx.query(
        `insert into knowledge_chunks (organization_id, agent_id, source_id, generation, id, page_id, ordinal, url,
           headings, text, start_offset, end_offset, token_count, language, context)
         select organization_id, agent_id, source_id, $3, id, page_id, ordinal, url, headings, text, start_offset,
           end_offset, token_count, language, context
         from knowledge_chunks
         where organization_id = $1 and source_id = $2 and generation = $4 and page_id = $5
         on conflict (organization_id, source_id, generation, id) do nothing`,
        [...keyOf(job), job.source.generation, page.id],
      );
      return true;
    },
    { timeoutMs: 30_000 },
  );

const endJob = async (tx: Tx, job: Job, status: 'ready' | 'failed'): Promise<void> => {
  await announceStatus(tx, job.organizationId, job.source, status);
  await tx.query('delete from knowledge_jobs where organization_id = $1 and source_id = $2', [
    job.organizationId,
    job.sourceId,
  ]);
  await noteLeftover(tx, job.organizationId, job.sourceId);
};

const mostWarnings = 20;

/** Serves the new generation instead of the old one. @throws Superseded; ChunkQuotaReached */
export const swap = (
  db: Database,
  job: Job,
  { embeddingModel, maxChunks }: { readonly embeddingModel: string | null; readonly maxChunks: number },
): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    const { rows } = await tx.query<{ chunk_count: number }>(
      `update knowledge_sources s set generation = $3, status = 'ready', error_code = null, error_message = null,
         chunk_count = p.chunks, char_count = p.chars, mime_type = p.mime_type, size_bytes = p.bytes,
         content_hash = p.hash, warnings = w.warnings, embedding_model = $4, pages_found = null, pages_done = null, chunks_done = null,
         last_ingested_at = now(), updated_at = now(),
         next_refresh_at = now() + make_interval(hours => refresh_interval_hours)
       from (select coalesce(sum(chunk_count), 0)::int as chunks, coalesce(sum(char_count), 0)::int as chars,
               coalesce(sum(size_bytes), 0)::bigint as bytes, (array_agg(mime_type order by ordinal))[1] as mime_type,
               encode(sha256(convert_to(string_agg(content_hash, ',' order by ordinal), 'UTF8')), 'hex') as hash
             from knowledge_pages
             where organization_id = $1 and source_id = $2 and generation = $3 and state = 'read') p,
         (select coalesce(jsonb_agg(warning), '[]') as warnings
          from (select warning || jsonb_build_object('url', url) as warning
                from knowledge_pages, jsonb_array_elements(warnings) warning
                where organization_id = $1 and source_id = $2 and generation = $3 and state = 'read'
                order by ordinal limit ${mostWarnings}) first) w
       where s.organization_id = $1 and s.id = $2
       returning s.chunk_count`,
      [...keyOf(job), embeddingModel],
    );
    const chunks = { before: job.source.chunk_count, after: rows[0]?.chunk_count ?? 0 };
    await refuseGrowth(tx, job.organizationId, maxChunks, chunks);
    await endJob(tx, job, 'ready');
  });

/** Ends the job and keeps the served generation, because no page has changed. @throws Superseded */
export const confirm = (db: Database, job: Job): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    await tx.query(
      `update knowledge_sources set status = 'ready', error_code = null, error_message = null, pages_found = null,
         pages_done = null, chunks_done = null, last_ingested_at = now(),
         next_refresh_at = now() + make_interval(hours => refresh_interval_hours)
       where organization_id = $1 and id = $2`,
      [job.organizationId, job.sourceId],
    );
    await endJob(tx, job, 'ready');
  });

/** Marks the source as failed. The generation that was served before stays served. @throws Superseded */
export const fail = (
  db: Database,
  job: Job,
  error: { readonly code: SourceErrorCode; readonly message: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    await tx.query(
      `update knowledge_sources set status = 'failed', error_code = $3, error_message = $4, pages_found = null,
         pages_done = null, chunks_done = null, updated_at = now(),
         next_refresh_at = now() + make_interval(hours => refresh_interval_hours)
       where organization_id = $1 and id = $2`,
      [job.organizationId, job.sourceId, error.code, error.message],
    );
    await endJob(tx, job, 'failed');
  });
