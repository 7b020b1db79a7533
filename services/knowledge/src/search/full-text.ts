// Full text with BM25 over the chunks that are served at that moment.
import type { Corpus } from './corpora.js';
import type { Postings } from './postings.js';

const k1 = 1.2;
const b = 0.75;

/** The BM25 score of every chunk of the corpus; zero where no term occurs. */
export const scoreWords = (corpus: Corpus, terms: Iterable<Postings>): Float32Array => {
  const { segments, lengths, chunkCount, averageLength } = corpus;
  const scores = new Float32Array(chunkCount);
  const flat = k1 * (1 - b);
  const perTerm = (k1 * b) / averageLength;
  for (const { starts, places, counts } of terms) {
    const frequency = places.length;
    const idf = Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5)) * (k1 + 1);
    for (let segment = 0; segment < segments.length; segment += 1) {
      const end = starts[segment + 1] as number;
      const offset = (segments[segment] as { offset: number }).offset;
      for (let at = starts[segment] as number; at < end; at += 1) {
        const place = offset + (places[at] as number);
        const count = counts[at] as number;
        scores[place] =
          (scores[place] as number) + (idf * count) / (count + flat + perTerm * (lengths[place] as number));
      }
    }
  }
  return scores;
};
