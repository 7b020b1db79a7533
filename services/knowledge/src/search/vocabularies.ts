// The vocabularies of agents, as their searches need them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '@parlance/postgres';
import { ByteLru } from './byte-lru.js';
import { type Corpus, idsOf } from './corpora.js';
import type { Scope } from './served.js';
import {
  isBefore,
  mostSimilar,
  type SimilarTerm,
  segmentsWith,
  similarTerms,
  termsOfSegments,
  toVocabulary,
  type Vocabulary,
} from './vocabulary.js';

const readAtOnce = 8;
/** Each source that is read again adds a vocabulary, and every one of them is asked. */
const mostVocabularies = 8;
/** Words whose similar ones are remembered; they take less than half a mebibyte. */
const mostRemembered = 1_000;

interface Part {
  readonly vocabulary: Vocabulary;
  /** For each segment of the vocabulary, whether the corpus has it. */
  readonly isServed: readonly boolean[];
}

/** The words of a corpus. */
export class CorpusWords {
  readonly #parts: readonly Part[];
  /** Segments that were deleted before their words were read. */
  readonly #unread: readonly string[];
  readonly #similar = new Map<string, readonly SimilarTerm[]>();

  constructor(vocabularies: readonly Vocabulary[], segments: ReadonlySet<string>) {
    this.#parts = vocabularies.map((vocabulary) => ({
      vocabulary,
      isServed: vocabulary.segmentIds.map((id) => segments.has(id)),
    }));
    const read = new Set(vocabularies.flatMap(({ segmentIds }) => segmentIds));
    this.#unread = [...segments].filter((id) => !read.has(id));
  }

  /** The ids of the segments of the corpus that have the term, or may have it. */
  segmentsWith(term: string): string[] {
    const ids = [...this.#unread];
    for (const { vocabulary, isServed } of this.#parts)
      for (const at of segmentsWith(vocabulary, term))
        if (isServed[at]) ids.push(vocabulary.segmentIds[at] ?? '');
    return ids;
  }

  has(term: string): boolean {
    return this.#parts.some(({ vocabulary, isServed }) =>
      segmentsWith(vocabulary, term).some((at) => isServed[at]),
    );
  }

  /** The terms that are similar to one of these, most similar first, without these themselves. */
  similarTo(terms: readonly string[]): readonly SimilarTerm[] {
    const key = terms.join(' ');
    const similar = this.#similar.get(key) ?? this.#compared(terms);
    if (this.#similar.size >= mostRemembered) this.#similar.clear();
    this.#similar.set(key, similar);
    return similar;
  }

  #compared(terms: readonly string[]): SimilarTerm[] {
    const isUnknown = !terms.some((term) => this.has(term));
    const found = new Map<string, number>();
    const comparison = { isUnknown, mayFind: (term: string) => !terms.includes(term) && this.has(term) };
    for (const { vocabulary } of this.#parts)
      for (const term of terms)
        for (const { term: similar, similarity } of similarTerms(vocabulary, term, comparison))
          found.set(similar, Math.max(found.get(similar) ?? 0, similarity));
    return [...found]
      .map(([term, similarity]) => ({ term, similarity }))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1))
      .slice(0, mostSimilar);
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
  /** Of these segments. */
  readonly ids: string;
  /** Undefined where they were larger than all that may be kept. */
  readonly vocabularies: readonly Vocabulary[] | undefined;
  readonly words: CorpusWords | undefined;
}

export class Vocabularies {
  readonly #mostBytes: number;
  readonly #kept: ByteLru<string, Kept>;
  /** Searches that begin at the same time read a vocabulary once. */
  readonly #reading = new Map<string, Promise<CorpusWords | undefined>>();

  constructor(mostBytes = 64 * 2 ** 20) {
    this.#mostBytes = mostBytes;
    this.#kept = new ByteLru(mostBytes);
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Undefined for a corpus with more words than may be kept: reading them for each search would take seconds. */
  async read(tx: Tx, scope: Scope, { ids }: Corpus): Promise<CorpusWords | undefined> {
    const key = keyOf(scope);
    const kept = this.#kept.get(key);
    if (kept?.ids === ids) return kept.words;
    // A corpus that grew since then is no smaller now.
    if (kept !== undefined && kept.vocabularies === undefined && ids.length > kept.ids.length)
      return undefined;
    const reading = `${key} ${ids}`;
    const read =
      this.#reading.get(reading) ??
      this.#extend(tx, scope, ids, kept?.vocabularies ?? []).finally(() => this.#reading.delete(reading));
    this.#reading.set(reading, read);
    return read;
  }

  async #extend(
    tx: Tx,
    scope: Scope,
    ids: string,
    before: readonly Vocabulary[],
  ): Promise<CorpusWords | undefined> {
    const segments = new Set(idsOf(ids));
    const isServed = (id: string): boolean => segments.has(id);
    const covered = new Set(before.flatMap(({ segmentIds }) => segmentIds));
    const missing = [...segments].filter((id) => !covered.has(id));
    const terms = await readTerms(tx, scope, missing);
    const served = before.filter(({ segmentIds }) => segmentIds.some(isServed));
    const isCrowded = served.length >= mostVocabularies;
    if (isCrowded)
      for (const vocabulary of served)
        for (const [id, its] of termsOfSegments(vocabulary, isServed)) terms.set(id, its);
    const added = terms.size === 0 ? [] : [await toVocabulary(terms, nextTurn)];
    const vocabularies = isCrowded ? added : [...served, ...added];
    const bytes = vocabularies.reduce((sum, vocabulary) => sum + vocabulary.bytes, ids.length);
    const kept =
      bytes > this.#mostBytes
        ? { ids, vocabularies: undefined, words: undefined }
        : { ids, vocabularies, words: new CorpusWords(vocabularies, segments) };
    this.#kept.set(keyOf(scope), kept, kept.words === undefined ? ids.length : bytes);
    return kept.words;
  }
}
