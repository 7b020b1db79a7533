// Groups the pieces of a text into passages. A passage never leaves its section: the text below one heading, up to the
// next heading.
import type { Piece } from './pieces.js';
import { fewestTokens, mostTokens } from './tokens.js';

export interface Group {
  readonly pieces: readonly Piece[];
  /** The titles above the group, outermost first. */
  readonly path: readonly string[];
}

/** The tokens of a passage of these pieces, with the titles of columns that it repeats. */
export const tokensIn = (pieces: readonly Piece[]): number =>
  pieces.reduce(
    (total, { tokens }) => total + tokens,
    pieces[0]?.lacksTitles ? (pieces[0].titles?.tokens ?? 0) : 0,
  );

const fits = (first: readonly Piece[], second: readonly Piece[]): boolean =>
  tokensIn(first) + tokensIn(second) <= mostTokens;

/** True when the outer titles are the first of the inner ones. */
export const isAbove = (outer: readonly string[], inner: readonly string[]): boolean =>
  outer.length <= inner.length && outer.every((title, index) => inner[index] === title);

/** A heading with the pieces below it; the first section of a text may have no heading. */
interface Section {
  readonly headings: readonly Piece[];
  readonly texts: readonly Piece[];
  readonly path: readonly string[];
  /** True for titles that follow each other without a text, such as those of a table of contents. */
  readonly isList: boolean;
}

const sectionsOf = (pieces: readonly Piece[]): Section[] => {
  const sections: (Section & { readonly texts: Piece[] })[] = [];
  for (const piece of pieces) {
    const open = sections.at(-1);
    if (open === undefined || piece.isHeading)
      sections.push({
        headings: piece.isHeading ? [piece] : [],
        texts: piece.isHeading ? [] : [piece],
        path: piece.path,
        isList: false,
      });
    else open.texts.push(piece);
  }
  return sections;
};

const commonPath = (first: readonly string[], second: readonly string[]): readonly string[] => {
  const end = first.findIndex((title, index) => second[index] !== title);
  return end === -1 ? first : first.slice(0, end);
};

/** A title without a text of its own joins the section below it, or the other titles without a text. */
const joinTitles = (above: Section, section: Section): Section | undefined => {
  if (above.texts.length > 0) return undefined;
  const headings = [...above.headings, ...section.headings];
  if (tokensIn(headings) > fewestTokens) return undefined;
  if (!above.isList && isAbove(above.path, section.path)) return { ...section, headings };
  if (section.texts.length > 0) return undefined;
  return { headings, texts: [], path: commonPath(above.path, section.path), isList: true };
};

const withTitlesAbove = (sections: readonly Section[]): Section[] => {
  const joined: Section[] = [];
  for (const section of sections) {
    const before = joined.at(-1);
    const both = before && joinTitles(before, section);
    if (both === undefined) joined.push(section);
    else joined[joined.length - 1] = both;
  }
  return joined;
};

/** A short rest joins the group before it where both fit. */
const withoutShortRest = (groups: Piece[][]): Piece[][] => {
  const [before, last] = groups.slice(-2);
  if (before === undefined || last === undefined || tokensIn(last) >= fewestTokens) return groups;
  return fits(before, last) ? [...groups.slice(0, -2), [...before, ...last]] : groups;
};

type Divide = (piece: Piece) => readonly Piece[];

const groupsOfSection = ({ headings, texts, path }: Section, divide: Divide): Group[] => {
  const groups: Piece[][] = [];
  let open: Piece[] = [...headings];
  const queue = [...texts].reverse();
  for (let piece = queue.pop(); piece !== undefined; piece = queue.pop()) {
    if (open.length > 0 && tokensIn(open) + piece.tokens > mostTokens) {
      // A heading without the text below it answers nothing, so that even a list or a table is divided behind it.
      const isAfterTitles = open.every(({ isHeading }) => isHeading);
      if (tokensIn(open) < fewestTokens && (piece.mayBeSplit || isAfterTitles)) {
        const smaller = divide(piece);
        if (smaller.length > 1) {
          queue.push(...[...smaller].reverse());
          continue;
        }
      }
      groups.push(open);
      open = [];
    }
    open.push(piece);
  }
  groups.push(open);
  return withoutShortRest(groups).map((pieces) => ({ pieces, path }));
};

/** Joins short groups that follow each other, until a document of very many sections is within the limit. */
const withinLimit = (groups: readonly Group[], most: number): readonly Group[] => {
  if (groups.length <= most) return groups;
  const joined: Group[] = [];
  for (const group of groups) {
    const before = joined.at(-1);
    if (before !== undefined && tokensIn(before.pieces) < fewestTokens && fits(before.pieces, group.pieces))
      joined[joined.length - 1] = {
        pieces: [...before.pieces, ...group.pieces],
        path: commonPath(before.path, group.path),
      };
    else joined.push(group);
  }
  return joined;
};

/** @param most the number of passages from which short sections share one */
export const groupsOf = (pieces: readonly Piece[], divide: Divide, most: number): readonly Group[] =>
  withinLimit(
    withTitlesAbove(sectionsOf(pieces)).flatMap((section) => groupsOfSection(section, divide)),
    most,
  );
