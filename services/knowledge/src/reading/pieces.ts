// Divides a text into pieces of at most 400 tokens: headings, and parts of lists, tables, code and paragraphs.
import { type Block, blocksOf } from './blocks.js';
import { lengthOfTitles } from './table-rows.js';
import { countTokens, mostTokens } from './tokens.js';

/** A text of more characters nearly always has more than 400 tokens; counting them would only take time. */
const surelyTooLong = 6_000;

/** The fewest characters of a piece: a long text of short sentences must not become as many objects. */
const shortestPiece = 200;

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly path: readonly string[];
  /** True for a piece that begins with a heading. */
  readonly isHeading: boolean;
  readonly mayBeSplit: boolean;
  /** The titles of the columns, for a part of a table. */
  readonly titles?: Titles | undefined;
  /** True for rows of a table behind its beginning: a passage that begins with them repeats the titles. */
  readonly lacksTitles: boolean;
}

export interface Titles {
  readonly text: string;
  readonly tokens: number;
}

export type Span = readonly [start: number, end: number];

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

const titlesOf = (text: string, { kind, start, end }: Block): Titles | undefined => {
  if (kind !== 'table') return undefined;
  const length = lengthOfTitles(text.slice(start, end));
  if (length === 0) return undefined;
  const titles = text.slice(start, start + length);
  return { text: titles, tokens: countTokens(titles) };
};

export const piecesOf = (text: string): Piece[] => {
  let path: readonly { level: number; title: string }[] = [];
  return blocksOf(text).flatMap((block) => {
    const isHeading = block.kind === 'heading';
    if (isHeading) path = pathAfter(path, block);
    const above = path.map(({ title }) => title);
    const titles = titlesOf(text, block);
    return split(text, [block.start, block.end]).map(
      ({ span: [start, end], tokens }, index): Piece => ({
        start,
        end,
        tokens,
        path: above,
        isHeading: isHeading && index === 0,
        mayBeSplit: block.kind === 'paragraph',
        titles,
        lacksTitles: titles !== undefined && index > 0,
      }),
    );
  });
};

/** Divides a piece further: a paragraph into sentences, and anything else into lines. */
export const smallerPieces = (text: string, piece: Piece): Piece[] =>
  spansBy(text, [piece.start, piece.end], (piece.mayBeSplit ? cuts[1] : cuts[0]) ?? /\s+/g).map(
    (span, index) => ({
      ...piece,
      start: span[0],
      end: span[1],
      tokens: tokensOf(text, span),
      mayBeSplit: false,
      isHeading: false,
      lacksTitles: piece.titles !== undefined && (piece.lacksTitles || index > 0),
    }),
  );
