// In place of the package react-style-singleton, which writes <style> elements: the policy of the page stops those. A constructed
// style sheet is no element, and the policy lets scripts of ours make one.
import { useInsertionEffect } from 'react';

const counts = new Map<string, { sheet: CSSStyleSheet; users: number }>();

const add = (styles: string): (() => void) => {
  const known = counts.get(styles) ?? { sheet: new CSSStyleSheet(), users: 0 };
  if (known.users === 0) {
    known.sheet.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, known.sheet];
  }
  known.users += 1;
  counts.set(styles, known);
  return () => {
    known.users -= 1;
    if (known.users > 0) return;
    counts.delete(styles);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== known.sheet);
  };
};

/** A component whose style sheet holds while it is mounted. */
export const styleSingleton = () => {
  const Sheet = ({ styles }: { readonly styles: string; readonly dynamic?: boolean }): null => {
    useInsertionEffect(() => add(styles), [styles]);
    return null;
  };
  return Sheet;
};
