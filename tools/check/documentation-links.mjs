// Reads links, anchors and named code out of Markdown pages, and finds the ones that lead nowhere. Pure: the caller reads the files.
import { posix } from 'node:path';

/** A page without its fenced code, line by line, so that line numbers still hold. */
const withoutFences = (text) => {
  let fence;
  return text.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined ? line : '';
    if (fence === undefined) fence = mark;
    else if (mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
    return '';
  });
};

const codeSpan = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const link = /!?\[(?:[^[\]\\]|\\.|\[[^\]]*\](?:\([^)]*\))?)*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g;
const definition = /^\s*\[[^\]]+\]:\s+<?(\S+?)>?\s*$/;

const withoutCode = (line) => line.replaceAll(codeSpan, (span) => ' '.repeat(span.length));

/** @returns the target of each link, with the number of its line */
export const linksIn = (text) =>
  withoutFences(text).flatMap((line, index) => {
    const plain = withoutCode(line);
    const targets = [...plain.matchAll(link)].flatMap(([whole, target]) => {
      // A picture that is a link has a link of its own inside the brackets.
      const inner = [...whole.slice(1, whole.lastIndexOf('](')).matchAll(link)].map(([, one]) => one);
      return [...inner, target];
    });
    const defined = definition.exec(plain)?.[1];
    return [...targets, ...(defined === undefined ? [] : [defined])].map((target) => ({
      target,
      line: index + 1,
    }));
  });

/** The anchor that GitHub gives a heading. */
const slugOf = (heading) =>
  heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** Every anchor of a page: those of its headings, the repeated ones numbered, and those of HTML. */
export const anchorsIn = (text) => {
  const lines = withoutFences(text);
  const counts = new Map();
  const anchors = lines.flatMap((line) => {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) return [];
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return [count === 0 ? slug : `${slug}-${count}`];
  });
  const ids = [...lines.join('\n').matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, id]) => id);
  return new Set([...anchors, ...ids]);
};

const isExternal = (target) => /^([a-z][a-z+.-]*:|\/\/)/i.test(target);

const foldersOf = (path) => {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
};

/**
 * The relative links that lead nowhere, one line of text each.
 * @param pages the text of each Markdown page, by its path from the root
 * @param files every path of the tree
 */
export const brokenLinks = (pages, files) => {
  const there = new Set(['.', ...files, ...files.flatMap(foldersOf)]);
  const anchors = new Map();
  const hasAnchor = (path, anchor) => {
    if (!anchors.has(path)) anchors.set(path, anchorsIn(pages[path]));
    return anchors.get(path).has(anchor);
  };
  const problemOf = (page, target) => {
    const [path, anchor] = target.split('#');
    const file =
      path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path)).replace(/\/$/, '');
    if (!there.has(file)) return `there is no ${file}`;
    if (anchor && file in pages && !hasAnchor(file, decodeURIComponent(anchor)))
      return `${file} has no heading #${anchor}`;
    return undefined;
  };
  return Object.entries(pages).flatMap(([page, text]) =>
    linksIn(text)
      .filter(({ target }) => !isExternal(target))
      .flatMap(({ target, line }) => {
        const problem = problemOf(page, target);
        return problem === undefined ? [] : [`${page}:${line}: ${target}: ${problem}`];
      }),
  );
};

const itemStart = /^\s*([-*]|\d+\.)\s/;

/** A page in blocks: list items, table rows and paragraphs. */
const blocksIn = (text) => {
  const blocks = [];
  let open = false;
  for (const line of withoutFences(text)) {
    if (line.trim() === '') {
      open = false;
      continue;
    }
    if (!open || itemStart.test(line) || line.startsWith('|')) blocks.push(line);
    else blocks[blocks.length - 1] += `\n${line}`;
    open = true;
  }
  return blocks;
};

/**
 * The names that stand beside a linked file: code spans that follow the link in the same block, up to the next link.
 * @returns the target of the link, and the name
 */
export const namesBeside = (text) =>
  blocksIn(text).flatMap((block) => {
    const tokens = [...block.matchAll(link), ...block.matchAll(codeSpan)].sort((a, b) => a.index - b.index);
    let target;
    return tokens.flatMap((token) => {
      if (token[0].startsWith('`')) return target === undefined ? [] : [{ target, name: token[2] }];
      target = isExternal(token[1]) ? undefined : token[1];
      return [];
    });
  });

const escaped = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The names beside a linked file that do not occur in it as a whole word. @param readFile by path from the root */
export const missingNames = (page, text, readFile) =>
  namesBeside(text).flatMap(({ target, name }) => {
    const file = posix.join(posix.dirname(page), target.split('#')[0]);
    const occurs = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(readFile(file) ?? '');
    return occurs ? [] : [`${page}: ${file} does not mention ${name}`];
  });
