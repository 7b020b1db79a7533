// The data that a search needs for the words of a question: the corpus, and the postings of the question's terms.
import type { Database, Tx } from '@parlance/persistence';
import { Corpora, type Corpus } from './corpora.js';
import { type Postings, PostingsOfTerms } from './postings.js';
import { readServed, type Scope, type Served } from './served.js';
import type { TermsOfQuestion } from './terms.js';

export interface FoundWords {
  readonly corpus: Corpus;
  readonly postings: readonly Postings[];
  /** Words of the question without a term that occurs in any chunk. Stop words are left out. */
  readonly unknownWords: readonly string[];
}

const termsOf = ({ termsOfWord }: Served, pairs: readonly string[]): string[] => [
  ...new Set([...[...termsOfWord.values()].flat(), ...pairs]),
];

/**
 * Each question reads the list of served segments, so that no kept data can be stale. Contents of a segment never
 * change, and kept data belong to a list of segments.
 */
export class WordIndex {
  readonly #corpora = new Corpora();
  readonly #postings = new PostingsOfTerms();

  get bytes(): number {
    return this.#corpora.bytes + this.#postings.bytes;
  }

  async read(db: Database, scope: Scope, question: TermsOfQuestion): Promise<FoundWords> {
    const found = await this.#read(db, scope, question);
    // In one snapshot no segment is deleted between its id and its contents.
    return found ?? db.transaction((tx) => this.#readInSnapshot(tx, scope, question), { snapshot: true });
  }

  async #readInSnapshot(tx: Tx, scope: Scope, question: TermsOfQuestion): Promise<FoundWords> {
    const found = await this.#read(tx, scope, question);
    if (found === undefined) throw new Error('a served segment has no contents');
    return found;
  }

  /** Undefined when a segment was deleted meanwhile. */
  async #read(
    tx: Tx,
    scope: Scope,
    { words, compounds, pairs }: TermsOfQuestion,
  ): Promise<FoundWords | undefined> {
    const served = await readServed(tx, scope, [...new Set([...words, ...compounds])]);
    const corpus = await this.#corpora.read(tx, scope, served.ids);
    const terms = corpus && (await this.#postings.read(tx, scope, corpus, termsOf(served, pairs)));
    return corpus && terms && toFound(corpus, terms, { served, words });
  }
}

const toFound = (
  corpus: Corpus,
  terms: ReadonlyMap<string, Postings>,
  { served: { termsOfWord }, words }: { served: Served; words: readonly string[] },
): FoundWords => {
  const occurs = (term: string): boolean => (terms.get(term)?.places.length ?? 0) > 0;
  return {
    corpus,
    // Sums of rounded numbers depend on their order: a question has the same scores each time.
    postings: [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, postings]) => postings),
    unknownWords: words.filter((word) => {
      const its = termsOfWord.get(word) ?? [];
      return its.length > 0 && !its.some(occurs);
    }),
  };
};
