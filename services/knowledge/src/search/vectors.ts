// Chunks in order of the distance between their vectors and that of the question, the nearest first.
import type { Tx } from '@parlance/postgres';
import { best, type Scored } from './best.js';
import { ByteLru } from './byte-lru.js';
import { type Corpus, type Segment, segmentAt } from './corpora.js';
import type { Scope } from './served.js';

/**
 * The most numbers that are compared in full: they take less than ten milliseconds. Beyond that, only the candidates
 * are compared.
 */
const mostNumbers = 6_000_000;
const mostBytes = 128 * 2 ** 20;

const decoded = (bytes: Buffer): Float32Array =>
  Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));

const product = (question: Float32Array, vectors: Float32Array, start: number): number => {
  let sum = 0;
  for (let at = 0; at < question.length; at += 1) sum += (question[at] ?? 0) * (vectors[start + at] ?? 0);
  return sum;
};

export interface VectorSearch {
  readonly model: string;
  readonly question: Float32Array;
  readonly corpus: Corpus;
  /** The chunks that the words found. */
  readonly candidates: readonly number[];
  readonly most: number;
}

export class Vectors {
  readonly #kept = new ByteLru<string, Float32Array>(mostBytes);

  get bytes(): number {
    return this.#kept.bytes;
  }

  async nearest(db: Tx, scope: Scope, search: VectorSearch): Promise<Scored[]> {
    const { model, question, corpus, most } = search;
    // Vectors of another model say nothing about this question.
    const segments = corpus.segments.filter(
      (segment) => segment.model === model && segment.dimensions === question.length,
    );
    const numbers = segments.reduce((sum, segment) => sum + segment.chunkCount * question.length, 0);
    const scores = new Float32Array(corpus.chunkCount);
    if (numbers <= mostNumbers) await this.#scoreAll(db, scope, { segments, question, scores });
    else await scoreCandidates(db, scope, { ...search, segments: new Set(segments), scores });
    return best(scores, most);
  }

  async #scoreAll(
    db: Tx,
    { organizationId, agentId }: Scope,
    {
      segments,
      question,
      scores,
    }: { segments: readonly Segment[]; question: Float32Array; scores: Float32Array },
  ): Promise<void> {
    const found = new Map(segments.map(({ id }) => [id, this.#kept.get(id)]));
    const missing = segments.filter(({ id }) => found.get(id) === undefined).map(({ id }) => id);
    const { rows } =
      missing.length === 0
        ? { rows: [] }
        : await db.query<{ id: string; vectors: Buffer }>(
            `select id, vectors from knowledge_segments
             where organization_id = $1 and agent_id = $2 and id = any($3) and vectors is not null`,
            [organizationId, agentId, missing],
          );
    for (const { id, vectors } of rows) {
      const values = decoded(vectors);
      this.#kept.set(id, values, values.byteLength);
      found.set(id, values);
    }
    for (const { id, offset, chunkCount } of segments) {
      const vectors = found.get(id);
      if (vectors === undefined) continue;
      for (let place = 0; place < chunkCount; place += 1)
        scores[offset + place] = product(question, vectors, place * question.length);
    }
  }
}

const scoreCandidates = async (
  db: Tx,
  { organizationId, agentId }: Scope,
  {
    corpus,
    segments,
    question,
    candidates,
    scores,
  }: VectorSearch & { segments: ReadonlySet<Segment>; scores: Float32Array },
): Promise<void> => {
  const wanted = candidates.flatMap((candidate) => {
    const segment = segmentAt(corpus, candidate);
    return segment === undefined || !segments.has(segment)
      ? []
      : [{ candidate, id: segment.id, place: candidate - segment.offset }];
  });
  const bytes = question.length * 4;
  const { rows } = await db.query<{ candidate: number; vector: Buffer }>(
    `select w.candidate, substring(g.vectors from w.place * ${bytes} + 1 for ${bytes}) as vector
     from unnest($3::int[], $4::bigint[], $5::int[]) as w (candidate, id, place)
       join knowledge_segments g on g.organization_id = $1 and g.agent_id = $2 and g.id = w.id
     where g.vectors is not null`,
    [
      organizationId,
      agentId,
      wanted.map(({ candidate }) => candidate),
      wanted.map(({ id }) => id),
      wanted.map(({ place }) => place),
    ],
  );
  for (const { candidate, vector } of rows) scores[candidate] = product(question, decoded(vector), 0);
};
