// A telephone number out of a text as people write it: its digits, with the plus if there is one. No digit of the text
// is ever left out: a number without its extension reaches somebody else.

export type WrittenNumber =
  /** Digits of ASCII, behind a plus where the text has one. */
  | { readonly kind: 'number'; readonly digits: string }
  /** More digits follow the number: an extension, a menu choice, or a second number. */
  | { readonly kind: 'extension' }
  | { readonly kind: 'not_a_number' };

/** Full-width characters of East Asia, and Arabic and Persian digits. */
const toAscii = (text: string): string =>
  text
    .replaceAll('\u3000', ' ')
    .replaceAll(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (char) => String(char.charCodeAt(0) % 16));

// Spaces, dashes of every length, brackets, dots and slashes; and marks that show nothing, such as those of the
// direction of writing that telephones put around a copied number.
const between = String.raw`\s\p{Cf}\p{Pd}\u2212().\[\]/~`;
const punctuation = new RegExp(`[${between}]`, 'gu');
// One class of characters: a longer pattern would try the parts of a long cell again and again.
const numberAhead = new RegExp(String.raw`\+?[${between}\d]*`, 'uy');
/** Not the letters that begin an extension: x5, ext5, and the pauses p5 and w5 of telephones. */
const letterBehind = /^(?!(?:x|ext\D{0,8}|[pw])\d)\p{L}/iu;
const plain = /^\+?\d+$/;

/** The number in a text such as `Tel. +1 (415) 555-0100 (home)`. */
export const readWritten = (text: string): WrittenNumber => {
  if (plain.test(text)) return { kind: 'number', digits: text };
  const ascii = toAscii(text);
  const start = ascii.search(/[\d+]/);
  if (start < 0) return { kind: 'not_a_number' };
  numberAhead.lastIndex = start;
  const number = numberAhead.exec(ascii)?.[0] ?? '';
  const [before, after] = [ascii.slice(0, start), ascii.slice(start + number.length)];
  if (!/\d/.test(number)) return { kind: 'not_a_number' };
  // A letter that touches the digits may be one of them, as in 555O100.
  const isTouched =
    (/\d$/.test(number) && letterBehind.test(after)) || (/\p{L}$/u.test(before) && !number.startsWith('+'));
  if (isTouched) return { kind: 'not_a_number' };
  if (/\d/.test(after)) return { kind: 'extension' };
  return { kind: 'number', digits: number.replaceAll(punctuation, '') };
};
