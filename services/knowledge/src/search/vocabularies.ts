// The vocabularies of agents, as their searches need them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '@parlance/persistence';
import { ByteLru } from './byte-lru.js';
import { type Corpus, idsOf } from './corpora.js';
import type { Scope } from './served.js';
import {
  type SimilarTerm,
  segmentsWith,
  similarTerms,
  termsOfSegments,
  toVocabulary,
  type Vocabulary,
} from './vocabulary.js';

const mostBytes = 64 * 2 ** 20;
const readAtOnce = 8;
/** Each source that is read again adds a vocabulary, and every one of them is asked. */
const mostVocabularies = 8;

/** The words of a corpus. */
export class CorpusWords {
  readonly #vocabularies: readonly Vocabulary[];
  readonly #segments: ReadonlySet<string>;
  /** Segments that were deleted before their words were read. */
  readonly #unread: readonly string[];

  constructor(vocabularies: readonly Vocabulary[], segments: ReadonlySet<string>) {
    this.#vocabularies = vocabularies;
    this.#segments = segments;
    const read = new Set(vocabularies.flatMap(({ segmentIds }) => segmentIds));
    this.#unread = [...segments].filter((id) => !read.has(id));
  }

  /** The ids of the segments of the corpus that have the term, or may have it. */
  segmentsWith(term: string): string[] {
    return [...this.#with(term), ...this.#unread];
  }

  has(term: string): boolean {
    return this.#with(term).length > 0;
  }

  #with(term: string): string[] {
    return this.#vocabularies
      .flatMap((vocabulary) => segmentsWith(vocabulary, term))
      .filter((id) => this.#segments.has(id));
  }

  /** The terms that are similar to one of these, most similar first, without these themselves. */
  similarTo(terms: readonly string[], most: number): SimilarTerm[] {
    const isUnknown = !terms.some((term) => this.has(term));
    const found = new Map<string, number>();
    const comparison = { isUnknown, mayFind: (term: string) => !terms.includes(term) && this.has(term) };
    for (const vocabulary of this.#vocabularies)
      for (const term of terms)
        for (const { term: similar, similarity } of similarTerms(vocabulary, term, comparison))
          found.set(similar, Math.max(found.get(similar) ?? 0, similarity));
    return [...found]
      .map(([term, similarity]) => ({ term, similarity }))
      .sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
      .slice(0, most);
  }
}

const keyOf = ({ organizationId, agentId }: Scope): string => `${organizationId} ${agentId}`;

/** The terms of the segments; without those that were deleted meanwhile. */
const readTerms = async (
  tx: Tx,
  { organizationId, agentId }: Scope,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>();
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const { rows } = await tx.query<{ id: string; terms: readonly string[] | null }>({
      name: 'knowledge-terms',
      text: `select id, coalesce(terms, (select jsonb_agg(term) from knowledge_postings where segment_id = id)) as terms
        from knowledge_segments where organization_id = $1 and agent_id = $2 and id = any($3)`,
      values: [organizationId, agentId, ids.slice(start, start + readAtOnce)],
    });
    for (const { id, terms } of rows) found.set(id, terms ?? []);
  }
  return found;
};

interface Kept {
  /** Undefined where they were larger than all that may be kept. */
  readonly vocabularies: readonly Vocabulary[] | undefined;
  readonly segmentCount: number;
}

export class Vocabularies {
  readonly #kept = new ByteLru<string, Kept>(mostBytes);
  /** Searches that begin at the same time read a vocabulary once. */
  readonly #reading = new Map<string, Promise<readonly Vocabulary[] | undefined>>();

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Undefined for a corpus with more words than may be kept: reading them for each search would take seconds. */
  async read(tx: Tx, scope: Scope, { ids }: Corpus): Promise<CorpusWords | undefined> {
    const segments = new Set(idsOf(ids));
    const key = keyOf(scope);
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.vocabularies === undefined && segments.size >= kept.segmentCount)
      return undefined;
    const before = kept?.vocabularies ?? [];
    const covered = new Set(before.flatMap(({ segmentIds }) => segmentIds));
    const missing = [...segments].filter((id) => !covered.has(id));
    if (missing.length === 0) return new CorpusWords(before, segments);
    const reading = `${key} ${ids}`;
    const read =
      this.#reading.get(reading) ??
      this.#extend(tx, scope, { before, missing, segments }).finally(() => this.#reading.delete(reading));
    this.#reading.set(reading, read);
    const vocabularies = await read;
    return vocabularies && new CorpusWords(vocabularies, segments);
  }

  async #extend(
    tx: Tx,
    scope: Scope,
    {
      before,
      missing,
      segments,
    }: { before: readonly Vocabulary[]; missing: readonly string[]; segments: ReadonlySet<string> },
  ): Promise<readonly Vocabulary[] | undefined> {
    const terms = await readTerms(tx, scope, missing);
    const isServed = (id: string): boolean => segments.has(id);
    const served = before.filter(({ segmentIds }) => segmentIds.some(isServed));
    const isCrowded = served.length >= mostVocabularies;
    if (isCrowded)
      for (const vocabulary of served)
        for (const [id, its] of termsOfSegments(vocabulary, isServed)) terms.set(id, its);
    const added = await toVocabulary(terms, nextTurn);
    const vocabularies = isCrowded ? [added] : [...served, added];
    const bytes = vocabularies.reduce((sum, vocabulary) => sum + vocabulary.bytes, 0);
    const isTooLarge = bytes > mostBytes;
    const kept = { vocabularies: isTooLarge ? undefined : vocabularies, segmentCount: segments.size };
    this.#kept.set(keyOf(scope), kept, isTooLarge ? 256 : bytes);
    return kept.vocabularies;
  }
}
