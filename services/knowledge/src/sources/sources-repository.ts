// Sources and their jobs in Postgres. Every query names the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import type { Keyset, Tx } from '@parlance/postgres';
import { type Crawl, type PagePart, type SourceRow, sourceColumns } from './source-record.js';

export interface NewSource {
  readonly id: string;
  readonly agentId: string;
  readonly type: 'url' | 'file';
  readonly name: string;
  readonly url: string | null;
  readonly fileKey: string | null;
  readonly fileName: string | null;
  readonly usageMode: 'auto' | 'prompt';
  readonly crawl: Crawl | null;
  readonly include: readonly PagePart[];
  readonly refreshIntervalHours: number | null;
  readonly now: Date;
}

const found = (row: SourceRow | undefined): SourceRow => {
  if (row === undefined) throw new AppError('KNOWLEDGE_SOURCE_NOT_FOUND');
  return row;
};

export const listSources = async (
  tx: Tx,
  organizationId: string,
  agentId: string | undefined,
  { createdAt, id, limit }: Keyset,
): Promise<SourceRow[]> => {
  const { rows } = await tx.query<SourceRow>(
    `select ${sourceColumns} from knowledge_sources
     where organization_id = $1 and ($2::uuid is null or agent_id = $2)
       and (created_at, id) < ($3::timestamptz, $4::uuid)
     order by created_at desc, id desc limit $5`,
    [organizationId, agentId ?? null, createdAt, id, limit],
  );
  return rows;
};

/** @throws AppError KNOWLEDGE_SOURCE_NOT_FOUND */
export const getSource = async (tx: Tx, organizationId: string, id: string): Promise<SourceRow> => {
  const { rows } = await tx.query<SourceRow>(
    `select ${sourceColumns} from knowledge_sources where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return found(rows[0]);
};

/** Resolves with undefined when a source with this id exists already. */
export const insertSource = async (
  tx: Tx,
  organizationId: string,
  source: NewSource,
): Promise<SourceRow | undefined> => {
  const { rows } = await tx.query<SourceRow>(
    `insert into knowledge_sources (organization_id, id, agent_id, type, name, url, file_key, file_name, usage_mode,
       crawl_mode, max_pages, refresh_interval_hours, status, created_at, updated_at, include)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', $13, $13, $14)
     on conflict (organization_id, id) do nothing returning ${sourceColumns}`,
    [
      ...[organizationId, source.id, source.agentId, source.type, source.name, source.url, source.fileKey],
      ...[source.fileName, source.usageMode, source.crawl?.mode ?? null, source.crawl?.maxPages ?? null],
      ...[source.refreshIntervalHours, source.now, source.include],
    ],
  );
  return rows[0];
};

/** Called after the insert, while the agent is held. @throws AppError CONFLICT with the limit */
export const refuseOverLimit = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  limit: number,
): Promise<void> => {
  const { rowCount } = await tx.query(
    'select 1 from knowledge_sources where organization_id = $1 and agent_id = $2 offset $3 limit 1',
    [organizationId, agentId, limit],
  );
  if (rowCount > 0) throw new AppError('CONFLICT', { details: { maxSourcesPerAgent: limit } });
};

export interface SourceChange {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly fileKey?: string | undefined;
  /** Of the file with this key. */
  readonly fileName?: string | undefined;
  readonly usageMode?: 'auto' | 'prompt' | undefined;
  readonly crawl?: Crawl | undefined;
  readonly include?: readonly PagePart[] | undefined;
  readonly refreshIntervalHours?: number | null | undefined;
}

/** @throws AppError KNOWLEDGE_SOURCE_NOT_FOUND */
export const updateSource = async (
  tx: Tx,
  organizationId: string,
  id: string,
  change: SourceChange,
  now: Date,
): Promise<SourceRow> => {
  const { rows } = await tx.query<SourceRow>(
    `update knowledge_sources set name = coalesce($3, name), url = coalesce($4, url),
       file_key = coalesce($5, file_key), file_name = coalesce($12, file_name), usage_mode = coalesce($6, usage_mode),
       crawl_mode = coalesce($7, crawl_mode), max_pages = coalesce($8, max_pages),
       refresh_interval_hours = case when $9 then $10 else refresh_interval_hours end,
       next_refresh_at = case when $9 then $11::timestamptz + make_interval(hours => $10) else next_refresh_at end,
       include = coalesce($13, include), updated_at = $11
     where organization_id = $1 and id = $2 returning ${sourceColumns}`,
    [
      ...[organizationId, id, change.name ?? null, change.url ?? null, change.fileKey ?? null],
      ...[change.usageMode ?? null, change.crawl?.mode ?? null, change.crawl?.maxPages ?? null],
      ...[change.refreshIntervalHours !== undefined, change.refreshIntervalHours ?? null, now],
      change.fileName ?? null,
      change.include ?? null,
    ],
  );
  return found(rows[0]);
};

/**
 * Makes a job for the source, or makes the running job begin again.
 * @param isFresh the served generation is not compared: requests are unconditional
 * @throws AppError KNOWLEDGE_SOURCE_NOT_FOUND
 */
export const readAgain = async (
  tx: Tx,
  organizationId: string,
  id: string,
  isFresh: boolean,
): Promise<SourceRow> => {
  const { rows } = await tx.query<SourceRow>(
    `update knowledge_sources set status = case when generation > 0 then 'reprocessing' else 'pending' end,
       next_refresh_at = now() + make_interval(hours => refresh_interval_hours)
     where organization_id = $1 and id = $2 returning ${sourceColumns}`,
    [organizationId, id],
  );
  const row = found(rows[0]);
  await tx.query(
    `insert into knowledge_jobs as job (organization_id, source_id, is_fresh, next_try_at, created_at)
     values ($1, $2, $3, now(), now())
     on conflict (organization_id, source_id) do update set is_fresh = job.is_fresh or excluded.is_fresh,
       wanted = job.wanted + 1, tries = 0, next_try_at = now()`,
    [organizationId, id, isFresh],
  );
  // The failed tries of before are over.
  return { ...row, waiting: null };
};

/** Reads the source again, unless a job waits that has not begun yet. */
export const refreshOnDemand = async (tx: Tx, organizationId: string, id: string): Promise<SourceRow> => {
  const { rowCount } = await tx.query(
    'select 1 from knowledge_jobs where organization_id = $1 and source_id = $2 and generation is null for update',
    [organizationId, id],
  );
  return rowCount > 0 ? getSource(tx, organizationId, id) : readAgain(tx, organizationId, id, false);
};

/** Deletes the source. Its chunks are deleted later, in pieces. @throws AppError KNOWLEDGE_SOURCE_NOT_FOUND */
export const deleteSource = async (tx: Tx, organizationId: string, id: string): Promise<void> => {
  await tx.query('delete from knowledge_jobs where organization_id = $1 and source_id = $2', [
    organizationId,
    id,
  ]);
  const { rowCount } = await tx.query(
    'delete from knowledge_sources where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  if (rowCount === 0) throw new AppError('KNOWLEDGE_SOURCE_NOT_FOUND');
  await noteLeftover(tx, organizationId, id);
};

/** Notes that the source may have chunks that nothing serves. */
export const noteLeftover = async (tx: Tx, organizationId: string, id: string): Promise<void> => {
  await tx.query(
    `insert into knowledge_leftovers (organization_id, source_id, since) values ($1, $2, now())
     on conflict (organization_id, source_id) do update set since = excluded.since`,
    [organizationId, id],
  );
};

/** True when a source has the file. A file is kept as long as a source has it. */
export const isFileUsed = async (tx: Tx, organizationId: string, fileKey: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'select 1 from knowledge_sources where organization_id = $1 and file_key = $2 limit 1',
    [organizationId, fileKey],
  );
  return rowCount > 0;
};
