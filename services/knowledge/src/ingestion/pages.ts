// Reads and writes the pages of a generation. Each transaction that writes holds the job first.
import type { Database, Tx } from '@parlance/postgres';
import { limits } from '../reading/limits.js';
import { ReadFailure } from '../reading/read-failure.js';
import type { ReadDocument } from '../reading/reader.js';
import { readerVersion } from '../reading/reader-version.js';
import { chunkIdOf, pageIdOf } from '../sources/source-ids.js';
import type { SourceErrorCode } from '../sources/source-record.js';
import { holdJob, type Job } from './queue.js';

export interface PageRow {
  readonly id: string;
  readonly ordinal: number;
  readonly url: string | null;
  readonly depth: number;
}

/** The facts of a page from the generation that is served. */
export interface ServedPage {
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string | null;
  readonly links: readonly string[];
  readonly reader_version: number;
}

const keyOf = (job: Job): readonly unknown[] => [job.organizationId, job.sourceId, job.generation];

export const countPages = async (tx: Tx, job: Job): Promise<number> => {
  const { rows } = await tx.query<{ pages: number }>(
    `select count(*)::int as pages from knowledge_pages
     where organization_id = $1 and source_id = $2 and generation = $3`,
    keyOf(job),
  );
  return rows[0]?.pages ?? 0;
};

const insertPages = async (
  tx: Tx,
  job: Job,
  urls: readonly (string | null)[],
  { depth, most }: { readonly depth: number; readonly most: number },
): Promise<void> => {
  const there = await countPages(tx, job);
  if (urls.length === 0 || there >= most) return;
  const all = urls.map((url) => ({ id: pageIdOf(job.sourceId, url ?? ''), url }));
  const { rows } = await tx.query<{ id: string }>(
    `select id from knowledge_pages
     where organization_id = $1 and source_id = $2 and generation = $3 and id = any($4)`,
    [...keyOf(job), all.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const added = all.filter(({ id }) => !known.has(id)).slice(0, most - there);
  await tx.query(
    `insert into knowledge_pages (organization_id, source_id, generation, id, ordinal, url, depth)
     select $1, $2, $3, id, $4::int + place::int, url, $5
     from unnest($6::uuid[], $7::text[]) with ordinality as t (id, url, place)
     on conflict (organization_id, source_id, generation, id) do nothing`,
    [...keyOf(job), there, depth, added.map(({ id }) => id), added.map(({ url }) => url)],
  );
};

/** The next page has its own number of tries. */
const endTries = async (tx: Tx, job: Job): Promise<void> => {
  await tx.query('update knowledge_jobs set tries = 0 where organization_id = $1 and source_id = $2', [
    job.organizationId,
    job.sourceId,
  ]);
};

/** Writes the progress of the source, counted from its pages. */
const noteProgress = async (tx: Tx, job: Job): Promise<void> => {
  await tx.query(
    `update knowledge_sources set (pages_found, pages_done, chunks_done) =
       (select count(*)::int, (count(*) filter (where state <> 'found'))::int, coalesce(sum(chunk_count), 0)::int
        from knowledge_pages where organization_id = $1 and source_id = $2 and generation = $3)
     where organization_id = $1 and id = $2`,
    keyOf(job),
  );
};

/** Writes the list of the pages to read. @throws Superseded */
export const listPages = (
  db: Database,
  job: Job,
  urls: readonly (string | null)[],
  most: number,
): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    await insertPages(tx, job, urls, { depth: 0, most });
    await endTries(tx, job);
    await noteProgress(tx, job);
  });

export const nextPage = async (tx: Tx, job: Job): Promise<PageRow | undefined> => {
  const { rows } = await tx.query<PageRow>(
    `select id, ordinal, url, depth from knowledge_pages
     where organization_id = $1 and source_id = $2 and generation = $3 and state = 'found' order by ordinal limit 1`,
    keyOf(job),
  );
  return rows[0];
};

/** Undefined for a page that the served generation does not have. */
export const servedPage = async (tx: Tx, job: Job, pageId: string): Promise<ServedPage | undefined> => {
  const { rows } = await tx.query<ServedPage>(
    `select etag, last_modified, content_hash, links, reader_version from knowledge_pages
     where organization_id = $1 and source_id = $2 and generation = $3 and id = $4 and state = 'read'`,
    [job.organizationId, job.sourceId, job.source.generation, pageId],
  );
  return rows[0];
};

/** True when another page of the generation has the same content. */
export const isCopy = async (tx: Tx, job: Job, pageId: string, contentHash: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from knowledge_pages where organization_id = $1 and source_id = $2 and generation = $3
       and content_hash = $5 and id <> $4 and state in ('read', 'kept') limit 1`,
    [...keyOf(job), pageId, contentHash],
  );
  return rowCount > 0;
};

export interface PageFacts {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentHash: string;
  readonly bytes: number;
  /** The links of the page that a crawl follows. */
  readonly follow: readonly string[];
  readonly most: number;
}

const chunksAtOnce = 500;
/** The limit of a transaction that writes a large document. */
const timeoutMs = 30_000;

const writeChunks = async (tx: Tx, job: Job, page: PageRow, read: ReadDocument): Promise<void> => {
  for (let from = 0; from < read.chunks.length; from += chunksAtOnce) {
    const rows = read.chunks.slice(from, from + chunksAtOnce).map((chunk) => ({
      organization_id: job.organizationId,
      agent_id: job.source.agent_id,
      source_id: job.sourceId,
      generation: job.generation,
      id: chunkIdOf(page.id, chunk.ordinal, chunk.text),
      page_id: page.id,
      ordinal: chunk.ordinal,
      url: page.url,
      headings: chunk.headings,
      text: chunk.text,
      start_offset: chunk.start,
      end_offset: chunk.end,
      token_count: chunk.tokens,
      context: chunk.context,
      language: read.language,
    }));
    await tx.query(
      `insert into knowledge_chunks select * from jsonb_populate_recordset(null::knowledge_chunks, $1)
       on conflict (organization_id, source_id, generation, id) do nothing`,
      [JSON.stringify(rows)],
    );
  }
};

/** Counts the chunks of all pages of the generation, from all workers. */
const refuseOverChunks = async (tx: Tx, job: Job, added: number): Promise<void> => {
  const { rows } = await tx.query<{ chunks: number }>(
    `select coalesce(sum(chunk_count), 0)::int as chunks from knowledge_pages
     where organization_id = $1 and source_id = $2 and generation = $3`,
    keyOf(job),
  );
  if ((rows[0]?.chunks ?? 0) + added > limits.chunksOfSource)
    throw new ReadFailure('TOO_LARGE', `The source makes more than ${limits.chunksOfSource} chunks.`);
};

/**
 * Writes the page, its chunks and the pages that it leads to, in one transaction.
 * @throws Superseded; ReadFailure TOO_LARGE when the source has too many chunks with this page
 */
export const writePage = (
  db: Database,
  job: Job,
  page: PageRow,
  { read, facts }: { readonly read: ReadDocument; readonly facts: PageFacts },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await holdJob(tx, job);
      await refuseOverChunks(tx, job, read.chunks.length);
      await writeChunks(tx, job, page, read);
      await tx.query(
        `update knowledge_pages set state = 'read', etag = $5, last_modified = $6, content_hash = $7, links = $8,
           mime_type = $9, size_bytes = $10, char_count = $11, chunk_count = $12, warnings = $13, reader_version = $14
         where organization_id = $1 and source_id = $2 and generation = $3 and id = $4`,
        [
          ...[...keyOf(job), page.id, facts.etag, facts.lastModified, facts.contentHash, facts.follow],
          ...[read.mimeType, facts.bytes, read.text.length, read.chunks.length],
          ...[JSON.stringify(read.warnings), readerVersion],
        ],
      );
      await endTries(tx, job);
      await insertPages(tx, job, facts.follow, { depth: page.depth + 1, most: facts.most });
      await noteProgress(tx, job);
    },
    { timeoutMs },
  );

/** Marks the page as unchanged. Its chunks are copied at the end of the job. @throws Superseded */
export const keepPage = (
  db: Database,
  job: Job,
  page: PageRow,
  { served, most }: { readonly served: ServedPage; readonly most: number },
): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    await tx.query(
      `update knowledge_pages p set state = 'kept', etag = s.etag, last_modified = s.last_modified,
         content_hash = s.content_hash, links = s.links, mime_type = s.mime_type, size_bytes = s.size_bytes,
         char_count = s.char_count, chunk_count = s.chunk_count, warnings = s.warnings,
         reader_version = s.reader_version
       from knowledge_pages s
       where p.organization_id = $1 and p.source_id = $2 and p.generation = $3 and p.id = $4
         and s.organization_id = $1 and s.source_id = $2 and s.generation = $5 and s.id = $4`,
      [...keyOf(job), page.id, job.source.generation],
    );
    await insertPages(tx, job, served.links, { depth: page.depth + 1, most });
    await noteProgress(tx, job);
  });

/** Leaves the page out of the generation. Without an error, the page is a copy of another page. @throws Superseded */
export const leavePageOut = (
  db: Database,
  job: Job,
  page: PageRow,
  error: { readonly code: SourceErrorCode; readonly message: string } | undefined,
): Promise<void> =>
  db.transaction(async (tx) => {
    await holdJob(tx, job);
    await tx.query(
      `update knowledge_pages set state = 'left_out', error_code = $5, error_message = $6
       where organization_id = $1 and source_id = $2 and generation = $3 and id = $4`,
      [...keyOf(job), page.id, error?.code ?? null, error?.message ?? null],
    );
    await endTries(tx, job);
    await noteProgress(tx, job);
  });
