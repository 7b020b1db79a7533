import { digitsAt } from './number-words.js';
import { type Token, tokensOf } from './tokens.js';

/** Digits that were said or written together: "double five", "forty two", "415". */
export interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

/** Groups that follow each other. */
export interface DigitRun {
  /** The run begins with a plus sign, or the word for it. */
  readonly hasPlus: boolean;
  readonly groups: readonly DigitGroup[];
  readonly start: number;
  readonly end: number;
}

const fillers = /^(?:-|–|\.|\/|,|and|und|then|dann|uh|um|äh|area|code)$/;
const plus = /^\+$|^plus$/;

const runOf = (groups: readonly DigitGroup[], plusSign: Token | undefined): DigitRun[] => {
  const [first, last] = [groups.at(0), groups.at(-1)];
  return first === undefined || last === undefined
    ? []
    : [{ hasPlus: plusSign !== undefined, groups, start: plusSign?.start ?? first.start, end: last.end }];
};

/** Runs of digits in words or figures; what people put between the groups does not end a run. */
export const digitRuns = (text: string, language: string): readonly DigitRun[] => {
  // "(415) 555" has its marks between the digits.
  const tokens = tokensOf(text.replaceAll(/[()]/g, ' '));
  const runs: DigitRun[] = [];
  let groups: DigitGroup[] = [];
  let plusSign: Token | undefined;
  const close = (next?: Token): void => {
    runs.push(...runOf(groups, plusSign));
    groups = [];
    plusSign = next;
  };
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    const spoken = digitsAt(tokens, index, language);
    if (spoken !== undefined) {
      const end = tokens[spoken.next - 1]?.end ?? token.end;
      groups.push({ digits: spoken.digits, start: token.start, end });
      index = spoken.next;
      continue;
    }
    if (plus.test(token.word)) close(token);
    else if (!fillers.test(token.word)) close();
    index += 1;
  }
  close();
  return runs;
};
