// Words and numbers that no other text has by chance, and the search for every form in which they may be kept.
import { randomBytes, randomInt } from 'node:crypto';
import { inBase64 } from './planted-values.js';
import type { Contents } from './stores.js';

const letters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** In lower case and ASCII. */
export const plainWord = (): string => letters(14);

/** With a letter beyond ASCII, which JSON may write as an escape. */
export const word = (): string => {
  const text = letters(12);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}é`;
};

/** A number at which a simulated person answers. */
export const answeringNumber = (): string =>
  `+1${[602, 480, 623, 928][randomInt(4)]}${200 + randomInt(700)}${String(randomInt(100)).padStart(2, '0')}00`;

const escaped = (text: string): string =>
  [...text]
    .map((letter) =>
      letter.charCodeAt(0) > 126 ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    )
    .join('');

const isNumber = (mark: string): boolean => mark.startsWith('+');

/** Lower case and without accents as well, as an index of words keeps them. */
const forms = (mark: string): readonly string[] => {
  const plain = isNumber(mark)
    ? [mark.slice(1)]
    : [mark, mark.toLowerCase(), mark.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()];
  return [
    ...new Set(
      plain.flatMap((text) => [
        text,
        escaped(text),
        escaped(text).toUpperCase(),
        encodeURIComponent(text),
        Buffer.from(text).toString('hex'),
        ...inBase64(text),
        ...inBase64(text).map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')),
      ]),
    ),
  ];
};

export type Marks = Readonly<Record<string, string>>;

/** `place: mark` for each mark that a place has in any form. */
export const remains = (contents: Contents, marks: Marks): readonly string[] => {
  const wanted = Object.entries(marks).map(([name, mark]) => ({ name, forms: forms(mark) }));
  return [...contents].flatMap(([place, text]) =>
    wanted
      .filter((mark) => mark.forms.some((form) => text.includes(form)))
      .map(({ name }) => `${place}: ${name}`),
  );
};
