// The words of some segments: which segments have a word, and which words are similar to it. The words are numbers in a few
// arrays, because a large agent has hundreds of thousands of them.
import { gramsOf, isComparable, soundOf, spellingOf } from './spelling.js';

/** The words that have a gram, for every gram. */
export interface GramIndex {
  /** In ascending order. */
  readonly grams: Uint32Array;
  /** For each gram the start of its words in `words`, and behind the last one the number of them. */
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
  /** The number of grams of each word; zero for a word that is not compared. */
  readonly sizes: Uint8Array;
}

export interface Vocabulary {
  readonly segmentIds: readonly string[];
  /** In ascending order of their code units. */
  readonly terms: readonly string[];
  /** For each term the start of its segments in `segments`, and behind the last one the number of them. */
  readonly segmentStarts: Uint32Array;
  /** Places in `segmentIds`. */
  readonly segments: Uint16Array | Uint32Array;
  readonly spellings: GramIndex;
  readonly sounds: GramIndex;
  readonly bytes: number;
}

export interface SimilarTerm {
  readonly term: string;
  /** Above 0 and at most 1. */
  readonly similarity: number;
}

/** Called between two steps of a long computation. */
export type Pause = () => Promise<void>;

const termsAtOnce = 5_000;
const bytesOfTerm = 48;

const toGramIndex = async (
  terms: readonly string[],
  gramsOfTerm: (term: string) => number[],
  pause: Pause,
): Promise<GramIndex> => {
  const byGram = new Map<number, number[]>();
  const sizes = new Uint8Array(terms.length);
  for (const [word, term] of terms.entries()) {
    if (word % termsAtOnce === termsAtOnce - 1) await pause();
    if (!isComparable(term)) continue;
    const grams = gramsOfTerm(term);
    sizes[word] = grams.length;
    for (const gram of grams) {
      const others = byGram.get(gram);
      if (others === undefined) byGram.set(gram, [word]);
      else others.push(word);
    }
  }
  await pause();
  const sorted = [...byGram].sort(([a], [b]) => a - b);
  const starts = new Uint32Array(sorted.length + 1);
  for (const [at, [, its]] of sorted.entries()) starts[at + 1] = (starts[at] ?? 0) + its.length;
  const words = new Uint32Array(starts.at(-1) ?? 0);
  for (const [at, [, its]] of sorted.entries()) words.set(its, starts[at]);
  return { grams: Uint32Array.from(sorted, ([gram]) => gram), starts, words, sizes };
};

const soundGramsOf = (term: string): number[] => {
  const sound = soundOf(term);
  return sound.length < shortestSound ? [] : gramsOf(sound);
};

const bytesOf = (arrays: readonly ArrayBufferView[]): number =>
  arrays.reduce((sum, { byteLength }) => sum + byteLength + 96, 0);

/** @param termsOf the distinct terms of each segment */
export const toVocabulary = async (
  termsOf: ReadonlyMap<string, readonly string[]>,
  pause: Pause,
): Promise<Vocabulary> => {
  const segmentIds = [...termsOf.keys()];
  const segmentsOf = new Map<string, number[]>();
  for (const [segment, terms] of [...termsOf.values()].entries()) {
    for (const term of terms) {
      const others = segmentsOf.get(term);
      if (others === undefined) segmentsOf.set(term, [segment]);
      else others.push(segment);
    }
    if (segment % 8 === 7) await pause();
  }
  const terms = [...segmentsOf.keys()].sort();
  const segmentStarts = new Uint32Array(terms.length + 1);
  for (const [at, term] of terms.entries())
    segmentStarts[at + 1] = (segmentStarts[at] ?? 0) + (segmentsOf.get(term)?.length ?? 0);
  const Places = segmentIds.length <= 65_536 ? Uint16Array : Uint32Array;
  const segments = new Places(segmentStarts.at(-1) ?? 0);
  for (const [at, term] of terms.entries()) segments.set(segmentsOf.get(term) ?? [], segmentStarts[at]);
  const spellings = await toGramIndex(terms, (term) => gramsOf(spellingOf(term)), pause);
  const sounds = await toGramIndex(terms, soundGramsOf, pause);
  const arrays = [spellings, sounds].flatMap((index) => Object.values(index) as ArrayBufferView[]);
  const bytes = terms.length * bytesOfTerm + bytesOf([segmentStarts, segments, ...arrays]);
  return { segmentIds, terms, segmentStarts, segments, spellings, sounds, bytes };
};

/** The place of a value in a sorted list; -1 where it is not. */
const placeOf = <T>(sorted: { readonly length: number; readonly [at: number]: T }, value: T): number => {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as T) < value) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === value ? from : -1;
};

/** The places of the segments that have the term, in `segmentIds`. */
export const segmentsWith = (
  { terms, segmentStarts, segments }: Vocabulary,
  term: string,
): Uint16Array | Uint32Array => {
  const word = placeOf(terms, term);
  return word < 0 ? segments.subarray(0, 0) : segments.subarray(segmentStarts[word], segmentStarts[word + 1]);
};

/** The terms of each of the segments, as they were given to `toVocabulary`. */
export const termsOfSegments = (
  { terms, segmentIds, segmentStarts, segments }: Vocabulary,
  isWanted: (segmentId: string) => boolean,
): Map<string, string[]> => {
  const found = new Map(segmentIds.filter(isWanted).map((id) => [id, [] as string[]]));
  for (const [word, term] of terms.entries())
    for (const at of segments.subarray(segmentStarts[word], segmentStarts[word + 1]))
      found.get(segmentIds[at] ?? '')?.push(term);
  return found;
};

/** The number of grams that each word shares with the one that is compared. All zero between two uses. */
let counts = new Uint8Array(1_024);
/** The words whose count is not zero. */
const touched: number[] = [];

/** Adds the words whose similarity (Dice's coefficient of the grams) is at least the given one. */
const compare = (
  { grams, starts, words, sizes }: GramIndex,
  wanted: readonly number[],
  { least, weight, add }: { least: number; weight: number; add: (word: number, similarity: number) => void },
): void => {
  if (counts.length < sizes.length) counts = new Uint8Array(sizes.length * 2);
  let touchedCount = 0;
  for (const gram of wanted) {
    const at = placeOf(grams, gram);
    if (at < 0) continue;
    const end = starts[at + 1] as number;
    for (let place = starts[at] as number; place < end; place += 1) {
      const word = words[place] as number;
      const count = counts[word] as number;
      if (count === 0) touched[touchedCount++] = word;
      counts[word] = count + 1;
    }
  }
  for (let at = 0; at < touchedCount; at += 1) {
    const word = touched[at] as number;
    const similarity = (2 * (counts[word] as number)) / (wanted.length + (sizes[word] as number));
    counts[word] = 0;
    if (similarity >= least) add(word, weight * similarity);
  }
};

const leastSimilarSpelling = 0.4;
const leastSimilarSound = 0.75;
/** A similar sound says less than similar letters: vowels are lost in it. */
const weightOfSound = 0.9;
/** Too many short words have the same consonants. */
const shortestSound = 4;
/** A noun has six forms in many languages. */
export const mostSimilar = 6;

export interface Comparison {
  /** True for a word that is not in the vocabulary: its sound is compared as well. */
  readonly isUnknown: boolean;
  readonly mayFind: (term: string) => boolean;
}

/** Equally similar terms have an order, too: a question finds the same terms however the vocabulary is spread. */
export const isBefore = (a: SimilarTerm, b: SimilarTerm): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.term < b.term);

/** The most similar terms, most similar first. The term itself is none of them. */
export const similarTerms = (
  { terms, spellings, sounds }: Vocabulary,
  term: string,
  { isUnknown, mayFind }: Comparison,
): SimilarTerm[] => {
  if (!isComparable(term)) return [];
  const best: SimilarTerm[] = [];
  const add = (word: number, similarity: number): void => {
    const last = best.length === mostSimilar ? best.at(-1) : undefined;
    if (last !== undefined && similarity < last.similarity) return;
    const found = { term: terms[word] ?? '', similarity };
    const known = best.findIndex((other) => other.term === found.term);
    const worse = best[known] ?? last;
    if (found.term === term || (worse !== undefined && !isBefore(found, worse)) || !mayFind(found.term))
      return;
    if (known >= 0) best.splice(known, 1);
    const at = best.findIndex((other) => isBefore(found, other));
    best.splice(at < 0 ? best.length : at, 0, found);
    if (best.length > mostSimilar) best.pop();
  };
  compare(spellings, gramsOf(spellingOf(term)), { least: leastSimilarSpelling, weight: 1, add });
  if (isUnknown)
    compare(sounds, soundGramsOf(term), { least: leastSimilarSound, weight: weightOfSound, add });
  return best;
};
