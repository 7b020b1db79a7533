// Style sheets: the same ones for all elements of a page, and one for the theme of each.

const known = new Map<string, CSSStyleSheet>();

const sheetOf = (text: string): CSSStyleSheet => {
  const sheet = known.get(text) ?? new CSSStyleSheet();
  if (!known.has(text)) {
    sheet.replaceSync(text);
    known.set(text, sheet);
  }
  return sheet;
};

export const dress = (root: ShadowRoot, texts: readonly string[]): void => {
  root.adoptedStyleSheets = texts.map(sheetOf);
};
