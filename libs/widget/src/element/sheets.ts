// Style sheets that all elements of a page share, and one for the theme of each.
import { css } from '../view/styles.js';

const sheetOf = (text: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};

let shared: CSSStyleSheet | undefined;

export const dress = (root: ShadowRoot, theme: string): void => {
  shared ??= sheetOf(css);
  root.adoptedStyleSheets = [shared, sheetOf(theme)];
};
