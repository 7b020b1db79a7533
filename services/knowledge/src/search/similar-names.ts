// Chunks that mention a name which sounds like a word of the question.
import type { Tx } from '@parlance/persistence';
import { ByteLru } from './byte-lru.js';
import type { Corpus } from './corpora.js';
import { bytesOf, type NameIndex, namesWith, numberOf, toNameIndex } from './name-index.js';
import { soundOf, trigramsOf } from './names.js';
import type { Scope } from './served.js';

/** The least similarity: the part of all trigrams of two names that both have. */
const leastSimilarity = 0.4;
const mostWords = 8;
const shortestWord = 4;
const mostBytes = 48 * 2 ** 20;
/** Making the index of so many segments takes some milliseconds, after which other requests have their turn. */
const readAtOnce = 8;

/**
 * Reused from segment to segment: the number of trigrams that each name shares with a word. All zero between two uses.
 */
class SharedTrigrams {
  #counts = new Uint8Array(1_024);
  readonly #touched: number[] = [];

  of({ sizes }: NameIndex, lists: readonly (Uint16Array | undefined)[], each: Each): void {
    if (this.#counts.length < sizes.length) this.#counts = new Uint8Array(sizes.length * 2);
    for (const list of lists) {
      if (list === undefined) continue;
      for (const name of list) {
        const shared = this.#counts[name] ?? 0;
        if (shared === 0) this.#touched.push(name);
        this.#counts[name] = shared + 1;
      }
    }
    for (const name of this.#touched) {
      each(name, this.#counts[name] ?? 0);
      this.#counts[name] = 0;
    }
    this.#touched.length = 0;
  }
}
type Each = (name: number, shared: number) => void;

/** Adds to the scores of a segment's chunks the similarity of the most similar name in each. */
const addSimilarities = (
  index: NameIndex,
  trigrams: readonly number[],
  { shared, scores }: { shared: SharedTrigrams; scores: Float32Array },
): void => {
  const ofChunk = new Map<number, number>();
  const lists = trigrams.map((trigram) => namesWith(index, trigram));
  shared.of(index, lists, (name, both) => {
    const similarity = both / (trigrams.length + (index.sizes[name] ?? 0) - both);
    if (similarity < leastSimilarity) return;
    for (const place of index.places.subarray(index.placeStarts[name], index.placeStarts[name + 1]))
      ofChunk.set(place, Math.max(ofChunk.get(place) ?? 0, similarity));
  });
  for (const [place, similarity] of ofChunk) scores[place] = (scores[place] ?? 0) + similarity;
};

export class SimilarNames {
  readonly #kept = new ByteLru<string, NameIndex>(mostBytes);

  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * A chunk's score is a sum over the words of the question. Each word adds the similarity of the chunk's most similar
   * name, or zero.
   */
  async score(db: Tx, scope: Scope, corpus: Corpus, words: readonly string[]): Promise<Float32Array> {
    const scores = new Float32Array(corpus.chunkCount);
    const sounds = words
      .filter(({ length }) => length >= shortestWord)
      .slice(0, mostWords)
      .map(soundOf)
      .filter(({ length }) => length >= 3);
    const wanted = [...new Set(sounds)].map((sound) => trigramsOf(sound).map(numberOf));
    if (wanted.length === 0) return scores;
    const { segments } = corpus;
    const shared = new SharedTrigrams();
    for (let start = 0; start < segments.length; start += readAtOnce) {
      const some = segments.slice(start, start + readAtOnce);
      const indexes = await this.#read(
        db,
        scope,
        some.map(({ id }) => id),
      );
      for (const { id, offset, chunkCount } of some) {
        const index = indexes.get(id);
        if (index === undefined) continue;
        const ofSegment = { shared, scores: scores.subarray(offset, offset + chunkCount) };
        for (const trigrams of wanted) addSimilarities(index, trigrams, ofSegment);
      }
    }
    return scores;
  }

  /** Segments that were deleted meanwhile are left out. */
  async #read(
    db: Tx,
    { organizationId, agentId }: Scope,
    ids: readonly string[],
  ): Promise<Map<string, NameIndex>> {
    const found = new Map<string, NameIndex>();
    for (const id of ids) {
      const index = this.#kept.get(id);
      if (index !== undefined) found.set(id, index);
    }
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const { rows } = await db.query<{ id: string; names: Record<string, number[]> }>(
      `select id, names from knowledge_segments
       where organization_id = $1 and agent_id = $2 and id = any($3)`,
      [organizationId, agentId, missing],
    );
    for (const { id, names } of rows) {
      const index = toNameIndex(names);
      this.#kept.set(id, index, bytesOf(index));
      found.set(id, index);
    }
    return found;
  }
}
