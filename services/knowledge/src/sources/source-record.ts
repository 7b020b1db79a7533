// A knowledge source as Postgres keeps it and as the interface shows it.
import type { contract, Data } from '@parlance/contracts';

export type KnowledgeSource = Data<(typeof contract)['knowledgeUpdate']>;
export type SourceError = NonNullable<KnowledgeSource['error']>;
export type SourceErrorCode = SourceError['code'];
export type SourceWarning = NonNullable<KnowledgeSource['warnings']>[number];
export type PagePart = NonNullable<KnowledgeSource['include']>[number];
export type Crawl = NonNullable<KnowledgeSource['crawl']>;

export interface SourceRow {
  readonly organization_id: string;
  readonly id: string;
  readonly agent_id: string;
  readonly type: 'url' | 'file';
  readonly name: string;
  readonly url: string | null;
  readonly file_key: string | null;
  readonly file_name: string | null;
  readonly mime_type: string | null;
  readonly size_bytes: string | null;
  readonly content_hash: string | null;
  readonly status: KnowledgeSource['status'];
  readonly error_code: SourceErrorCode | null;
  readonly error_message: string | null;
  readonly usage_mode: 'auto' | 'prompt';
  readonly generation: number;
  readonly chunk_count: number;
  readonly char_count: number;
  readonly embedding_model: string | null;
  readonly pages_found: number | null;
  readonly pages_done: number | null;
  readonly chunks_done: number | null;
  readonly crawl_mode: Crawl['mode'] | null;
  readonly max_pages: number | null;
  readonly include: readonly PagePart[];
  readonly warnings: readonly SourceWarning[];
  /** Of the job that waits after a failed try. */
  readonly waiting: {
    readonly code: SourceErrorCode;
    readonly message: string;
    readonly tries: number;
    readonly max_tries: number;
    readonly next_try_at: string;
  } | null;
  readonly refresh_interval_hours: number | null;
  readonly last_ingested_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const sourceColumns = `organization_id, id, agent_id, type, name, url, file_key, file_name, mime_type,
  size_bytes, content_hash, status, error_code, error_message, usage_mode, generation, chunk_count, char_count,
  embedding_model, pages_found, pages_done, chunks_done, crawl_mode, max_pages, refresh_interval_hours,
  last_ingested_at, created_at, updated_at, include, warnings,
  (select jsonb_build_object('code', j.error_code, 'message', j.error_message, 'tries', j.tries,
     'max_tries', j.max_tries,     'next_try_at', j.next_try_at)
   from knowledge_jobs j where j.organization_id = knowledge_sources.organization_id
     and j.source_id = knowledge_sources.id and j.tries > 0 and j.error_code is not null) as waiting`;

const waitingOf = ({ waiting }: SourceRow): KnowledgeSource['waiting'] =>
  waiting === null
    ? null
    : {
        error: { code: waiting.code, message: waiting.message },
        tries: waiting.tries,
        maxTries: waiting.max_tries,
        nextTryAt: new Date(waiting.next_try_at).toISOString(),
      };

const progressOf = (row: SourceRow): KnowledgeSource['progress'] =>
  row.pages_found === null
    ? null
    : { pagesFound: row.pages_found, pagesDone: row.pages_done ?? 0, chunks: row.chunks_done ?? 0 };

export const toSource = (row: SourceRow): KnowledgeSource => ({
  id: row.id,
  agentId: row.agent_id,
  type: row.type,
  name: row.name,
  url: row.url,
  fileKey: row.file_key,
  fileName: row.file_name,
  mimeType: row.mime_type,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  contentHash: row.content_hash,
  status: row.status,
  error:
    row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? row.error_code },
  waiting: waitingOf(row),
  warnings: [...row.warnings],
  include: [...row.include],
  usageMode: row.usage_mode,
  chunkCount: row.chunk_count,
  charCount: row.char_count,
  embeddingModel: row.embedding_model,
  progress: progressOf(row),
  crawl:
    row.crawl_mode === null || row.max_pages === null
      ? null
      : { mode: row.crawl_mode, maxPages: row.max_pages },
  refreshIntervalHours: row.refresh_interval_hours,
  lastIngestedAt: row.last_ingested_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
