// Cuts a text into chunks of 200 to 400 tokens, along its headings where it has them. A list, a table and a paragraph
// stay whole where they fit. Chunks follow each other without a gap: nothing between them but white space is lost.
import { type Block, blocksOf } from './blocks.js';
import { countTokens } from './tokens.js';

export interface Chunk {
  readonly ordinal: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Titles above the chunk, outermost first. */
  readonly headings: readonly string[];
  readonly tokens: number;
}

export const fewestTokens = 200;
export const mostTokens = 400;
/** A text of more characters nearly always has more than 400 tokens; counting them would only take time. */
const surelyTooLong = 6_000;

/** The fewest characters of a piece: a long text of short sentences must not become as many objects. */
const shortestPiece = 200;

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly path: readonly string[];
  /** True for a piece that begins with a heading. */
  readonly isHeading: boolean;
  readonly mayBeSplit: boolean;
}

type Span = readonly [start: number, end: number];

/** The places at which a text may be cut, the best places first. Each match ends where a piece ends. */
const cuts = [/\n/g, /[.!?…。！？]["'”’)\]]*\s+/g, /[,;:]\s+/g, /\s+/g];

/** Moves a cut out of the middle of a surrogate pair. */
const safeCut = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
};

const spansBy = (text: string, [start, end]: Span, cut: RegExp): Span[] => {
  const spans: Span[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(cut)) {
    const to = start + match.index + match[0].length;
    if (to - from >= shortestPiece && to < end) {
      spans.push([from, to]);
      from = to;
    }
  }
  spans.push([from, end]);
  return spans;
};

const tokensOf = (text: string, [start, end]: Span): number =>
  end - start > surelyTooLong ? Number.POSITIVE_INFINITY : countTokens(text.slice(start, end));

interface Sized {
  readonly span: Span;
  readonly tokens: number;
}

/** Cuts a word without end, such as base64. */
const cutAnywhere = (text: string, [start, end]: Span): Sized[] => {
  const sized: Sized[] = [];
  for (let from = start; from < end; ) {
    let length = 400;
    let span: Span;
    let tokens: number;
    do {
      const to = from + length >= end ? end : Math.max(from + 2, safeCut(text, from + length));
      span = [from, Math.min(end, to)];
      tokens = tokensOf(text, span);
      length = Math.floor(length / 2);
    } while (tokens > mostTokens && length >= 2);
    sized.push({ span, tokens });
    from = span[1];
  }
  return sized;
};

/** Splits a text into pieces of at most 400 tokens each. */
const split = (text: string, span: Span, level = 0): Sized[] => {
  const tokens = tokensOf(text, span);
  if (tokens <= mostTokens) return [{ span, tokens }];
  const cut = cuts[level];
  if (cut === undefined) return cutAnywhere(text, span);
  return spansBy(text, span, cut).flatMap((part) => split(text, part, level + 1));
};

const pathAfter = (path: readonly { level: number; title: string }[], { level, title }: Block) => [
  ...path.filter((above) => above.level < level),
  { level, title },
];

const piecesOf = (text: string): Piece[] => {
  let path: readonly { level: number; title: string }[] = [];
  return blocksOf(text).flatMap((block) => {
    const isHeading = block.kind === 'heading';
    if (isHeading) path = pathAfter(path, block);
    const titles = path.map(({ title }) => title);
    return split(text, [block.start, block.end]).map(
      ({ span: [start, end], tokens }, index): Piece => ({
        ...{ start, end, tokens, path: titles, isHeading: isHeading && index === 0 },
        mayBeSplit: block.kind === 'paragraph',
      }),
    );
  });
};

/** The titles above all of the text. A title with nothing between it and the next one has no text of its own. */
const commonPath = (pieces: readonly Piece[]): readonly string[] => {
  const texts = pieces.filter(({ isHeading }) => !isHeading);
  const [first, ...others] = (texts.length > 0 ? texts : pieces).map(({ path }) => path);
  return (first ?? []).filter((_, index) =>
    others.every((path) => path.slice(0, index + 1).join('\n') === first?.slice(0, index + 1).join('\n')),
  );
};

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { tokens }) => total + tokens, 0);

/** A heading at the end of a chunk belongs to the text below it. */
const withoutLastHeadings = (pieces: readonly Piece[]): number => {
  let count = pieces.length;
  while (count > 1 && pieces[count - 1]?.isHeading === true) count -= 1;
  return pieces[0]?.isHeading && count === 1 ? pieces.length : count;
};

const sentences = (text: string, piece: Piece): Piece[] =>
  spansBy(text, [piece.start, piece.end], cuts[1] ?? /\s+/g).map((span) => ({
    ...piece,
    ...{ start: span[0], end: span[1], tokens: tokensOf(text, span), mayBeSplit: false, isHeading: false },
  }));

const groupsOf = (text: string): Piece[][] => {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  const queue = piecesOf(text).reverse();
  const close = (): void => {
    const count = withoutLastHeadings(open);
    groups.push(open.slice(0, count));
    open = open.slice(count);
  };
  for (let piece = queue.pop(); piece !== undefined; piece = queue.pop()) {
    const tokens = sum(open);
    if (piece.isHeading && tokens >= fewestTokens) close();
    else if (tokens + piece.tokens > mostTokens && open.length > 0) {
      if (tokens < fewestTokens && piece.mayBeSplit) {
        const parts = sentences(text, piece);
        if (parts.length > 1) {
          queue.push(...parts.reverse());
          continue;
        }
      }
      close();
      if (open.length > 0 && sum(open) + piece.tokens > mostTokens) close();
    }
    open.push(piece);
  }
  if (open.length > 0) groups.push(open);
  return mergeLast(groups);
};

/** A short rest joins the chunk before where both fit and stand under the same title. */
const mergeLast = (groups: Piece[][]): Piece[][] => {
  const [before, last] = groups.slice(-2);
  if (before === undefined || last === undefined || sum(last) >= fewestTokens) return groups;
  return sum(before) + sum(last) <= mostTokens ? [...groups.slice(0, -2), [...before, ...last]] : groups;
};

/** The span of the text without the white space around it. */
const trimmed = (text: string, start: number, end: number): Span => {
  const piece = text.slice(start, end);
  const from = start + piece.length - piece.trimStart().length;
  return [from, Math.max(from, start + piece.trimEnd().length)];
};

export const chunksOf = (text: string): Chunk[] =>
  groupsOf(text)
    .map((pieces) => {
      const [start, end] = trimmed(text, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
      return { start, end, text: text.slice(start, end), headings: commonPath(pieces), tokens: sum(pieces) };
    })
    .filter(({ start, end }) => end > start)
    .map((chunk, ordinal) => ({ ...chunk, ordinal }));
