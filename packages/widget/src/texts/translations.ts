// The other languages, for pages that bundle the package: each becomes a piece of its own in their bundle.
import type { Texts } from './english.js';
import type { Translated } from './languages.js';

type Load = () => Promise<{ readonly texts: Texts }>;

const files: Readonly<Record<Translated, Load>> = {
  de: () => import('./de.js'),
  fr: () => import('./fr.js'),
  es: () => import('./es.js'),
  it: () => import('./it.js'),
  pt: () => import('./pt.js'),
  nl: () => import('./nl.js'),
  pl: () => import('./pl.js'),
  tr: () => import('./tr.js'),
  ar: () => import('./ar.js'),
  he: () => import('./he.js'),
  ja: () => import('./ja.js'),
};

export const loadTexts = async (language: Translated): Promise<Texts> => (await files[language]()).texts;
