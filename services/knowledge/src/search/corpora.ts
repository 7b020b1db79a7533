// The chunks that a search of one agent goes through: their segments and their lengths.
import type { Tx } from '@parlance/postgres';
import { ByteLru } from './byte-lru.js';
import type { Scope } from './served.js';

export interface Segment {
  readonly id: string;
  readonly chunkCount: number;
  /** Null where no embeddings were configured. */
  readonly model: string | null;
  readonly dimensions: number | null;
  /** Place of its first chunk among all chunks of the corpus. */
  readonly offset: number;
}

export interface Corpus {
  /** The ids of its segments, as `readServed` gives them. */
  readonly ids: string;
  readonly segments: readonly Segment[];
  readonly chunkCount: number;
  /** The terms of each chunk. */
  readonly lengths: Float32Array;
  readonly averageLength: number;
}

interface Row {
  readonly id: string;
  readonly lengths: readonly number[] | Float32Array;
  readonly model: string | null;
  readonly dimensions: number | null;
}

const mostBytes = 16 * 2 ** 20;
const bytesOfSegment = 256;
const readAtOnce = 64;

const keyOf = ({ organizationId, agentId }: Scope): string => `${organizationId} ${agentId}`;

const rowsOf = ({ segments, lengths }: Corpus): Row[] =>
  segments.map(({ id, offset, chunkCount, model, dimensions }) => ({
    id,
    lengths: lengths.subarray(offset, offset + chunkCount),
    model,
    dimensions,
  }));

const toCorpus = (ids: string, rows: readonly Row[]): Corpus => {
  const lengths = new Float32Array(rows.reduce((sum, row) => sum + row.lengths.length, 0));
  let offset = 0;
  const segments = rows.map((row) => {
    const segment = {
      id: row.id,
      chunkCount: row.lengths.length,
      model: row.model,
      dimensions: row.dimensions,
      offset,
    };
    lengths.set(row.lengths, offset);
    offset += row.lengths.length;
    return segment;
  });
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return {
    ids,
    segments,
    chunkCount: lengths.length,
    lengths,
    averageLength: total / Math.max(1, lengths.length),
  };
};

export const idsOf = (ids: string): string[] => (ids === '' ? [] : ids.split(' '));

/** The segment of a chunk. */
export const segmentAt = ({ segments }: Corpus, place: number): Segment | undefined =>
  segments.find(({ offset, chunkCount }) => place >= offset && place < offset + chunkCount);

export class Corpora {
  readonly #kept = new ByteLru<string, Corpus>(mostBytes);

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Reads the segments that are not kept. Undefined when one of them was deleted meanwhile. */
  async read(tx: Tx, scope: Scope, ids: string): Promise<Corpus | undefined> {
    const before = this.#kept.get(keyOf(scope));
    if (before?.ids === ids) return before;
    const rows = new Map(before === undefined ? [] : rowsOf(before).map((row) => [row.id, row]));
    const missing = idsOf(ids).filter((id) => !rows.has(id));
    for (let start = 0; start < missing.length; start += readAtOnce) {
      const found = await tx.query<Row>(
        `select id, lengths, model, dimensions from knowledge_segments
         where organization_id = $1 and agent_id = $2 and id = any($3)`,
        [scope.organizationId, scope.agentId, missing.slice(start, start + readAtOnce)],
      );
      for (const row of found.rows) rows.set(row.id, row);
    }
    if (missing.some((id) => !rows.has(id))) return undefined;
    const corpus = toCorpus(
      ids,
      idsOf(ids).flatMap((id) => rows.get(id) ?? []),
    );
    const bytes = corpus.chunkCount * 4 + corpus.segments.length * bytesOfSegment + ids.length;
    this.#kept.set(keyOf(scope), corpus, bytes);
    return corpus;
  }
}
