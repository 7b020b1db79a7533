// Reads HTML as Markdown: the readable part of a page, and the facts of the page that a crawl needs.
import type { PagePart } from '../sources/source-record.js';
import { checkHtml } from './html-check.js';
import { contentOf } from './html-content.js';
import { type Document, documentOf, lineOf } from './html-dom.js';
import { faqOf, missingFaq } from './html-faq.js';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

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

const linksOf = (document: Document, base: string): string[] => {
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    if (links.size >= limits.linksOfPage) break;
    if (/\bnofollow\b/i.test(anchor.getAttribute('rel') ?? '')) continue;
    const link = URL.parse(anchor.getAttribute('href') ?? '', base);
    if (link !== null) links.add(link.href);
  }
  return [...links];
};

const absolute = (href: string | null | undefined, base: string): string | undefined =>
  href ? URL.parse(href, base)?.href : undefined;

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

interface HtmlOptions {
  readonly url?: string | undefined;
  /** Parts of the page that are read beside its content. */
  readonly include?: readonly PagePart[] | undefined;
}

/** @throws ReadFailure */
export const readHtml = (
  html: string,
  { url = 'http://localhost/', include = [] }: HtmlOptions = {},
): HtmlPage => {
  if (html.length > limits.htmlBytes) throw new ReadFailure('TOO_LARGE', 'The page is larger than 10 MiB.');
  checkHtml(html);
  const complete = whole(html);
  const document = documentOf(complete);
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  const robots =
    document.querySelector('meta[name="robots" i]')?.getAttribute('content')?.toLowerCase() ?? '';
  const heading = document.querySelector('h1');
  const name = document.querySelector('title');
  const title = (heading && lineOf(heading)) || (name ? lineOf(name) : undefined);
  const text = withTitle(contentOf(complete, include), title);
  return {
    title,
    language: document.documentElement.getAttribute('lang') ?? undefined,
    links: robots.includes('nofollow') ? [] : linksOf(document, base),
    canonical: absolute(document.querySelector('link[rel="canonical"]')?.getAttribute('href'), base),
    isHidden: robots.includes('noindex'),
    text: [text, missingFaq(faqOf(document), text)].filter((part) => part !== '').join('\n\n'),
  };
};
