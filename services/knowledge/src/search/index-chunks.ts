// Writes and deletes the search index of chunks. Ingestion calls `indexChunks` when all chunks of a generation are
// written and before that generation is served. It calls `forgetChunks` in each transaction that deletes chunks.
import { type Database, isUniqueViolation, type Tx } from '@parlance/postgres';
import type { Embedder } from '../embeddings/embeddings.js';
import { termsOf } from './terms.js';

export interface IndexedGeneration {
  readonly organizationId: string;
  readonly agentId: string;
  readonly sourceId: string;
  readonly generation: number;
}

/** The chunks of a source that are about to be deleted. */
export interface ForgottenChunks {
  readonly organizationId: string;
  readonly sourceId: string;
  readonly generation: number;
  readonly ids: readonly string[];
}

export interface Indexing {
  readonly db: Database;
  /** Undefined where no embedding service is configured. */
  readonly embedder: Embedder | undefined;
  /** Called after each segment with its number of chunks. An error that it throws ends the indexing. */
  readonly onSegment?: (chunks: number) => Promise<void>;
}

interface ChunkRow {
  readonly id: string;
  readonly headings: string[];
  readonly text: string;
  readonly language: string;
}

const chunksInSegment = 512;
/** A statement over a whole segment takes a second; a slow machine has time for it. */
const timeoutMs = 30_000;

const unindexed = async (
  db: Database,
  of: IndexedGeneration,
): Promise<{ chunks: ChunkRow[]; number: number }> =>
  db.transaction(
    async (tx) => {
      const key = [of.organizationId, of.sourceId, of.generation];
      const { rows } = await tx.query<ChunkRow>(
        `with indexed as (
           select unnest(chunk_ids) as id from knowledge_segments
           where organization_id = $1 and source_id = $2 and generation = $3)
         select c.id, c.headings, c.text, coalesce(k.cfgname, 'simple')::text as language
         from knowledge_chunks c left join pg_ts_config k
           on k.cfgname = c.language and k.cfgnamespace = 'pg_catalog'::regnamespace
         where c.organization_id = $1 and c.source_id = $2 and c.generation = $3
           and c.id not in (select id from indexed)
         order by c.id limit ${chunksInSegment}`,
        key,
      );
      const last = await tx.query<{ number: number }>(
        `select coalesce(max(number), 0)::int as number from knowledge_segments
         where organization_id = $1 and source_id = $2 and generation = $3`,
        key,
      );
      return { chunks: rows, number: (last.rows[0]?.number ?? 0) + 1 };
    },
    { snapshot: true, timeoutMs },
  );

const pairsIn = (
  pairs: readonly (readonly string[])[],
): { places: number[]; terms: string[]; counts: number[] } => {
  const columns = { places: [] as number[], terms: [] as string[], counts: [] as number[] };
  for (const [place, ofChunk] of pairs.entries()) {
    const counts = new Map<string, number>();
    for (const pair of ofChunk) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    for (const [term, count] of counts) {
      columns.places.push(place);
      columns.terms.push(term);
      columns.counts.push(count);
    }
  }
  return columns;
};

const packed = (vectors: readonly Float32Array[]): Buffer => {
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = Buffer.alloc(vectors.length * dimensions * 4);
  for (const [place, vector] of vectors.entries())
    for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, (place * dimensions + at) * 4);
  return bytes;
};

/** The text of a chunk below its titles. The last title is the chunk's own, and counts twice. */
const weightedText = ({ headings, text }: ChunkRow): string =>
  [...headings, ...headings.slice(-1), text].join('\n');

/** Resolves with false when a chunk was deleted meanwhile, after which nothing was written. */
const writeSegment = async (
  tx: Tx,
  of: IndexedGeneration,
  { chunks, number }: { chunks: readonly ChunkRow[]; number: number },
  vectors: { model: string; values: readonly Float32Array[] } | undefined,
): Promise<boolean> => {
  const ids = chunks.map(({ id }) => id);
  const { organizationId, agentId, sourceId, generation } = of;
  // A deletion waits for this segment, or it came first.
  const { rowCount } = await tx.query(
    `select 1 from knowledge_chunks
     where organization_id = $1 and source_id = $2 and generation = $3 and id = any($4) for share`,
    [organizationId, sourceId, generation, ids],
  );
  if (rowCount !== ids.length) return false;
  const terms = chunks.map((chunk) => termsOf(weightedText(chunk)));
  const pairs = pairsIn(terms.map((each) => each.pairs));
  const inserted = await tx.query<{ id: string }>(
    `insert into knowledge_segments (organization_id, agent_id, source_id, generation, number, chunk_count, total_length,
       languages, chunk_ids, lengths, model, dimensions, vectors)
     values ($1, $2, $3, $4, $5, $6, 0, $7, $8, '{}', $9, $10, $11) returning id`,
    [
      ...[organizationId, agentId, sourceId, generation, number, ids.length],
      [...new Set(chunks.map(({ language }) => language))],
      ids,
      vectors?.model ?? null,
      vectors?.values[0]?.length ?? null,
      vectors === undefined ? null : packed(vectors.values),
    ],
  );
  await tx.query(
    `with chunk as (
       select (place - 1)::int as place, language, words
       from unnest($2::text[], $3::text[]) with ordinality as c (language, words, place)),
     occurrence as materialized (
       select place, lexeme as term, cardinality(positions) as count
       from chunk, unnest(to_tsvector(language::regconfig, words))
       union all select * from unnest($4::int[], $5::text[], $6::int[])),
     posted as (
       insert into knowledge_postings (segment_id, term, chunks)
       select $1, term, string_agg(int4send(place * 256 + least(count, 255)), '' order by place)
       from occurrence group by term),
     sized as (
       select chunk.place, coalesce(sum(count), 0)::int as length
       from chunk left join occurrence using (place) group by chunk.place)
     update knowledge_segments set (lengths, total_length, terms) =
       (select array_agg(length order by place), sum(length),
         (select coalesce(jsonb_agg(distinct term), '[]') from occurrence) from sized)
     where id = $1`,
    [
      inserted.rows[0]?.id,
      chunks.map(({ language }) => language),
      terms.map(({ words }) => words),
      pairs.places,
      pairs.terms,
      pairs.counts,
    ],
  );
  return true;
};

/**
 * Indexes the chunks of a generation that are not indexed yet, in transactions of its own. It resolves when all chunks
 * are indexed. Called again after a crash, it goes on where it was.
 * @throws EmbeddingFailed
 */
export const indexChunks = async (
  { db, embedder, onSegment }: Indexing,
  generation: IndexedGeneration,
): Promise<void> => {
  for (;;) {
    const next = await unindexed(db, generation);
    if (next.chunks.length === 0) return;
    const values = await embedder?.embed(
      next.chunks.map(({ headings, text }) => [headings.join(' > '), text].filter(Boolean).join('\n')),
    );
    const vectors = embedder && values && { model: embedder.model, values };
    try {
      await db.transaction((tx) => writeSegment(tx, generation, next, vectors), { timeoutMs });
    } catch (error) {
      // Another copy of the service indexed the same chunks.
      if (!isUniqueViolation(error)) throw error;
    }
    await onSegment?.(next.chunks.length);
  }
};

/** For before the deletion of chunks, in its transaction. Whole segments go: a generation is deleted as a whole. */
export const forgetChunks = async (
  tx: Tx,
  { organizationId, sourceId, generation, ids }: ForgottenChunks,
): Promise<void> => {
  // A segment that is just being written holds its chunks, and is there to be deleted once they are free.
  await tx.query(
    `select 1 from knowledge_chunks
     where organization_id = $1 and source_id = $2 and generation = $3 and id = any($4) order by id for update`,
    [organizationId, sourceId, generation, ids],
  );
  await tx.query(
    `delete from knowledge_segments
     where organization_id = $1 and source_id = $2 and generation = $3 and chunk_ids && $4::uuid[]`,
    [organizationId, sourceId, generation, ids],
  );
};
