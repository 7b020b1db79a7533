// The language of the element. English is part of the loader; another one is a small file of its own.
import { english, type Texts } from './english.js';

/** Languages with a file of their own. */
export const translated = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ar', 'he', 'ja'] as const;
export type Translated = (typeof translated)[number];
export type Language = Translated | 'en';

const rightToLeft: readonly string[] = ['ar', 'he'];

const isTranslated = (code: string): code is Translated => translated.some((known) => known === code);

/** The first of these BCP 47 tags in a language that the element has; English if none is. */
export const languageOf = (tags: readonly (string | null | undefined)[]): Language => {
  for (const tag of tags) {
    const code = tag?.trim().toLowerCase().split(/[-_]/)[0];
    if (code === 'en') return code;
    if (code !== undefined && isTranslated(code)) return code;
  }
  return 'en';
};

export const directionOf = (code: Language): 'ltr' | 'rtl' => (rightToLeft.includes(code) ? 'rtl' : 'ltr');

/**
 * The words of the language, with those that the organization chose. A chosen word that is the English default was not
 * chosen, so the language has its own.
 */
export const wordsOf = (own: Texts, chosen: Partial<Readonly<Record<keyof Texts, string>>>): Texts => {
  const isChosen = ([key, value]: [string, string]): boolean =>
    key in english && value !== '' && value !== english[key as keyof Texts]; // a key, as the line says
  return { ...own, ...Object.fromEntries(Object.entries(chosen).filter(isChosen)) };
};
