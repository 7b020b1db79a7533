// Numbers as people paste them. Pure.
import { compactNumber } from '../../forms/phone-text.js';

/** The numbers of a text with one in each line, or with commas or semicolons between them; each once, in their order. */
export const numbersIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map(compactNumber)
      .filter((line) => line !== ''),
  ),
];
