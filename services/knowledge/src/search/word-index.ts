// The data that a search needs for the words of a question: the corpus, and the postings of the question's terms.
import type { Database, Tx } from '@parlance/postgres';
import { Corpora, type Corpus } from './corpora.js';
import type { WordTerms } from './full-text.js';
import { type Postings, PostingsOfTerms } from './postings.js';
import { readServed, type Scope, type Served } from './served.js';
import type { TermsOfQuestion } from './terms.js';
import { type CorpusWords, Vocabularies } from './vocabularies.js';
import type { SimilarTerm } from './vocabulary.js';

export interface FoundWords {
  readonly corpus: Corpus;
  /** For each word of the question the terms that stand for it. Stop words are left out. */
  readonly words: readonly WordTerms[];
}

/** The terms of a word of the question, and those that are similar to them. */
interface Word {
  readonly terms: readonly string[];
  readonly similar: readonly SimilarTerm[];
}

/** The similar terms of more words would take too long. People ask with fewer words. */
const mostCompared = 32;

/** A word of the knowledge is meant as it is more often than as a similar one. */
const weightOf = ({ similarity }: SimilarTerm, isKnown: boolean): number =>
  isKnown ? similarity * similarity : similarity;

const wordsOf = (
  { termsOfWord }: Served,
  { words, compounds, pairs }: TermsOfQuestion,
  vocabulary: CorpusWords | undefined,
): Word[] => {
  const termsOf = (word: string): string[] => [...(termsOfWord.get(word) ?? [])].sort();
  const compared = words
    .map(termsOf)
    .filter((terms) => terms.length > 0)
    .map((terms, at) => ({
      terms,
      similar: at < mostCompared ? (vocabulary?.similarTo(terms) ?? []) : [],
    }));
  const others = [...compounds.map(termsOf), ...pairs.map((pair) => [pair])];
  return [...compared, ...others.map((terms) => ({ terms, similar: [] }))];
};

/** A word of a tenth of a large corpus says next to nothing, and its other forms say no more. */
const isCommon = (terms: WordTerms, { chunkCount }: Corpus): boolean => {
  const chunks = terms.reduce((sum, { postings }) => sum + postings.places.length, 0);
  return chunks > 1_000 && chunks > chunkCount / 10;
};

const toWordTerms = (
  { terms, similar }: Word,
  { corpus, found }: { corpus: Corpus; found: ReadonlyMap<string, Postings> },
): WordTerms => {
  const occurring = (term: string): Postings[] => {
    const postings = found.get(term);
    return postings === undefined || postings.places.length === 0 ? [] : [postings];
  };
  const exact = terms.flatMap(occurring).map((postings) => ({ postings, weight: 1 }));
  if (isCommon(exact, corpus)) return exact;
  const others = similar.flatMap((each) =>
    occurring(each.term).map((postings) => ({ postings, weight: weightOf(each, exact.length > 0) })),
  );
  return [...exact, ...others];
};

/**
 * Each question reads the list of served segments, so that no kept data can be stale. Contents of a segment never
 * change, and kept data belong to a list of segments.
 */
export class WordIndex {
  readonly #corpora = new Corpora();
  readonly #postings = new PostingsOfTerms();
  readonly #vocabularies = new Vocabularies();

  get bytes(): number {
    return this.#corpora.bytes + this.#postings.bytes + this.#vocabularies.bytes;
  }

  /** @param withSimilar whether similar words stand for the words of the question, too */
  async read(db: Database, scope: Scope, question: TermsOfQuestion, withSimilar = true): Promise<FoundWords> {
    const read = async (tx: Tx): Promise<FoundWords | undefined> => {
      const served = await readServed(tx, scope, [...new Set([...question.words, ...question.compounds])]);
      const corpus = await this.#corpora.read(tx, scope, served.ids);
      if (corpus === undefined) return undefined;
      const vocabulary = await this.#vocabularies.read(tx, scope, corpus);
      const words = wordsOf(served, question, withSimilar ? vocabulary : undefined);
      const postings = await this.#postings.read(tx, scope, corpus, {
        terms: [
          ...new Set(words.flatMap(({ terms, similar }) => [...terms, ...similar.map(({ term }) => term)])),
        ],
        segmentsWith: (term) => vocabulary?.segmentsWith(term),
      });
      if (postings === undefined) return undefined;
      return {
        corpus,
        words: words
          .map((word) => toWordTerms(word, { corpus, found: postings }))
          .filter((terms) => terms.length > 0),
      };
    };
    // In one snapshot no segment is deleted between its id and its contents.
    return (await read(db)) ?? db.transaction((tx) => inSnapshot(read(tx)), { snapshot: true });
  }
}

const inSnapshot = async (reading: Promise<FoundWords | undefined>): Promise<FoundWords> => {
  const found = await reading;
  if (found === undefined) throw new Error('a served segment has no contents');
  return found;
};
