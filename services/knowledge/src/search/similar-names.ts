// Chunks that mention a name which sounds like a word of the question.
import { soundOf, trigramsOf } from './names.js';
import type { Segment, Served } from './segments.js';

/** Of the trigrams of both, this part has to be in both. */
const leastSimilarity = 0.4;
const mostWords = 8;
const shortestWord = 4;

/** A chunk's score is the sum over the words of how similar its most similar name is; zero without one. */
export const scoreNames = (
  words: readonly string[],
  { served, chunkCount }: { readonly served: readonly Served[]; readonly chunkCount: number },
  segments: ReadonlyMap<string, Segment>,
): Float32Array => {
  const scores = new Float32Array(chunkCount);
  const sounds = words
    .filter(({ length }) => length >= shortestWord)
    .slice(0, mostWords)
    .map(soundOf)
    .filter(({ length }) => length >= 3);
  for (const sound of new Set(sounds)) {
    const wanted = trigramsOf(sound);
    const ofWord = new Float32Array(chunkCount);
    for (const { id, offset } of served) {
      const segment = segments.get(id);
      if (segment === undefined) continue;
      const shared = new Map<number, number>();
      for (const trigram of wanted)
        for (const name of segment.byTrigram.get(trigram) ?? [])
          shared.set(name, (shared.get(name) ?? 0) + 1);
      for (const [name, both] of shared) {
        const { trigrams = 0, places = [] } = segment.names[name] ?? {};
        const similarity = both / (wanted.length + trigrams - both);
        if (similarity < leastSimilarity) continue;
        for (const place of places)
          ofWord[offset + place] = Math.max(ofWord[offset + place] ?? 0, similarity);
      }
    }
    for (const [place, similarity] of ofWord.entries())
      if (similarity > 0) scores[place] = (scores[place] ?? 0) + similarity;
  }
  return scores;
};
