// Reads HTML as Markdown: the readable part of a page, and the facts of the page that a crawl needs.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

/** The used part of a DOM, because the compiler knows no DOM in a service. */
interface Element extends TurndownService.Node {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  remove(): void;
}
interface Document {
  readonly body: Element;
  readonly documentElement: Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

const documentOf = (html: string): Document => parseHTML(html).document as unknown as Document;

export interface HtmlPage {
  readonly text: string;
  readonly title: string | undefined;
  readonly language: string | undefined;
  /** The links of the page, as absolute addresses. */
  readonly links: readonly string[];
  readonly canonical: string | undefined;
  /** True when the page asks not to be found. */
  readonly isHidden: boolean;
}

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

const cells = (content: string): string => content.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '/');

const markdown = (): TurndownService => {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  // The text is read by people and models, and never rendered.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'template']);
  service.addRule('link', { filter: 'a', replacement: (content) => content });
  service.addRule('image', { filter: 'img', replacement: () => '' });
  service.addRule('emphasis', { filter: ['em', 'i', 'strong', 'b'], replacement: (content) => content });
  service.addRule('cell', { filter: ['td', 'th'], replacement: (content) => ` ${cells(content)} |` });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content) => (content.trim() === '' ? '' : `\n| ${content.trim()}`),
  });
  service.addRule('tablePart', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  return service;
};

const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t ]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Converts HTML that is all content, such as a converted document. */
export const htmlToMarkdown = (html: string): string => {
  checkHtml(html);
  const document = documentOf(`<!doctype html><html><body>${html}</body></html>`);
  return tidy(markdown().turndown(document.body));
};

const linksOf = (document: Document, base: string): string[] => {
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    if (links.size >= limits.linksOfPage) break;
    if (/\bnofollow\b/i.test(anchor.getAttribute('rel') ?? '')) continue;
    const href = anchor.getAttribute('href') ?? '';
    if (URL.canParse(href, base)) links.add(new URL(href, base).href);
  }
  return [...links];
};

const absolute = (href: string | null | undefined, base: string): string | undefined =>
  href && URL.canParse(href, base) ? new URL(href, base).href : undefined;

/** A text of fewer characters is no article: the whole body is taken instead. */
const articleChars = 200;
const clutter = 'script,style,noscript,iframe,nav,header,footer,aside,form,template,svg';

/** Takes the document apart. */
const bodyOf = (document: Document): string => {
  for (const element of document.querySelectorAll(clutter)) element.remove();
  return tidy(markdown().turndown(document.body));
};

/** Takes the document apart. */
const articleOf = (document: Document): string | undefined => {
  const article = new Readability<Element>(document, {
    serializer: (node) => node as unknown as Element,
    charThreshold: articleChars,
    maxElemsToParse: limits.htmlElements,
  }).parse();
  if (!article?.content || (article.length ?? 0) < articleChars) return undefined;
  return tidy(markdown().turndown(article.content));
};

/** Puts the title above the text once, also where the library has lowered its heading or removed it. */
const withTitle = (text: string, title: string | undefined): string => {
  if (title === undefined || title === '') return text;
  const [, found] = /^#{1,6} (.*)(?:\n|$)/.exec(text) ?? [];
  const rest =
    found?.trim().replaceAll(/\s+/g, ' ') === title
      ? text.slice(text.indexOf(found) + found.length).trim()
      : text;
  return /^# /m.test(rest.slice(0, 500)) ? rest : `# ${title}\n\n${rest}`;
};

/** Adds a missing body tag, because the parser does not add one. */
const whole = (html: string): string => {
  if (/<body[\s>]/i.test(html)) return html;
  const head = /<\/head\s*>|<html(?:\s[^>]*)?>/gi;
  const end = [...html.slice(0, 100_000).matchAll(head)].at(-1);
  if (end === undefined) return `<!doctype html><html><body>${html}</body></html>`;
  const at = end.index + end[0].length;
  return `${html.slice(0, at)}<body>${html.slice(at)}`;
};

/** @throws ReadFailure */
export const readHtml = (html: string, url = 'http://localhost/'): HtmlPage => {
  if (html.length > limits.htmlBytes) throw new ReadFailure('TOO_LARGE', 'The page is larger than 10 MiB.');
  checkHtml(html);
  const complete = whole(html);
  const document = documentOf(complete);
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  const robots =
    document.querySelector('meta[name="robots" i]')?.getAttribute('content')?.toLowerCase() ?? '';
  const heading = document.querySelector('h1')?.textContent?.trim().replaceAll(/\s+/g, ' ');
  const title = heading || document.querySelector('title')?.textContent?.trim().replaceAll(/\s+/g, ' ');
  const page = {
    title,
    language: document.documentElement.getAttribute('lang') ?? undefined,
    links: robots.includes('nofollow') ? [] : linksOf(document, base),
    canonical: absolute(document.querySelector('link[rel="canonical"]')?.getAttribute('href'), base),
    isHidden: robots.includes('noindex'),
  };
  // Most pages are articles: only the others are parsed again.
  return { ...page, text: withTitle(articleOf(document) ?? bodyOf(documentOf(complete)), title) };
};
