// Elements of HTML as Markdown.
import TurndownService from 'turndown';
import { checkHtml } from './html-check.js';
import { documentOf, type Element } from './html-dom.js';
import { markdownOfTable, unwrapLayoutTables } from './html-tables.js';

const oneLine = (content: string): string => content.trim().replaceAll(/\s+/g, ' ');

const levels = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

const converter = (): TurndownService => {
  const service = new TurndownService({ codeBlockStyle: 'fenced', bulletListMarker: '-' });
  const cells = new WeakMap<object, string>();
  // The text is read by people and models, and never rendered.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'template']);
  for (const [index, filter] of levels.entries())
    service.addRule(filter, {
      filter,
      replacement: (content) =>
        content.trim() === '' ? '' : `\n\n${'#'.repeat(index + 1)} ${oneLine(content)}\n\n`,
    });
  service.addRule('link', { filter: 'a', replacement: (content) => content });
  service.addRule('image', { filter: 'img', replacement: () => '' });
  service.addRule('emphasis', { filter: ['em', 'i', 'strong', 'b'], replacement: (content) => content });
  // A term and its explanation are one paragraph.
  service.addRule('term', { filter: 'dt', replacement: (content) => `\n\n${content.trim()}\n` });
  service.addRule('explanation', { filter: 'dd', replacement: (content) => `\n${content.trim()}\n` });
  service.addRule('cell', {
    filter: ['td', 'th', 'caption'],
    replacement: (content, cell) => {
      cells.set(cell, oneLine(content).replaceAll('|', '/'));
      return `${oneLine(content)} `;
    },
  });
  service.addRule('tablePart', {
    filter: ['tr', 'thead', 'tbody', 'tfoot'],
    replacement: (content) => content,
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, table) =>
      `\n\n${markdownOfTable(table as Element, (cell) => cells.get(cell) ?? '') || content.trim()}\n\n`,
  });
  return service;
};

const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t\u00A0]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

export const markdownOf = (element: Element): string => tidy(converter().turndown(element));

/** Converts HTML that is all content, such as a converted document. */
export const htmlToMarkdown = (html: string): string => {
  checkHtml(html);
  const document = documentOf(`<!doctype html><html><body>${html}</body></html>`);
  unwrapLayoutTables(document);
  return markdownOf(document.body);
};
