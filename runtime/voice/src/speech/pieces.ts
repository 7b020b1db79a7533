// Cuts a growing text into pieces that are synthesized one by one.

/** The first piece may end at a comma: the caller waits for it. */
const shortestClause = 16;
const longestPiece = 240;
/** A text that stops growing after a sentence is spoken: a tool runs, and its filler must not wait for it. */
const idleMs = 120;

const sentenceEnd = /[.!?…]["')\]]*(?=\s)|[。！？]|\n/u;
const clauseEnd = /[,;:–](?=\s)/u;
/** "Dr. Meier", "9 a.m. on Monday": an end of a sentence has a longer word before it. */
const abbreviation = /(?:\b\p{L}|\b(?:Dr|Mr|Mrs|Ms|St|No|Nr|Str|Prof|approx|ca|bzw|etc))\.$/u;

const endIn = (text: string, pattern: RegExp, from: number): number | undefined => {
  const match = pattern.exec(text.slice(from));
  return match === null ? undefined : from + match.index + match[0].length;
};

const sentenceEndIn = (text: string): number | undefined => {
  let end = endIn(text, sentenceEnd, 0);
  while (end !== undefined && abbreviation.test(text.slice(0, end))) end = endIn(text, sentenceEnd, end);
  return end;
};

/** The sentences of a whole text. */
export const sentencesOf = (text: string): readonly string[] => {
  const sentences: string[] = [];
  let rest = text.trim();
  for (let end = sentenceEndIn(rest); end !== undefined; end = sentenceEndIn(rest)) {
    sentences.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trimStart();
  }
  return [...sentences, rest].filter((sentence) => sentence !== '');
};

/** The length of a sentence at the beginning of a text that is spoken as a whole, because its audio is there already. */
export type WholeAt = (text: string) => number | undefined;

const pieceEnd = (text: string, isFirst: boolean, wholeAt: WholeAt): number | undefined => {
  const whole = wholeAt(text);
  if (whole !== undefined) return whole;
  const sentence = sentenceEndIn(text);
  const clause = isFirst ? endIn(text, clauseEnd, shortestClause) : undefined;
  const end = Math.min(sentence ?? Number.POSITIVE_INFINITY, clause ?? Number.POSITIVE_INFINITY);
  if (end <= longestPiece) return end;
  if (text.length <= longestPiece) return undefined;
  const space = text.lastIndexOf(' ', longestPiece);
  return space > 0 ? space : longestPiece;
};

/** Resolves with `idle` when nothing came for a while; the same `next` is awaited again afterwards. */
const orIdle = async <T>(next: Promise<T>): Promise<T | 'idle'> => {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<'idle'>((resolve) => {
    timer = setTimeout(() => resolve('idle'), idleMs);
  });
  return Promise.race([next, idle]).finally(() => clearTimeout(timer));
};

export async function* piecesOf(
  deltas: AsyncIterable<string>,
  wholeAt: WholeAt = () => undefined,
): AsyncGenerator<string> {
  const iterator = deltas[Symbol.asyncIterator]();
  let text = '';
  let isFirst = true;
  const take = (end: number): string => {
    const piece = text.slice(0, end).trim();
    text = text.slice(end).trimStart();
    if (piece !== '') isFirst = false;
    return piece;
  };
  const nextEnd = (): number | undefined => {
    text = text.trimStart();
    return pieceEnd(text, isFirst, wholeAt);
  };
  let next = iterator.next();
  for (;;) {
    const step = await orIdle(next);
    if (step === 'idle') {
      if (/[.!?…。！？]["')\]]*\s*$/u.test(text)) {
        const piece = take(text.length);
        if (piece !== '') yield piece;
      }
      const later = await next;
      if (later.done) break;
      text += later.value;
    } else {
      if (step.done) break;
      text += step.value;
    }
    next = iterator.next();
    for (let end = nextEnd(); end !== undefined; end = nextEnd()) {
      const piece = take(end);
      if (piece !== '') yield piece;
    }
  }
  const rest = text.trim();
  if (rest !== '') yield rest;
}
