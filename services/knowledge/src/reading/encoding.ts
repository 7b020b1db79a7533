// Bytes of a document: text in an encoding that can be told, or binary.
import { decodeText as decode, hasMark, UnknownCharset } from '@parlance/charsets';
import { ReadFailure } from './read-failure.js';

/**
 * @param contentType as the server or the uploader declared it
 * @throws ReadFailure for a text whose encoding cannot be told
 */
export const decodeText = (bytes: Uint8Array, contentType?: string): string => {
  try {
    return decode(bytes, { contentType });
  } catch (error) {
    if (error instanceof UnknownCharset) throw new ReadFailure('PARSE_FAILED', error.message);
    throw error;
  }
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
