/** A reason that is printed as one sentence, without a stack. */
export class SetupFailure extends Error {}

/** The last lines of a program's messages, for a sentence that ends with them. */
export const lastLines = (text, count = 3) =>
  text
    .trim()
    .split('\n')
    .filter((line) => !line.includes('[notice]'))
    .slice(-count)
    .join('\n');

export const textGoesOn = 'Text conversations work without it';
