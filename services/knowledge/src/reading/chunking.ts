// Cuts a text into chunks of at most 400 tokens. A section has chunks of its own, however short it is. A list, a table
// and a paragraph stay whole where they fit. Chunks follow each other without a gap: nothing between them but white
// space is lost.
import { contextsOf } from './context.js';
import { limits } from './limits.js';
import { type Group, groupsOf, tokensIn } from './passages.js';
import { piecesOf, type Span, smallerPieces } from './pieces.js';
import { mostTokens } from './tokens.js';

export interface Chunk {
  readonly ordinal: number;
  /** The text between the offsets. Rows of a table have the titles of their columns before it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Titles above the chunk, outermost first. */
  readonly headings: readonly string[];
  readonly tokens: number;
  /** Text around a short chunk, from the same section above it; null where there is none. */
  readonly context: string | null;
}

/** The span of the text without the white space around it. */
const trimmed = (text: string, start: number, end: number): Span => {
  const piece = text.slice(start, end);
  const from = start + piece.length - piece.trimStart().length;
  return [from, Math.max(from, start + piece.trimEnd().length)];
};

const chunkOf = (text: string, { pieces, path }: Group): Omit<Chunk, 'ordinal' | 'context'> => {
  const [start, end] = trimmed(text, pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0);
  const [first] = pieces;
  const tokens = tokensIn(pieces);
  const titles = first?.lacksTitles && tokens <= mostTokens ? first.titles : undefined;
  return {
    text: `${titles?.text ?? ''}${text.slice(start, end)}`,
    start,
    end,
    headings: path,
    tokens: first?.lacksTitles && titles === undefined ? tokens - (first.titles?.tokens ?? 0) : tokens,
  };
};

/** @param most the number of chunks from which short sections that follow each other share one */
export const chunksOf = (text: string, most: number = limits.sectionsOfDocument): Chunk[] => {
  const chunks = groupsOf(piecesOf(text), (piece) => smallerPieces(text, piece), most)
    .map((group) => chunkOf(text, group))
    .filter(({ start, end }) => end > start);
  const contexts = contextsOf(chunks);
  return chunks.map((chunk, ordinal) => ({ ...chunk, ordinal, context: contexts[ordinal] ?? null }));
};
