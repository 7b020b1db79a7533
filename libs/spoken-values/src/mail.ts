import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { digitsAt } from './number-words.js';
import { type Token, tokensOf } from './tokens.js';

const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { dot: '.', point: '.', period: '.', underscore: '_', dash: '-', hyphen: '-', minus: '-', plus: '+' },
  de: { punkt: '.', dot: '.', unterstrich: '_', bindestrich: '-', minus: '-', strich: '-', plus: '+' },
};
const at: Readonly<Record<string, RegExp>> = {
  en: /^(?:at|@)$/,
  de: /^(?:at|ät|et|@|klammeraffe)$/,
};
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
}

const partsOf = (tokens: readonly Token[], language: string): readonly Part[] => {
  const names = marks[primary(language)] ?? {};
  const parts: Part[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    const mark = names[token.word] ?? (/^[._+-]$/.test(token.word) ? token.word : undefined);
    const digits = mark === undefined && token.word !== 'o' ? digitsAt(tokens, index, language) : undefined;
    const next = digits?.next ?? index + 1;
    const end = tokens[next - 1]?.end ?? token.end;
    parts.push({
      text: mark ?? digits?.digits ?? token.word,
      start: token.start,
      end,
      isMark: mark !== undefined,
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
    } else if (isWord(part) && (text === '' || (part.text.length === 1 && !text.includes('.')))) {
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
  for (let index = until - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part === undefined || !(part.isMark || isWord(part))) break;
    const isJoined = part.isMark || parts[index + 1]?.isMark === true;
    if (!part.isMark && before.test(part.text) && !(isJoined && part.text.length < 3)) break;
    if (!isJoined && part.text.length > 1) words += 1;
    if (words > 3) break;
    text = part.text + text;
    start = part.start;
  }
  text = text.replace(/^[._+-]+/, '');
  return text === '' || start === undefined || /[._+-]$/.test(text) ? undefined : { text, start };
};

const ascii = (text: string): string =>
  text.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');

/** Recognition writes letters that are spelled as "N-I-N-A", and pauses as commas. Places in the text stay the same. */
const withoutSpelling = (text: string): string =>
  text
    .replaceAll(/(?<=(?<!\p{L})\p{L})-(?=\p{L}(?!\p{L}))/gu, ' ')
    .replaceAll(/(?<=(?<!\p{L})(?:dot|punkt|period)),/giu, ' ');

export const mailsIn = (text: string, language: string): readonly Candidate<string>[] => {
  const parts = partsOf(tokensOf(withoutSpelling(text)), language);
  const sign = at[primary(language)] ?? /^(?:at|@)$/;
  return parts.flatMap((part, index) => {
    if (!sign.test(part.text)) return [];
    const domain = domainFrom(parts, index + 1);
    const local = localUntil(parts, index);
    if (domain === undefined || local === undefined) return [];
    const end = parts[domain.next - 1]?.end ?? part.end;
    return [{ value: ascii(`${local.text}@${domain.text}`), start: local.start, end }];
  });
};
