// The context of short passages. A model that gets one sentence of a section understands it better with the
// text around it, which is taken from the section above.
import { isAbove } from './passages.js';

interface Passage {
  readonly text: string;
  readonly headings: readonly string[];
  readonly tokens: number;
}

/** A longer passage explains itself. */
const shortTokens = 120;
const mostCharacters = 1_000;
/** The most characters of one passage within a context. */
const mostOfPassage = 400;
/** The number of passages to look at on each side. */
const reach = 5;

const keyOf = (headings: readonly string[]): string => headings.join('\n');

const shortened = (text: string): string => {
  if (text.length <= mostOfPassage) return text;
  const cut = text.slice(0, mostOfPassage);
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  // Without a blank, the cut may lie between the two halves of one character.
  const kept = end > 0 ? cut.slice(0, end).trimEnd() : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${kept} …`;
};

/** Indices around a place, the nearest ones first, and the later one of a pair before the earlier one. */
const around = (index: number, length: number): number[] =>
  Array.from({ length: reach }, (_, step) => [index + step + 1, index - step - 1])
    .flat()
    .filter((at) => at >= 0 && at < length);

/** The context of each passage, in order; null for a long passage, and for one with nothing around it. */
export const contextsOf = (passages: readonly Passage[]): (string | null)[] => {
  const firstOf = new Map<string, number>();
  for (const [index, { headings }] of passages.entries())
    if (!firstOf.has(keyOf(headings))) firstOf.set(keyOf(headings), index);
  return passages.map(({ headings, tokens }, index) => {
    if (tokens >= shortTokens) return null;
    const above = headings.slice(0, -1);
    const introduction = firstOf.get(keyOf(above));
    const isNear = introduction !== undefined && introduction !== index;
    const chosen = new Map<number, string>();
    let left = mostCharacters;
    for (const at of [...(isNear ? [introduction] : []), ...around(index, passages.length)]) {
      const other = passages[at];
      if (other === undefined || chosen.has(at) || !isAbove(above, other.headings)) continue;
      const text = shortened(other.text);
      if (text.length > left) continue;
      chosen.set(at, text);
      left -= text.length;
    }
    const texts = [...chosen].sort(([first], [second]) => first - second).map(([, text]) => text);
    return texts.length === 0 ? null : texts.join('\n\n');
  });
};
