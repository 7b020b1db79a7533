import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { digitsAt } from './number-words.js';
import { codeWordAmong, letterNameAt, lettersAt } from './spelling.js';
import { type Token, tokensOf } from './tokens.js';

const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { dot: '.', point: '.', period: '.', underscore: '_', dash: '-', hyphen: '-', minus: '-', plus: '+' },
  de: { punkt: '.', dot: '.', unterstrich: '_', bindestrich: '-', minus: '-', strich: '-', plus: '+' },
};
const at: Readonly<Record<string, RegExp>> = {
  en: /^(?:at|@)$/,
  de: /^(?:at|ät|et|@|klammeraffe)$/,
};
const signOf = (language: string): RegExp => at[primary(language)] ?? /^(?:at|@)$/;

/** Words before an address that do not belong to it. */
const before =
  /^(?:is|it'?s|its|mail|email|address|me|my|to|use|yes|yeah|sure|at|on|under|via|would|be|was|well|of|course|the|that's|that|and|so|um|uh|ist|lautet|adresse|mailadresse|meine|mich|unter|an|auf|ja|die|und|also|äh|no|sorry|wait|mean|nein|entschuldigung|moment|rather|actually)$/;
const providers: Readonly<Record<string, string>> = {
  gmail: 'gmail.com',
  hotmail: 'hotmail.com',
  outlook: 'outlook.com',
  yahoo: 'yahoo.com',
  icloud: 'icloud.com',
};

interface Part {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isMark: boolean;
  /** Letters that were spelled, and no word. */
  readonly isSpelled: boolean;
}

const isPause = /^[-–.,;:]$/;

/** "gmail dotcom" */
const joinedDot = /^dot(?<domain>com|org|net|de|uk|io|eu)$/;

const partsOf = (text: string, language: string): readonly Part[] => {
  const tokens = tokensOf(text);
  const names = marks[primary(language)] ?? {};
  const sign = signOf(language);
  const parts: Part[] = [];
  /** A mark that is said, or the sign between name and domain. */
  const isSaid = (token: Token | undefined): boolean =>
    token !== undefined && (Object.hasOwn(names, token.word) || sign.test(token.word));
  // Recognition writes pauses as commas and full stops, and the gaps between letters as hyphens.
  const pauses = (token: Token, index: number): boolean => {
    if (!isPause.test(token.word)) return false;
    const next = tokens[index + 1];
    const isApart = next === undefined || next.start > token.end;
    if (isSaid(next) || (isSaid(tokens[index - 1]) && token.word !== '.')) return true;
    // "Nina. N I N A"
    if (token.word === '.' && isApart && lettersAt(tokens, index + 1) !== undefined) return true;
    return parts.at(-1)?.isSpelled === true && (isApart || token.word === '-' || token.word === ',');
  };
  const spelledAt = (index: number) =>
    sign.test(tokens[index]?.word ?? '')
      ? undefined
      : (lettersAt(tokens, index) ?? codeWordAmong(tokens, index) ?? letterNameAt(tokens, index));
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    if (pauses(token, index)) {
      index += 1;
      continue;
    }
    const domain = joinedDot.exec(token.word)?.groups?.domain;
    if (domain !== undefined) {
      const { start, end } = token;
      parts.push({ text: '.', start, end, isMark: true, isSpelled: false });
      parts.push({ text: domain, start, end, isMark: false, isSpelled: false });
      index += 1;
      continue;
    }
    const mark = names[token.word] ?? (/^[._+-]$/.test(token.word) ? token.word : undefined);
    const letters = mark === undefined ? spelledAt(index) : undefined;
    const digits =
      mark === undefined && letters === undefined ? digitsAt(tokens, index, language) : undefined;
    const next = letters?.next ?? digits?.next ?? index + 1;
    const end = tokens[next - 1]?.end ?? token.end;
    parts.push({
      text: mark ?? letters?.letters ?? digits?.digits ?? token.word,
      start: token.start,
      end,
      isMark: mark !== undefined,
      isSpelled: letters !== undefined,
    });
    index = next;
  }
  return parts;
};

const isWord = (part: Part | undefined): part is Part =>
  part !== undefined && /^[\p{L}\d]+$/u.test(part.text);

/** The domain after the sign: a word, then marks and words in turn. Spelled letters run together. */
const domainFrom = (parts: readonly Part[], from: number): { text: string; next: number } | undefined => {
  let text = '';
  let next = from;
  for (;;) {
    const part = parts[next];
    const follows = parts[next + 1];
    if (part?.isMark === true && (part.text === '.' || part.text === '-') && isWord(follows) && text !== '') {
      text += part.text + follows.text;
      next += 2;
    } else if (
      isWord(part) &&
      (text === '' || (text === 'g' && part.text === 'mail') || (part.isSpelled && !text.includes('.')))
    ) {
      text += part.text;
      next += 1;
    } else break;
  }
  const isKnown = providers[text];
  if (isKnown !== undefined) return { text: isKnown, next };
  return /\.\p{L}{2,}$/u.test(text) ? { text, next } : undefined;
};

/** The part before the sign, read backwards: up to three words, or any number of letters, digits and marks. */
const localUntil = (parts: readonly Part[], until: number): { text: string; start: number } | undefined => {
  let text = '';
  let start: number | undefined;
  let words = 0;
  let letters = 0;
  for (let index = until - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part === undefined || !(part.isMark || isWord(part))) break;
    const isJoined = part.isMark || parts[index + 1]?.isMark === true;
    // "Nina N I N A"
    if (letters > 2 && !isJoined && !part.isSpelled) break;
    letters = part.isSpelled ? letters + 1 : 0;
    if (!part.isMark && !part.isSpelled && before.test(part.text) && !(isJoined && part.text.length < 3))
      break;
    if (!isJoined && !part.isSpelled) words += 1;
    if (words > 3) break;
    text = part.text + text;
    start = part.start;
  }
  text = text.replace(/^[._+-]+/, '');
  return text === '' || start === undefined || /[._+-]$/.test(text) ? undefined : { text, start };
};

const ascii = (text: string): string =>
  text.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');

/** "N I N A a gmail.com": an "at" that was recognized as one more letter before a domain. */
const isSignAfterLetters = (parts: readonly Part[], index: number): boolean =>
  parts[index]?.text === 'a' &&
  index > 2 &&
  parts.slice(index - 3, index).every(({ isSpelled }) => isSpelled) &&
  parts[index + 1]?.isSpelled === false;

const signOrProvider = /(?<!\p{L})(?:at|ät|et|klammeraffe)(?!\p{L})|@|mail|outlook|yahoo|icloud/iu;
const dotWord = /\.|dot|point|period|punkt/i;

/** A text without a sign and without anything like a domain has no address, and is read no further. */
const isAddressLike = (text: string): boolean => {
  if (signOrProvider.test(text)) return true;
  const dot = dotWord.exec(text);
  // Only the text after the first dot is searched, which keeps the cost linear in the length of the text.
  return dot !== null && /[\p{L}\p{N}]/u.test(text.slice(dot.index + dot[0].length));
};

export const mailsIn = (text: string, language: string): readonly Candidate<string>[] => {
  if (!isAddressLike(text)) return [];
  const parts = partsOf(text, language);
  const sign = signOf(language);
  return parts.flatMap((part, index) => {
    if (part.isSpelled ? !isSignAfterLetters(parts, index) : !sign.test(part.text)) return [];
    const domain = domainFrom(parts, index + 1);
    const local = localUntil(parts, index);
    if (domain === undefined || local === undefined) return [];
    const end = parts[domain.next - 1]?.end ?? part.end;
    return [{ value: ascii(`${local.text}@${domain.text}`), start: local.start, end }];
  });
};

/** The part before the sign, where somebody spelled that alone. */
export const mailNameIn = (text: string, language: string): string | undefined => {
  const parts = partsOf(text, language);
  const spelled = parts.findLastIndex(({ isSpelled }) => isSpelled);
  const local = localUntil(parts, spelled + 1);
  const isSpelledOut = parts.filter(({ isSpelled }) => isSpelled).length > 2;
  return isSpelledOut && local !== undefined ? ascii(local.text) : undefined;
};
