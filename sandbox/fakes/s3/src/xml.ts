// The little XML that answers need.

type Value = string | number | boolean | undefined | Elements | readonly Elements[];
/** Elements by name; a list repeats its element, undefined leaves it out. */
export interface Elements {
  readonly [name: string]: Value;
}

/** Control characters are written as references, as S3 does it: a key may hold any character. */
const escapeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters have to be escaped
  text.replace(/[&<>"\u0000-\u001f\u007f]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);

/** The elements as text, in their order. */
export const element = (elements: Elements): string =>
  Object.entries(elements)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one: Value) => [name, one] as const),
    )
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const inner = typeof value === 'object' ? element(value as Elements) : escapeText(String(value)); // lists are gone
      return `<${name}>${inner}</${name}>`;
    })
    .join('');

/** A whole document; answers that are no errors have S3's namespace. */
export const xmlDocument = (root: string, inner: string): string => {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${inner}</${root}>`;
};
