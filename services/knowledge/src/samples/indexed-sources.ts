// Writes, indexes and serves the chunks of sources for tests and the bench, without documents to read.
import { randomUUID } from 'node:crypto';
import type { Database } from '@parlance/postgres';
import type { Embedder } from '../embeddings/embeddings.js';
import { forgetChunks, indexChunks } from '../search/index-chunks.js';

export interface NewChunk {
  readonly text: string;
  readonly headings?: readonly string[];
  /** A text search configuration; english unless given. */
  readonly language?: string;
}

export interface NewSource {
  readonly organizationId: string;
  readonly agentId: string;
  readonly chunks: readonly NewChunk[];
  /** The id of an existing source: the chunks become its next generation. */
  readonly sourceId?: string;
  readonly name?: string;
  readonly usageMode?: 'auto' | 'prompt';
  readonly embedder?: Embedder;
}

export interface WrittenSource {
  readonly organizationId: string;
  readonly agentId: string;
  readonly sourceId: string;
  readonly generation: number;
  readonly chunkIds: readonly string[];
}

/** Writes a new generation and indexes it; the one before it stays served. */
export const writeGeneration = async (db: Database, source: NewSource): Promise<WrittenSource> => {
  const { organizationId, agentId, sourceId = randomUUID(), chunks, embedder } = source;
  const { rows } = await db.query<{ generation: number }>(
    `insert into knowledge_sources (organization_id, id, agent_id, type, name, status, usage_mode, last_generation,
       created_at, updated_at)
     values ($1, $2, $3, 'file', $4, 'processing', $5, 1, now(), now())
     on conflict (organization_id, id) do update set last_generation = knowledge_sources.last_generation + 1
     returning last_generation as generation`,
    [organizationId, sourceId, agentId, source.name ?? 'Handbook', source.usageMode ?? 'auto'],
  );
  const generation = rows[0]?.generation ?? 0;
  const chunkIds = chunks.map(() => randomUUID());
  await db.query(
    `insert into knowledge_chunks (organization_id, agent_id, source_id, generation, id, page_id, ordinal, headings, text,
       start_offset, end_offset, token_count, language)
     select $1, $2, $3, $4, id, $3, ordinal - 1, array(select jsonb_array_elements_text(headings::jsonb)), text,
       coalesce(sum(length(text)) over before, 0), sum(length(text)) over through, length(text) / 4, language
     from unnest($5::uuid[], $6::text[], $7::text[], $8::text[]) with ordinality
       as c (id, headings, text, language, ordinal)
     window before as (order by ordinal rows between unbounded preceding and 1 preceding), through as (order by ordinal)`,
    [
      ...[organizationId, agentId, sourceId, generation, chunkIds],
      chunks.map(({ headings = [] }) => JSON.stringify(headings)),
      chunks.map(({ text }) => text),
      chunks.map(({ language = 'english' }) => language),
    ],
  );
  const written = { organizationId, agentId, sourceId, generation, chunkIds };
  await indexChunks({ db, embedder }, written);
  return written;
};

export const serve = async (
  db: Database,
  { organizationId, sourceId, generation }: WrittenSource,
): Promise<void> => {
  await db.query(
    `update knowledge_sources set generation = $3, status = 'ready' where organization_id = $1 and id = $2`,
    [organizationId, sourceId, generation],
  );
};

export const addSource = async (db: Database, source: NewSource): Promise<WrittenSource> => {
  const written = await writeGeneration(db, source);
  await serve(db, written);
  return written;
};

export const deleteGeneration = async (
  db: Database,
  { organizationId, sourceId, generation, chunkIds }: WrittenSource,
): Promise<void> => {
  await db.transaction(async (tx) => {
    await forgetChunks(tx, { organizationId, sourceId, generation, ids: chunkIds });
    await tx.query(
      'delete from knowledge_chunks where organization_id = $1 and source_id = $2 and generation = $3',
      [organizationId, sourceId, generation],
    );
  });
};
