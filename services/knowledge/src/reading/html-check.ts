// Checks HTML before a parser makes a tree of it.
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

/** Elements with an optional end tag, or none: parsers close them, so that they do not nest by themselves. */
const selfClosing = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup rt rp html head body'.split(
    ' ',
  ),
);

interface Tag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
}

const tagName = /[a-z][a-z0-9-]*/y;

/** The end of a comment, or of an element such as a script with content that is no markup. */
const skipped = (html: string, at: number, lower: string): number | undefined => {
  const until = html.startsWith('<!--', at) ? '-->' : undefined;
  const name = /^<(script|style|textarea|title)[\s>]/.exec(lower.slice(at, at + 12))?.[1];
  const mark = until ?? (name === undefined ? undefined : `</${name}`);
  if (mark === undefined) return undefined;
  const end = lower.indexOf(mark, at);
  return end === -1 ? html.length : end + mark.length;
};

/** The tags in their order. One pass over the text is enough, also for a text with missing tags. */
function* tagsOf(html: string): Generator<Tag> {
  const lower = html.toLowerCase();
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const jump = skipped(html, at, lower);
    if (jump !== undefined) {
      at = jump;
      continue;
    }
    const isClosing = html[at + 1] === '/';
    tagName.lastIndex = at + (isClosing ? 2 : 1);
    const name = tagName.exec(lower)?.[0];
    if (name === undefined) {
      at += 1;
      continue;
    }
    const end = html.indexOf('>', at);
    if (end === -1) return;
    const open = html[end - 1] === '/' ? 'empty' : 'open';
    yield { name, kind: isClosing ? 'close' : open };
    at = end;
  }
}

/**
 * Checks HTML before a parser makes a tree of it. A tree that is too deep or too wide overflows the stack of every
 * library that walks it.
 * @throws ReadFailure
 */
export const checkHtml = (html: string): void => {
  let depth = 0;
  let elements = 0;
  for (const { name, kind } of tagsOf(html)) {
    const nests = !selfClosing.has(name);
    if (kind !== 'close') elements += 1;
    else if (nests) depth = Math.max(0, depth - 1);
    if (kind === 'open' && nests) depth += 1;
    if (depth > limits.htmlDepth)
      throw new ReadFailure('PARSE_FAILED', 'The page nests its elements too deeply.');
    if (elements > limits.htmlElements) throw new ReadFailure('TOO_LARGE', 'The page has too many elements.');
  }
};
