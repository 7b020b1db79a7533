// The names of a segment by their trigrams, as numbers in a few arrays: a large agent has a million names.
import { trigramsOf } from './names.js';

export interface NameIndex {
  /** The trigrams in ascending order. */
  readonly trigrams: Uint32Array;
  /** For each trigram the place of its first name in `names`, and behind the last trigram the number of them. */
  readonly nameStarts: Uint32Array;
  readonly names: Uint16Array;
  /** For each name the number of its trigrams. */
  readonly sizes: Uint8Array;
  /** For each name the place of its first chunk in `places`, and behind the last name the number of them. */
  readonly placeStarts: Uint32Array;
  readonly places: Uint16Array;
}

/** Two trigrams seldom have one number, and then a name is a little more similar than it should be. */
export const numberOf = (trigram: string): number => {
  let number = 0;
  for (let at = 0; at < trigram.length; at += 1)
    number = (Math.imul(number, 1_021) + trigram.charCodeAt(at)) >>> 0;
  return number;
};

/** Lists behind each other, and where each begins. */
const flat = (lists: readonly (readonly number[])[]): { starts: Uint32Array; all: Uint16Array } => {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const all = new Uint16Array(starts.at(-1) ?? 0);
  for (const [at, list] of lists.entries()) all.set(list, starts[at]);
  return { starts, all };
};

/** @param placesOfName for each name as it sounds, the places of the chunks that mention it */
export const toNameIndex = (placesOfName: Readonly<Record<string, readonly number[]>>): NameIndex => {
  const byTrigram = new Map<number, number[]>();
  const sounds = Object.keys(placesOfName);
  const sizes = new Uint8Array(sounds.length);
  for (const [name, sound] of sounds.entries()) {
    const trigrams = trigramsOf(sound);
    sizes[name] = trigrams.length;
    for (const trigram of trigrams.map(numberOf)) {
      const known = byTrigram.get(trigram);
      if (known === undefined) byTrigram.set(trigram, [name]);
      else known.push(name);
    }
  }
  const sorted = [...byTrigram].sort(([a], [b]) => a - b);
  const names = flat(sorted.map(([, its]) => its));
  const places = flat(Object.values(placesOfName));
  return {
    trigrams: Uint32Array.from(sorted, ([trigram]) => trigram),
    nameStarts: names.starts,
    names: names.all,
    sizes,
    placeStarts: places.starts,
    places: places.all,
  };
};

export const bytesOf = (index: NameIndex): number =>
  Object.values(index).reduce((sum: number, array: ArrayBufferView) => sum + array.byteLength + 96, 96);

/** Undefined where no name has the trigram. */
export const namesWith = (
  { trigrams, nameStarts, names }: NameIndex,
  trigram: number,
): Uint16Array | undefined => {
  let from = 0;
  let to = trigrams.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((trigrams[middle] ?? 0) < trigram) from = middle + 1;
    else to = middle;
  }
  return trigrams[from] === trigram ? names.subarray(nameStarts[from], nameStarts[from + 1]) : undefined;
};
