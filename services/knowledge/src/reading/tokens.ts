// Counts tokens as language models do.
import { countTokens as count } from 'gpt-tokenizer';

/** A passage that is cut for its length has between so many tokens and so many. */
export const fewestTokens = 200;
export const mostTokens = 400;

/** The time that the tokenizer takes grows with the square of the length of a word. */
const longRun = /(\S{200,}|\s{200,})/;
const slices = /[\s\S]{1,200}/g;

export const countTokens = (text: string): number => {
  const options = { disallowedSpecial: new Set<string>() };
  // Every second part is a long run.
  return text
    .split(longRun)
    .flatMap((part, index) => (index % 2 === 0 ? [part] : (part.match(slices) ?? [])))
    .reduce((sum, part) => sum + count(part, options), 0);
};
