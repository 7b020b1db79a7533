// The sentences of a call that are worth keeping: they are said again, in this call or in others.
import { sentencesOf } from './pieces.js';

export interface Phrase {
  readonly text: string;
  /** False for a sentence with a value of this call: its audio is never on disk. */
  readonly isShared: boolean;
}

export class PhraseBook {
  readonly #isShared = new Map<string, boolean>();

  /** @returns the sentences of the text, in their order */
  add({ text, isShared }: Phrase): readonly string[] {
    const sentences = sentencesOf(text);
    for (const sentence of sentences)
      this.#isShared.set(sentence, isShared && (this.#isShared.get(sentence) ?? true));
    return sentences;
  }

  /** Undefined for a sentence that is not in the book. */
  isShared(sentence: string): boolean | undefined {
    return this.#isShared.get(sentence);
  }

  /** The length of the longest sentence of the book that the text begins with. */
  prefixOf(text: string): number | undefined {
    let longest: number | undefined;
    for (const sentence of this.#isShared.keys()) {
      if (!text.startsWith(sentence) || sentence.length < (longest ?? 0)) continue;
      if (text.length === sentence.length || /\s/.test(text.charAt(sentence.length)))
        longest = sentence.length;
    }
    return longest;
  }
}
