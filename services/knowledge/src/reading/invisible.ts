// Characters that nobody sees. They come with texts that were made for screens and for print, and a word that holds one
// is not found.

/** Soft hyphens, spaces without width, byte order marks, and marks of direction. */
const invisible = /[\u00AD\u180E\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

/** Persian, the scripts of India and emoji mean something by a joiner. Other letters do not. */
const joiners = /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}])[\u200C\u200D]/gu;

export const withoutInvisible = (text: string): string =>
  text.replaceAll(invisible, '').replaceAll(joiners, '').normalize('NFC');
