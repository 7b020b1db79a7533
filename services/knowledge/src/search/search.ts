// Hybrid search in the knowledge of one agent: full text, names as they sound and, where there are embeddings, vectors.
import type { Passage } from '@parlance/contracts';
import type { Database } from '@parlance/persistence';
import type { Embedder } from '../embeddings/embeddings.js';
import { best, fuse, type Scored } from './best.js';
import { readPostings, scoreWords } from './full-text.js';
import { type Scope, Segments, type Served } from './segments.js';
import { scoreNames } from './similar-names.js';
import { termsOfQuestion } from './terms.js';
import { Vectors } from './vectors.js';

export interface Question extends Scope {
  readonly query: string;
  readonly limit: number;
}

/** Which kinds of search take part; all of them unless said otherwise. */
export type Kind = 'words' | 'names' | 'vectors';

/** Of each order, so many take part in the fusion. */
const mostCandidates = 100;
/** Read beside those that are asked for, should one be deleted meanwhile. */
const spare = 5;

const passages = async (
  db: Database,
  { organizationId, agentId, limit }: Question,
  found: readonly { readonly chunkId: string; readonly segment: Served; readonly score: number }[],
): Promise<Passage[]> => {
  const { rows } = await db.query<Omit<Passage, 'score'>>(
    `select s.id as "knowledgeSourceId", c.id as "chunkId", s.name as "sourceName", c.url, c.headings, c.text,
       c.start_offset as "start", c.end_offset as "end"
     from unnest($3::uuid[], $4::int[], $5::uuid[]) as f (source_id, generation, id)
       join knowledge_sources s on s.organization_id = $1 and s.id = f.source_id and s.generation = f.generation
       join knowledge_chunks c on c.organization_id = $1 and c.agent_id = $2 and c.source_id = f.source_id
         and c.generation = f.generation and c.id = f.id`,
    [
      organizationId,
      agentId,
      found.map(({ segment }) => segment.sourceId),
      found.map(({ segment }) => segment.generation),
      found.map(({ chunkId }) => chunkId),
    ],
  );
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return found
    .flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId);
      return row === undefined ? [] : [{ ...row, score }];
    })
    .slice(0, limit);
};

export class Search {
  readonly #db: Database;
  readonly #embedder: Embedder | undefined;
  readonly #segments = new Segments();
  readonly #vectors = new Vectors();

  constructor(db: Database, embedder: Embedder | undefined) {
    this.#db = db;
    this.#embedder = embedder;
  }

  async find(question: Question, kinds: readonly Kind[] = ['words', 'names', 'vectors']): Promise<Passage[]> {
    const [postings, vector] = await Promise.all([
      readPostings(this.#db, question, termsOfQuestion(question.query)),
      kinds.includes('vectors') ? this.#embedder?.embedQuery(question.query) : undefined,
    ]);
    const { served, unknownWords } = postings;
    if (served.length === 0) return [];
    const segments = await this.#segments.read(
      this.#db,
      question,
      served.map(({ id }) => id),
    );
    const words = kinds.includes('words') ? best(scoreWords(postings, segments), mostCandidates) : [];
    const names =
      kinds.includes('names') && unknownWords.length > 0
        ? best(scoreNames(unknownWords, postings, segments), mostCandidates)
        : [];
    const near =
      vector === undefined
        ? []
        : await this.#nearest(question, { ...postings, vector, others: [words, names] });
    const order = fuse([words, names, near]).slice(0, question.limit + spare);
    const found = order.flatMap(({ place, score }) => {
      const segment = served.find(({ offset, chunkCount }) => place >= offset && place < offset + chunkCount);
      const chunkId = segment && segments.get(segment.id)?.chunkIds[place - segment.offset];
      return segment === undefined || chunkId === undefined ? [] : [{ chunkId, segment, score }];
    });
    return found.length === 0 ? [] : passages(this.#db, question, found);
  }

  #nearest(
    scope: Scope,
    {
      vector,
      others,
      served,
      chunkCount,
    }: { vector: Float32Array; others: Scored[][]; served: readonly Served[]; chunkCount: number },
  ): Promise<Scored[]> {
    return this.#vectors.nearest(this.#db, scope, {
      model: this.#embedder?.model ?? '',
      question: vector,
      served,
      chunkCount,
      candidates: [...new Set(others.flat().map(({ place }) => place))],
      most: mostCandidates,
    });
  }
}
