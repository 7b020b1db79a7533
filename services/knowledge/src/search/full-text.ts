// Full text with BM25. Postings of the question's terms come from Postgres together with the size of the corpus, in one
// statement, so that the statistics are always those of the chunks that are served at that moment.
import type { Tx } from '@parlance/persistence';
import type { Scope, Segment, Served } from './segments.js';

const k1 = 1.2;
const b = 0.75;

interface Row {
  readonly id: string | null;
  readonly sourceId: string | null;
  readonly generation: number | null;
  readonly chunkCount: number | null;
  readonly totalLength: number | null;
  readonly model: string | null;
  readonly dimensions: number | null;
  readonly word: string | null;
  readonly term: string | null;
  readonly chunks: Buffer | null;
}

export interface Postings {
  readonly served: readonly Served[];
  /** The number of chunks that are served. */
  readonly chunkCount: number;
  /** The places of each term. */
  readonly terms: ReadonlyMap<string, readonly { readonly segmentId: string; readonly chunks: Buffer }[]>;
  /** Words of the question without a term that occurs in any chunk. Stop words are left out. */
  readonly unknownWords: readonly string[];
}

/** Terms of a question are made in every language that the agent's chunks have. */
const text = `
  with served as materialized (
    select g.id, g.source_id, g.generation, g.chunk_count, g.total_length, g.languages, g.model, g.dimensions
    from knowledge_segments g join knowledge_sources s
      on s.organization_id = g.organization_id and s.id = g.source_id and s.generation = g.generation
    where g.organization_id = $1 and g.agent_id = $2),
  term as materialized (
    select distinct word, lexeme as term
    from (select distinct unnest(languages) as language from served) l, unnest($3::text[]) as word,
      unnest(to_tsvector(l.language::regconfig, word))
    union select null, pair from unnest($4::text[]) as pair)
  select id, source_id as "sourceId", generation, chunk_count as "chunkCount", total_length as "totalLength", model,
    dimensions, null::text as word, null::text as term, null::bytea as chunks
  from served
  union all select null, null, null, null, null, null, null, word, term, null from term where word is not null
  union all select p.segment_id, null, null, null, null, null, null, null, t.term, p.chunks
  from served cross join (select distinct term from term) t
    cross join lateral (
      select segment_id, chunks from knowledge_postings p where p.segment_id = served.id and p.term = t.term limit 1) p`;

const toServed = (rows: readonly Row[]): Served[] => {
  let offset = 0;
  return rows.flatMap(({ id, sourceId, generation, chunkCount, totalLength, model, dimensions }) => {
    if (
      id === null ||
      sourceId === null ||
      generation === null ||
      chunkCount === null ||
      totalLength === null
    )
      return [];
    const segment = { id, sourceId, generation, chunkCount, totalLength, model, dimensions, offset };
    offset += chunkCount;
    return [segment];
  });
};

export const readPostings = async (
  db: Tx,
  { organizationId, agentId }: Scope,
  { words, pairs }: { readonly words: readonly string[]; readonly pairs: readonly string[] },
): Promise<Postings> => {
  const { rows } = await db.query<Row>({
    name: 'knowledge-postings',
    text,
    values: [organizationId, agentId, words, pairs],
  });
  const terms = new Map<string, { segmentId: string; chunks: Buffer }[]>();
  const ofWord = new Map<string, string[]>();
  for (const { id, word, term, chunks } of rows) {
    if (term === null) continue;
    if (word !== null) ofWord.set(word, [...(ofWord.get(word) ?? []), term]);
    if (id === null || chunks === null) continue;
    const known = terms.get(term);
    if (known === undefined) terms.set(term, [{ segmentId: id, chunks }]);
    else known.push({ segmentId: id, chunks });
  }
  const served = toServed(rows);
  return {
    served,
    chunkCount: served.reduce((sum, segment) => sum + segment.chunkCount, 0),
    terms,
    unknownWords: [...ofWord].filter(([, its]) => !its.some((term) => terms.has(term))).map(([word]) => word),
  };
};

/** The BM25 score of every chunk that is served; zero where no term occurs. */
export const scoreWords = (
  { served, chunkCount, terms }: Postings,
  segments: ReadonlyMap<string, Segment>,
): Float32Array => {
  const scores = new Float32Array(chunkCount);
  const offsets = new Map(served.map(({ id, offset }) => [id, offset]));
  const averageLength =
    served.reduce((sum, { totalLength }) => sum + totalLength, 0) / Math.max(1, chunkCount);
  for (const places of terms.values()) {
    const frequency = places.reduce((sum, { chunks }) => sum + chunks.length / 4, 0);
    const idf = Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5));
    for (const { segmentId, chunks } of places) {
      const lengths = segments.get(segmentId)?.lengths;
      const offset = offsets.get(segmentId);
      if (lengths === undefined || offset === undefined) continue;
      for (let at = 0; at < chunks.length; at += 4) {
        const posting = chunks.readInt32BE(at);
        const place = posting >> 8;
        const count = posting & 255;
        const length = (lengths[place] ?? 0) / averageLength;
        const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
        scores[offset + place] = (scores[offset + place] ?? 0) + idf * weight;
      }
    }
  }
  return scores;
};
