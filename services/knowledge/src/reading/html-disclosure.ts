// Content that a click opens: accordions, tabs, `details` and panels that are hidden at first. The text of a control that
// opens a panel becomes the heading of the panel, so that a question and its answer are one section.
import { type Document, type Element, lengthOf, lineOf, renamed } from './html-dom.js';

const native = /^h[1-6]$/;
const controls =
  'button, summary, [role="button"], [role="tab"], a[data-toggle], a[data-bs-toggle], a[aria-controls]';
const menus =
  'nav, menu, dialog, [role="navigation"], [role="menu"], [role="menubar"], [role="listbox"], [role="search"], [role="dialog"], [role="alertdialog"], [role="alert"], [role="status"], [role="tooltip"], [aria-modal="true"]';

/** A menu is nearly nothing but links. */
const isMenu = (element: Element): boolean => {
  if (element.matches(menus) || element.closest(menus) !== null) return true;
  const length = lengthOf(element);
  let links = 0;
  for (const link of element.querySelectorAll('a')) links += lengthOf(link);
  return links > length * 0.6;
};

const idOfPanel = (control: Element): string | undefined => {
  const target = control.getAttribute('data-bs-target') ?? control.getAttribute('data-target');
  const href = control.localName === 'a' ? control.getAttribute('href') : null;
  const fragment = [target, href].find((value) => value?.startsWith('#'))?.slice(1);
  return control.getAttribute('aria-controls')?.split(/\s+/)[0] || fragment || undefined;
};

const headingOf = (document: Document, level: number, text: string): Element => {
  const heading = document.createElement(`h${Math.min(6, level)}`);
  heading.textContent = text;
  return heading;
};

const depthIn = (element: Element, name: string): number => {
  let depth = 0;
  for (let above = element.parentElement; above !== null && depth < 6; above = above.parentElement)
    if (above.localName === name) depth += 1;
  return depth;
};

/** Text behind a `details` belongs to the heading before it, which is repeated. */
const endDetails = (document: Document, details: Element, heading: Element | undefined): void => {
  const next = details.nextElementSibling;
  if (heading === undefined || next === null || next.localName === 'details') return;
  if (native.test(next.localName) || lengthOf(next) === 0) return;
  next.before(headingOf(document, Number(heading.localName[1]), lineOf(heading)));
};

/** The fewest letters of a hidden text. The name of an icon is one word. */
const fewestLetters = 4;
const isIcon = (text: string): boolean =>
  !/\s/.test(text) || (text.slice(0, 100).match(/[\p{L}\p{N}]/gu) ?? []).length < fewestLetters;

const show = (element: Element): void => {
  for (const name of ['hidden', 'aria-hidden', 'style']) element.removeAttribute(name);
};

class Disclosure {
  readonly #document: Document;
  readonly #elements = new Map<string, Element>();
  readonly #opened = new Set<Element>();
  #heading: Element | undefined;

  constructor(document: Document) {
    this.#document = document;
    for (const element of document.querySelectorAll('[id]')) {
      const id = element.getAttribute('id') ?? '';
      if (!this.#elements.has(id)) this.#elements.set(id, element);
    }
  }

  get #level(): number {
    return Number(this.#heading?.localName[1] ?? 1) + 1;
  }

  run(): void {
    const found = [...this.#document.querySelectorAll(`h1, h2, h3, h4, h5, h6, ${controls}`)];
    for (const element of found) {
      if (native.test(element.localName)) this.#heading = element;
      else if (element.localName === 'summary') this.#openDetails(element);
      else if (element.closest('h1, h2, h3, h4, h5, h6, summary, dt') !== null) this.#openTitle(element);
      else this.#openPanel(element);
    }
    for (const details of this.#document.querySelectorAll('details')) renamed(this.#document, details, 'div');
  }

  #openDetails(summary: Element): void {
    const details = summary.closest('details');
    if (details !== null && depthIn(details, 'details') === 0)
      endDetails(this.#document, details, this.#heading);
    const hasHeading = summary.querySelector('h1, h2, h3, h4, h5, h6') !== null;
    const level = Math.min(6, this.#level + (details === null ? 0 : depthIn(details, 'details')));
    renamed(this.#document, summary, hasHeading || lengthOf(summary) === 0 ? 'div' : `h${level}`);
  }

  /** A control in a heading is the text of the heading. */
  #openTitle(control: Element): void {
    const panel = this.#elements.get(idOfPanel(control) ?? '');
    if (panel !== undefined && !isMenu(panel)) show(panel);
    renamed(this.#document, control, 'span');
  }

  #openPanel(control: Element): void {
    const panel = this.#elements.get(idOfPanel(control) ?? '');
    const label = lineOf(control);
    if (panel === undefined || panel.contains(control) || !/\p{L}{2}/u.test(label)) return;
    if (this.#opened.has(panel) || lengthOf(panel) === 0) return;
    if (control.closest(menus) !== null || isMenu(panel)) return;
    this.#opened.add(panel);
    // An entry of a list of tabs would otherwise stay behind as an empty line.
    control.remove();
    show(panel);
    panel.prepend(headingOf(this.#document, this.#level, label));
  }
}

/** The most characters to compare in search of texts that are said twice. */
const mostCompared = 100_000_000;

const isInvisible = (element: Element): boolean =>
  element.hasAttribute('hidden') ||
  element.getAttribute('aria-hidden') === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '');

/** Shows hidden texts, and takes away hidden menus, icons, and copies of a text that is shown as well. */
const reveal = (document: Document): void => {
  const hidden = [
    ...document.querySelectorAll(
      '[hidden], [aria-hidden="true"], [style*="display" i], [style*="visibility" i]',
    ),
  ].filter(isInvisible);
  if (hidden.length === 0) return;
  const all = lineOf(document.body);
  const compares = all.length * hidden.length <= mostCompared;
  const isCopy = (text: string): boolean => compares && all.indexOf(text) !== all.lastIndexOf(text);
  for (const element of hidden) {
    const text = lineOf(element);
    if (element !== document.body && (isIcon(text) || isMenu(element) || isCopy(text))) element.remove();
    show(element);
  }
};

/** Opens all that a click would open. Takes the document apart. */
export const openPanels = (document: Document): void => {
  new Disclosure(document).run();
  reveal(document);
};
