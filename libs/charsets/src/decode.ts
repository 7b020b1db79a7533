// Decodes bytes as text: by the byte order mark, by the declared charset, as UTF-8, and else only where every charset that
// could be meant gives the same text.
import { isUnambiguous } from './unambiguous.js';

/** The charset of a text is unknown. The message is public, and says how to save the text again. */
export class UnknownCharset extends Error {
  override readonly name = 'UnknownCharset';

  constructor(declared: string | undefined) {
    const found =
      declared === undefined
        ? 'The text is not UTF-8, and nothing says which encoding it has.'
        : `The text is not UTF-8, and it cannot be read in the encoding that it declares, "${declared}".`;
    super(`${found} Save it as UTF-8.`);
  }
}

export interface TextSource {
  /** As the server or the uploader declared it. */
  readonly contentType?: string | undefined;
  /** The end is missing, so the last character may be incomplete. */
  readonly isCut?: boolean;
}

const marks = [
  { charset: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16le', bytes: [0xff, 0xfe] },
  { charset: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const markOf = (bytes: Uint8Array): string | undefined =>
  marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.charset;

/** True when the bytes begin with a byte order mark. */
export const hasMark = (bytes: Uint8Array): boolean => markOf(bytes) !== undefined;

/** Undefined for a charset without a decoder, and for bytes that are not of the charset. Skips a byte order mark. */
const decodeAs = (bytes: Uint8Array, charset: string, isCut: boolean): string | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // Node decodes windows-1252 as Latin-1, without € and quotation marks, unless it decodes a stream
    // (https://github.com/nodejs/node/issues/56542).
    return decoder.decode(bytes, { stream: isCut || decoder.encoding === 'windows-1252' });
  } catch {
    return undefined;
  }
};

const charsetIn = (text: string): string | undefined =>
  /\b(?:charset|encoding)\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1];

/** The first bytes, where HTML and XML declare their charset. */
const headBytes = 2_048;

/** The charset in a `meta` element or in the declaration of XML. Other texts may quote such an element. */
const charsetInMarkup = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes)).trimStart();
  if (!head.startsWith('<')) return undefined;
  const declaration = /^<\?xml[^>]*>/i.exec(head)?.[0];
  const metas = head.match(/<meta\b[^>]*>/gi) ?? [];
  return [declaration, ...metas].map((tag) => charsetIn(tag ?? '')).find((charset) => charset !== undefined);
};

/** JSON, XML and plain texts begin with an ASCII character, which has one zero byte in UTF-16. */
const utf16Of = ([first, second]: Uint8Array): string | undefined => {
  if (first === 0 && second !== 0) return 'utf-16be';
  return first !== 0 && second === 0 ? 'utf-16le' : undefined;
};

/** @throws UnknownCharset */
export const decodeText = (
  bytes: Uint8Array,
  { contentType = '', isCut = false }: TextSource = {},
): string => {
  const declared = charsetIn(contentType) ?? charsetInMarkup(bytes);
  for (const charset of [markOf(bytes), declared, utf16Of(bytes), 'utf-8']) {
    const text = charset === undefined ? undefined : decodeAs(bytes, charset, isCut);
    if (text !== undefined) return text;
  }
  if (!isUnambiguous(bytes)) throw new UnknownCharset(declared);
  return new TextDecoder('windows-1250').decode(bytes);
};

/** The text for people, where a part that cannot be read is better than nothing. */
export const decodeLoosely = (bytes: Uint8Array, source: TextSource = {}): string => {
  try {
    return decodeText(bytes, source);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
