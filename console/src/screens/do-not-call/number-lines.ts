// Numbers as people paste them. Pure.

/** The numbers of a text with one in each line, or with commas or semicolons between them; each once, in their order. */
export const numbersIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];
