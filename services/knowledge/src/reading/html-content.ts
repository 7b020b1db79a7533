// The content of a page: what is left when its menus, forms and banners are gone.
import { Readability } from '@mozilla/readability';
import type { PagePart } from '../sources/source-record.js';
import { openPanels } from './html-disclosure.js';
import { type Document, documentOf, type Element, lengthOf, removeAll, renamed } from './html-dom.js';
import { markdownOf } from './html-markdown.js';
import { unwrapLayoutTables } from './html-tables.js';
import { limits } from './limits.js';

/** Parts of a page that are read only where its source asks for them. */
const pageParts = ['aside', 'footer'] as const satisfies readonly PagePart[];

const code = 'script, style, noscript, iframe, template, svg';
const clutter =
  'nav, dialog, [role="navigation"], [role="menu"], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
const fields = 'input, select, textarea, datalist, button, option';

/** A shorter text beside the fields of a form is a remark on them, and no content. */
const formChars = 200;

/** Some servers put a whole page into one form. Such a form goes, and its content stays. */
const openForms = (document: Document): void => {
  for (const form of [...document.querySelectorAll('form')]) {
    let length = lengthOf(form);
    for (const field of form.querySelectorAll('label, legend, select, textarea, datalist, button'))
      length -= lengthOf(field);
    if (length < formChars && form.querySelector('main, article, h1') === null) form.remove();
    else renamed(document, form, 'div');
  }
  removeAll(document, fields);
};

const bannerChars = 1_500;

/** Banners that ask for consent. They are known by their names and their buttons. */
const removeBanners = (document: Document): void => {
  const named = document.querySelectorAll(
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i]',
  );
  for (const element of named) {
    const isContent = element.matches('body, main, article') || element.closest('main, article') !== null;
    const asks = element.querySelector('button, [role="button"], input') !== null;
    if (!isContent && asks && lengthOf(element) <= bannerChars) element.remove();
  }
};

/** The headings of a part of a page stand below the title of the page. */
const asSections = (text: string): string => text.replaceAll(/^#{1,6} /gm, '## ');

interface Parts {
  /** In the order of the page. */
  readonly texts: readonly string[];
}

const takeParts = (document: Document, included: readonly PagePart[]): Parts => {
  const texts: string[] = [];
  for (const part of pageParts)
    for (const element of document.querySelectorAll(part)) {
      if (included.includes(part)) texts.push(asSections(markdownOf(element)));
      element.remove();
    }
  return { texts: texts.filter((text) => text !== '') };
};

/** A text of fewer characters is no article. */
const articleChars = 200;
/** A part of the page is its content when it has this share of all text. Otherwise whole sections would be lost. */
const articleShare = 0.75;
/** A page says itself what its main content is. */
const mainShare = 0.5;

/** Takes the document apart. */
const articleOf = (document: Document, length: number): string | undefined => {
  const article = new Readability<Element>(document, {
    serializer: (node) => node as unknown as Element,
    charThreshold: articleChars,
    maxElemsToParse: limits.htmlElements,
  }).parse();
  if (!article?.content || (article.length ?? 0) < Math.max(articleChars, length * articleShare))
    return undefined;
  return markdownOf(article.content);
};

/** Takes the document apart. */
const textOf = (document: Document): string => {
  const length = lengthOf(document.body);
  const main = document.querySelector('main, [role="main"]');
  if (main !== null && lengthOf(main) >= length * mainShare) return markdownOf(main);
  const whole = markdownOf(document.body);
  return articleOf(document, length) ?? whole;
};

const cleaned = (html: string): Document => {
  const document = documentOf(html);
  removeAll(document, code);
  removeBanners(document);
  openPanels(document);
  removeAll(document, clutter);
  for (const header of document.querySelectorAll('header'))
    if (header.closest('main, article, section') === null) header.remove();
  openForms(document);
  unwrapLayoutTables(document);
  return document;
};

/** The content of a page as Markdown. */
export const contentOf = (html: string, included: readonly PagePart[]): string => {
  const document = cleaned(html);
  const { texts } = takeParts(document, included);
  const text = textOf(document);
  if (text.length < articleChars) {
    // The content of some pages lies where other pages have their margins.
    const complete = markdownOf(cleaned(html).body);
    if (complete.length > 2 * (text.length + texts.join().length)) return complete;
  }
  return [text, ...texts].filter((part) => part !== '').join('\n\n');
};
