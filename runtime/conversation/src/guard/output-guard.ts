// Watches the words of a model on their way out. They may repeat the instructions of the model in passing, as any answer
// about opening hours does, but not at length, and they contain no credentials.
import { hidden, withoutCredentials } from './credentials.js';
import { lastBoundary, wordsOf } from './words.js';

/** From so many words in the order of the instructions on, they wait until it is clear that it is a coincidence. */
const heldFrom = 3;
/** So many in one piece are a recital. */
const longestRun = 20;
/** Pieces of this length count towards a recital in parts. */
const countedRun = 9;
const longestTotal = 32;
/** No spoken word is this long: it is base64, or something else that is not meant for a person. */
const longestChunk = 80;
const tailLength = 80;

/** Words that the author of a prompt wants to be said stand in quotes. */
const quoted = /"[^"]{1,2000}"|“[^”]{1,2000}”|„[^“”]{1,2000}[“”]|«[^»]{1,2000}»/g;

export interface GuardOptions {
  /** Texts that are not to be recited. */
  readonly instructions: readonly string[];
  /** Texts that may be said whole, such as the first message. */
  readonly speakable?: readonly string[];
  /** Values that must not appear. */
  readonly secrets: readonly string[];
}

export interface Guarded {
  readonly text: string;
  /** The rest of the answer is not to be said. */
  readonly isBlocked: boolean;
}

const isEncoded = (chunk: string): boolean =>
  chunk.length > longestChunk &&
  !/^\W*https?:\/\//.test(chunk) &&
  wordsOf(chunk).some((one) => one.length > 40);

/** Finds the longest run of words that ends at the latest word and occurs in the instructions. */
class Runs {
  readonly #words: readonly string[];
  readonly #places = new Map<string, number[]>();
  /** Length of the run by the place at which it ends. */
  #ends = new Map<number, number>();

  constructor(texts: readonly string[]) {
    // A word that occurs nowhere keeps a run from crossing from one text into the next.
    this.#words = texts.flatMap((text) => [...wordsOf(text), '\0']);
    for (const [place, word] of this.#words.entries()) {
      const places = this.#places.get(word);
      if (places === undefined) this.#places.set(word, [place]);
      else places.push(place);
    }
  }

  /** @returns the length of the run with this word */
  add(word: string): number {
    const ends = new Map<number, number>();
    let longest = 0;
    for (const place of this.#places.get(word) ?? []) {
      const length = (this.#ends.get(place - 1) ?? 0) + 1;
      ends.set(place, length);
      longest = Math.max(longest, length);
    }
    this.#ends = ends;
    return longest;
  }
}

const withoutQuotes = (text: string): string => text.replaceAll(quoted, ' \u0000 ');

export class OutputGuard {
  readonly #secrets: readonly string[];
  readonly #runs: Runs;
  /** Text whose last word may go on. */
  #unfinished = '';
  /** Text that may be part of a recital. */
  #heldBack = '';
  #run = 0;
  #recited = 0;
  #tail = '';
  #isBlocked = false;

  constructor({ instructions, speakable = [], secrets }: GuardOptions) {
    this.#secrets = secrets;
    const sayable = speakable.filter((text) => text.trim() !== '');
    const texts = instructions.map((text) =>
      sayable.reduce((rest, said) => rest.replaceAll(said, ' \u0000 '), withoutQuotes(text)),
    );
    this.#runs = new Runs(texts.flatMap((text) => text.split('\u0000')));
  }

  push(delta: string): Guarded {
    this.#unfinished += delta;
    const boundary = lastBoundary(this.#unfinished);
    const finished = this.#unfinished.slice(0, boundary);
    this.#unfinished = this.#unfinished.slice(boundary);
    // A word that never ends would be held back indefinitely, and is blocked by its length.
    if (isEncoded(this.#unfinished)) return this.#block();
    return this.#pass(finished);
  }

  /** The end of the answer. */
  finish(): Guarded {
    const rest = this.#pass(this.#unfinished);
    this.#unfinished = '';
    if (rest.isBlocked) return rest;
    const text = rest.text + this.#release();
    return { text, isBlocked: false };
  }

  #pass(finished: string): Guarded {
    if (this.#isBlocked) return { text: '', isBlocked: true };
    let passed = '';
    for (const chunk of finished.match(/\s*\S+\s*|\s+/g) ?? []) {
      if (isEncoded(chunk.trim())) return this.#block();
      for (const word of wordsOf(chunk)) {
        const run = this.#runs.add(word);
        if (run <= this.#run) this.#endRun();
        this.#run = run;
        if (run >= longestRun || this.#recited + (run >= countedRun ? run : 0) >= longestTotal)
          return this.#block();
      }
      this.#heldBack += chunk;
      if (this.#run < heldFrom) passed += this.#release();
    }
    return { text: passed, isBlocked: false };
  }

  #endRun(): void {
    if (this.#run >= countedRun) this.#recited += this.#run;
  }

  /** Checked together with what was said before it, because a credential may have spaces. */
  #release(): string {
    const whole = this.#tail + this.#heldBack;
    const cleaned = withoutCredentials(whole, this.#secrets);
    const text = cleaned.startsWith(this.#tail)
      ? cleaned.slice(this.#tail.length)
      : `${hidden}${/\s$/.test(this.#heldBack) ? ' ' : ''}`;
    this.#tail = (this.#tail + text).slice(-tailLength);
    this.#heldBack = '';
    return text;
  }

  #block(): Guarded {
    this.#isBlocked = true;
    this.#heldBack = '';
    this.#unfinished = '';
    return { text: '', isBlocked: true };
  }
}
