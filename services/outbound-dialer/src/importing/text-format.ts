// The format of a text file: its encoding, found from its bytes, and the delimiter between its columns.
import { isAscii } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { refuse } from './import-types.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const sampleBytes = 4_096;
/** Bytes that the encoding gives no meaning. */
const unusedIn1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** Text of our half of the world in UTF-16 has a zero in every other byte. */
const zeros = (sample: Uint8Array, parity: 0 | 1): number => {
  let count = 0;
  for (let index = parity; index < sample.length; index += 2) if (sample[index] === 0) count += 1;
  return count / Math.max(1, Math.floor(sample.length / 2));
};

/** The encoding by its mark, or by its zeros; undefined when only reading all of the file can tell. */
const encodingFromStart = (start: Uint8Array): Encoding | undefined => {
  if (startsWith(start, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(start, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(start, 0xfe, 0xff)) return 'utf-16be';
  const sample = start.subarray(0, sampleBytes);
  if (zeros(sample, 1) > 0.4 && zeros(sample, 0) < 0.1) return 'utf-16le';
  if (zeros(sample, 0) > 0.4 && zeros(sample, 1) < 0.1) return 'utf-16be';
  return undefined;
};

/** One encoding for the whole file: a text that is UTF-8 to its end is nothing else. */
const encodingFromAll = async (path: string): Promise<Encoding> => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let is1252 = true;
  for await (const chunk of createReadStream(path)) {
    const bytes: Uint8Array = chunk; // without an encoding a file's stream gives bytes
    if (bytes.includes(0))
      throw refuse('FILE_TYPE_MISMATCH', 'the file is not text: save it as .csv or .xlsx');
    try {
      if (isUtf8) decoder.decode(bytes, { stream: true });
    } catch {
      isUtf8 = false;
    }
    if (is1252 && !isAscii(bytes)) is1252 = !bytes.some((byte) => unusedIn1252.has(byte));
    if (!isUtf8 && !is1252) break;
  }
  try {
    if (isUtf8) decoder.decode();
  } catch {
    isUtf8 = false;
  }
  if (isUtf8) return 'utf-8';
  if (is1252) return 'windows-1252';
  throw refuse('FILE_INVALID', 'the encoding of the text is not known: save it as CSV UTF-8');
};

/** @throws FileRefused for a file that is no text, or a text in an unknown encoding */
export const encodingOf = async (path: string, start: Uint8Array): Promise<Encoding> =>
  encodingFromStart(start) ?? (await encodingFromAll(path));

const delimiters = [',', ';', '\t', '|'] as const;
const excelHint = /^sep=(.)\r?\n/;

export interface Dialect {
  readonly delimiter: string;
  /** Excel's own first line, which no spreadsheet shows. */
  readonly hasHint: boolean;
}

const firstLine = (text: string): string => text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? '';

const unquoted = (cell: string): string => cell.trim().replaceAll('"', '');

/**
 * The dialect from the beginning of the text: the delimiter that makes a header of the first line, else the most
 * frequent.
 * @param isHeader whether cells could be a header
 */
export const dialectOf = (start: string, isHeader: (cells: readonly string[]) => boolean): Dialect => {
  const hint = excelHint.exec(start)?.[1];
  if (hint !== undefined) return { delimiter: hint, hasHint: true };
  const line = firstLine(start);
  const counted = delimiters.map((delimiter) => ({ delimiter, cells: line.split(delimiter).map(unquoted) }));
  counted.sort((a, b) => b.cells.length - a.cells.length);
  const best = counted.find(({ cells }) => cells.length > 1 && isHeader(cells)) ?? counted[0];
  return { delimiter: best?.delimiter ?? ',', hasHint: false };
};
