// Decodes bytes as text: by the byte order mark, by the declared encoding, as UTF-8, and else as Windows-1252.

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const markOf = (bytes: Uint8Array): string | undefined =>
  marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding;

/** True when the bytes begin with a byte order mark. */
export const hasMark = (bytes: Uint8Array): boolean => markOf(bytes) !== undefined;

/** Returns undefined for an encoding without a decoder, and for bytes that are not of the encoding. */
const decodeAs = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1];

/** @param contentType as the server or the uploader declared it */
export const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048));
  const said =
    charsetIn(contentType) ??
    (/<(?:html|head|meta|!doctype)/i.test(beginning) ? charsetIn(beginning) : undefined);
  for (const encoding of [markOf(bytes), said, 'utf-8']) {
    const text = encoding === undefined ? undefined : decodeAs(bytes, encoding);
    if (text !== undefined) return text;
  }
  return new TextDecoder('windows-1252').decode(bytes);
};

/** True for bytes with a zero byte or many control characters. Bytes with a byte order mark are always text. */
export const looksBinary = (bytes: Uint8Array): boolean => {
  if (hasMark(bytes)) return false;
  const beginning = bytes.subarray(0, 8_192);
  let odd = 0;
  for (const byte of beginning) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd += 1;
  }
  return odd > beginning.length / 50;
};
