// Languages as BCP 47 writes them.

/** `de` of `de-AT`. */
export const primaryLanguage = (tag: string): string => tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';

/** The English name of a language, such as "German (Austria)"; the tag itself where it is none. */
export const languageName = (tag: string): string => {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
};
