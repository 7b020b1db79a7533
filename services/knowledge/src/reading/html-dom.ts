// The used part of a DOM, because the compiler knows no DOM in a service.
import { parseHTML } from 'linkedom';
import type TurndownService from 'turndown';

export interface Element extends TurndownService.Node {
  readonly localName: string;
  textContent: string | null;
  readonly parentElement: Element | null;
  readonly nextElementSibling: Element | null;
  readonly firstChild: TurndownService.Node | null;
  readonly children: ArrayLike<Element>;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  matches(selector: string): boolean;
  closest(selector: string): Element | null;
  contains(other: Element): boolean;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  append(...nodes: TurndownService.Node[]): void;
  prepend(...nodes: TurndownService.Node[]): void;
  before(...nodes: TurndownService.Node[]): void;
  replaceWith(...nodes: TurndownService.Node[]): void;
  remove(): void;
}

export interface Document {
  readonly body: Element;
  readonly documentElement: Element;
  createElement(name: string): Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

export const documentOf = (html: string): Document => parseHTML(html).document as unknown as Document;

/** The text of an element on one line. */
export const lineOf = (element: Element): string =>
  (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');

/** The number of characters that a reader would see; white space counts little. */
export const lengthOf = (element: Element): number => lineOf(element).length;

/** Puts another element around the children, and returns it. */
export const renamed = (document: Document, element: Element, name: string): Element => {
  const other = document.createElement(name);
  for (let child = element.firstChild; child !== null; child = element.firstChild) other.append(child);
  element.replaceWith(other);
  return other;
};

/** Takes all matching elements out of the document. */
export const removeAll = (document: Document, selector: string): void => {
  for (const element of document.querySelectorAll(selector)) element.remove();
};
