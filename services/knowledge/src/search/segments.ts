// Segments as a search reads them. A segment never changes, so that a process may keep it as long as it has room.
import type { Tx } from '@parlance/persistence';
import { ByteLru } from './byte-lru.js';
import { trigramsOf } from './names.js';

/** A segment of a served generation, in the order of a search. */
export interface Served {
  readonly id: string;
  readonly sourceId: string;
  readonly generation: number;
  readonly chunkCount: number;
  readonly totalLength: number;
  readonly model: string | null;
  readonly dimensions: number | null;
  /** Place of its first chunk among all chunks of the search. */
  readonly offset: number;
}

export interface Segment {
  readonly chunkIds: readonly string[];
  readonly lengths: Float32Array;
  readonly names: readonly { readonly trigrams: number; readonly places: readonly number[] }[];
  /** Which names have a trigram. */
  readonly byTrigram: ReadonlyMap<string, readonly number[]>;
}

export interface Scope {
  readonly organizationId: string;
  readonly agentId: string;
}

interface Row {
  readonly id: string;
  readonly chunkIds: string[];
  readonly lengths: number[];
  readonly names: Record<string, number[]>;
}

const mostBytes = 128 * 2 ** 20;

const toSegment = ({ chunkIds, lengths, names }: Row): { segment: Segment; bytes: number } => {
  const byTrigram = new Map<string, number[]>();
  let bytes = chunkIds.length * 64;
  const entries = Object.entries(names).map(([sound, places], name) => {
    const trigrams = trigramsOf(sound);
    for (const trigram of trigrams) {
      const known = byTrigram.get(trigram);
      if (known === undefined) byTrigram.set(trigram, [name]);
      else known.push(name);
    }
    bytes += 96 + 8 * (trigrams.length + places.length);
    return { trigrams: trigrams.length, places };
  });
  bytes += byTrigram.size * 96;
  return { segment: { chunkIds, lengths: Float32Array.from(lengths), names: entries, byTrigram }, bytes };
};

export class Segments {
  readonly #kept = new ByteLru<string, Segment>(mostBytes);

  /** Reads segments, and leaves out those that were deleted meanwhile. */
  async read(
    db: Tx,
    { organizationId, agentId }: Scope,
    ids: readonly string[],
  ): Promise<Map<string, Segment>> {
    const found = new Map<string, Segment>();
    for (const id of ids) {
      const segment = this.#kept.get(id);
      if (segment !== undefined) found.set(id, segment);
    }
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const { rows } = await db.query<Row>(
      `select id, chunk_ids as "chunkIds", lengths, names from knowledge_segments
       where organization_id = $1 and agent_id = $2 and id = any($3)`,
      [organizationId, agentId, missing],
    );
    for (const row of rows) {
      const { segment, bytes } = toSegment(row);
      this.#kept.set(row.id, segment, bytes);
      found.set(row.id, segment);
    }
    return found;
  }
}
