// Full text with BM25 over the chunks that are served at that moment.
import type { Corpus } from './corpora.js';
import type { Postings } from './postings.js';

const k1 = 1.6;
const b = 0.75;

/** A term that stands for a word of the question. */
export interface WeightedTerm {
  readonly postings: Postings;
  /** 1 for the word itself, less for a similar one. */
  readonly weight: number;
}

/** The terms that stand for one word of the question. In each chunk, the one that says most counts. */
export type WordTerms = readonly WeightedTerm[];

const frequencyOf = ({ places }: Postings): number => places.length;

/** A similar word is never rarer than the word itself: a rare form of a common word says as little as the word. */
const frequencies = (terms: WordTerms): number[] => {
  const ofWord = terms
    .filter(({ weight }) => weight === 1)
    .reduce((sum, { postings }) => sum + frequencyOf(postings), 0);
  return terms.map(({ postings, weight }) =>
    weight === 1 ? frequencyOf(postings) : Math.max(ofWord, frequencyOf(postings)),
  );
};

/** What one word has added to each chunk. All zero between two uses. */
let addedByWord = new Float32Array(1_024);

/** The BM25 score of every chunk of the corpus; zero where no term occurs. */
export const scoreWords = (corpus: Corpus, words: Iterable<WordTerms>): Float32Array => {
  const { segments, lengths, chunkCount, averageLength } = corpus;
  const scores = new Float32Array(chunkCount);
  if (addedByWord.length < chunkCount) addedByWord = new Float32Array(chunkCount);
  const flat = k1 * (1 - b);
  const perTerm = (k1 * b) / averageLength;
  for (const terms of words) {
    const ofWord = terms.length === 1 ? undefined : addedByWord;
    const frequencyOfTerm = frequencies(terms);
    for (const [term, { postings, weight }] of terms.entries()) {
      const { starts, places, counts } = postings;
      const frequency = Math.min(chunkCount, frequencyOfTerm[term] ?? 0);
      const idf = weight * Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5)) * (k1 + 1);
      for (let segment = 0; segment < segments.length; segment += 1) {
        const end = starts[segment + 1] as number;
        const offset = (segments[segment] as { offset: number }).offset;
        for (let at = starts[segment] as number; at < end; at += 1) {
          const place = offset + (places[at] as number);
          const count = counts[at] as number;
          const score = (idf * count) / (count + flat + perTerm * (lengths[place] as number));
          const before = ofWord === undefined ? 0 : (ofWord[place] as number);
          if (score <= before) continue;
          if (ofWord !== undefined) ofWord[place] = score;
          scores[place] = (scores[place] as number) + score - before;
        }
      }
    }
    if (ofWord !== undefined) clear(ofWord, corpus, terms);
  }
  return scores;
};

/** Only the chunks with one of the terms: a word seldom occurs in a tenth of a large corpus. */
const clear = (scores: Float32Array, { segments }: Corpus, terms: WordTerms): void => {
  if (terms.reduce((sum, { postings }) => sum + frequencyOf(postings), 0) > scores.length / 10) {
    scores.fill(0);
    return;
  }
  for (const { postings } of terms) {
    const { starts, places } = postings;
    for (const [segment, { offset }] of segments.entries())
      for (let at = starts[segment] as number; at < (starts[segment + 1] as number); at += 1)
        scores[offset + (places[at] as number)] = 0;
  }
};
