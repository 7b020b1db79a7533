// Hybrid search in the knowledge of one agent: full text with similar words and, where there are embeddings, vectors.
import type { Passage } from '@parlance/contracts';
import type { Database } from '@parlance/postgres';
import type { Embedder } from '../embeddings/embeddings.js';
import { best, fuse, type Scored } from './best.js';
import { type Corpus, type Segment, segmentAt } from './corpora.js';
import { scoreWords } from './full-text.js';
import type { Scope } from './served.js';
import { termsOfQuestion } from './terms.js';
import { Vectors } from './vectors.js';
import { WordIndex } from './word-index.js';

export interface Question extends Scope {
  readonly query: string;
  readonly limit: number;
}

/** The kinds of search; all of them take part unless a caller names some. */
export type Kind = 'words' | 'similar' | 'vectors';

/** The number of chunks of each order that take part in the fusion. */
const mostCandidates = 100;
/** The number of further chunks to read, should a chunk be deleted meanwhile. */
const spare = 5;

interface Found {
  readonly segment: Segment;
  /** Place of the chunk in its segment. */
  readonly place: number;
  readonly score: number;
}

const passages = async (
  db: Database,
  { organizationId, agentId, limit }: Question,
  found: readonly Found[],
): Promise<Passage[]> => {
  const { rows } = await db.query<Omit<Passage, 'score'> & { rank: number }>({
    name: 'knowledge-passages',
    text: `select f.rank::int, s.id as "knowledgeSourceId", c.id as "chunkId", s.name as "sourceName", c.url, c.headings,
       c.text, c.context, c.start_offset as "start", c.end_offset as "end"
     from unnest($3::bigint[], $4::int[]) with ordinality as f (segment_id, place, rank)
       join knowledge_segments g on g.organization_id = $1 and g.agent_id = $2 and g.id = f.segment_id
       join knowledge_sources s
         on s.organization_id = $1 and s.id = g.source_id and s.generation = g.generation
       join knowledge_chunks c on c.organization_id = $1 and c.agent_id = $2 and c.source_id = g.source_id
         and c.generation = g.generation and c.id = g.chunk_ids[f.place + 1]
     order by f.rank`,
    values: [
      organizationId,
      agentId,
      found.map(({ segment }) => segment.id),
      found.map(({ place }) => place),
    ],
  });
  return rows
    .slice(0, limit)
    .map(({ rank, ...passage }) => ({ ...passage, score: found[rank - 1]?.score ?? 0 }));
};

export class Search {
  readonly #db: Database;
  readonly #embedder: Embedder | undefined;
  readonly #words = new WordIndex();
  readonly #vectors = new Vectors();

  constructor(db: Database, embedder: Embedder | undefined) {
    this.#db = db;
    this.#embedder = embedder;
  }

  /** Bytes of the data that is kept between searches. */
  get bytes(): number {
    return this.#words.bytes + this.#vectors.bytes;
  }

  async find(
    question: Question,
    kinds: readonly Kind[] = ['words', 'similar', 'vectors'],
  ): Promise<Passage[]> {
    const [{ corpus, words }, vector] = await Promise.all([
      this.#words.read(this.#db, question, termsOfQuestion(question.query), kinds.includes('similar')),
      kinds.includes('vectors') ? this.#embedder?.embedQuery(question.query) : undefined,
    ]);
    if (corpus.chunkCount === 0) return [];
    const byWords = kinds.includes('words') ? best(scoreWords(corpus, words), mostCandidates) : [];
    const near =
      vector === undefined ? [] : await this.#nearest(question, { corpus, vector, others: byWords });
    const found = fuse([byWords, near])
      .slice(0, question.limit + spare)
      .flatMap(({ place, score }) => {
        const segment = segmentAt(corpus, place);
        return segment === undefined ? [] : [{ segment, place: place - segment.offset, score }];
      });
    return found.length === 0 ? [] : passages(this.#db, question, found);
  }

  #nearest(
    scope: Scope,
    { vector, others, corpus }: { vector: Float32Array; others: readonly Scored[]; corpus: Corpus },
  ): Promise<Scored[]> {
    return this.#vectors.nearest(this.#db, scope, {
      model: this.#embedder?.model ?? '',
      question: vector,
      corpus,
      candidates: others.map(({ place }) => place),
      most: mostCandidates,
    });
  }
}
