// The encoding of a text file: by its byte order mark, by its zeros, by being UTF-8 to its end, or by what its words can be.
// A text that could be read in two ways is refused, because names read wrongly would be said on the telephone.
import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileRefused, refuse } from '../sheet/file-refusal.js';
import { guessEncoding, readsWell } from './guess.js';

const sampleBytes = 4_096;
/** Longer lines are judged in pieces. */
const maxLineBytes = 64 * 1024;
const maxPieces = 3_000;
const maxPieceBytes = 256;
/** In a file of an older encoding, some lines are UTF-8 by accident. */
const accidental = 0.1;
/** Japanese in seven bits, which mail programs write, is announced by an escape sequence. */
const sevenBitJapanese = ['\u001b$@', '\u001b$B'];
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const saveAgain = 'save it again as CSV UTF-8';
const unknown = (): FileRefused =>
  refuse(
    'FILE_INVALID',
    `the encoding of the text is not known, or could be one of several: ${saveAgain}, which Excel offers under Save As`,
  );
const notText = (): FileRefused =>
  refuse('FILE_TYPE_MISMATCH', 'the file is not text: save it as .csv or .xlsx');
/** @param line the first that is not in the encoding of the others */
export const mixedEncodings = (line: number): FileRefused =>
  refuse('FILE_INVALID', `line ${line} is in another encoding than the rest of the text: ${saveAgain}`);

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** The share of zeros at even or odd offsets. */
const zeros = (sample: Uint8Array, parity: 0 | 1): number => {
  let count = 0;
  for (let index = parity; index < sample.length; index += 2) if (sample[index] === 0) count += 1;
  return count / Math.max(1, Math.floor(sample.length / 2));
};

/** The encoding by its mark, or by the zeros of digits and delimiters in UTF-16; undefined when neither tells. */
const encodingFromStart = (start: Uint8Array): string | undefined => {
  if (startsWith(start, 0xff, 0xfe, 0, 0) || startsWith(start, 0, 0, 0xfe, 0xff)) throw unknown();
  if (startsWith(start, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(start, 0xfe, 0xff)) return 'utf-16be';
  const sample = start.subarray(0, sampleBytes);
  const [even, odd] = [zeros(sample, 0), zeros(sample, 1)];
  if (odd > 0.15 && even < 0.02) return 'utf-16le';
  if (even > 0.15 && odd < 0.02) return 'utf-16be';
  return undefined;
};

/** @throws FileRefused for a file with zeros, which is no text of single bytes */
const isUtf8ToItsEnd = async (path: string): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isGood = true;
  for await (const chunk of createReadStream(path)) {
    const bytes: Uint8Array = chunk; // without an encoding a file's stream gives bytes
    if (bytes.includes(0)) throw notText();
    try {
      if (isGood) decoder.decode(bytes, { stream: true });
    } catch {
      isGood = false;
    }
  }
  try {
    if (isGood) decoder.decode();
  } catch {
    return false;
  }
  return isGood;
};

/** Between the pieces of a line. No encoding of two bytes has such a byte within a character. */
const isSeparator = (byte: number): boolean => byte < 0x30 || (byte > 0x39 && byte < 0x40);

interface Piece {
  readonly bytes: Uint8Array;
  readonly line: number;
}

/** Different pieces with bytes beyond ASCII. */
class Pieces {
  readonly #known = new Map<string, Piece>();

  get all(): readonly Piece[] {
    return [...this.#known.values()];
  }

  take(text: Buffer, line: number): void {
    let from = 0;
    for (let index = 0; index <= text.length && this.#known.size < maxPieces; index += 1) {
      if (index < text.length && !isSeparator(text[index] ?? 0)) continue;
      const bytes = text.subarray(from, index);
      from = index + 1;
      if (bytes.length === 0 || bytes.length > maxPieceBytes || isAscii(bytes)) continue;
      const key = bytes.toString('latin1');
      if (!this.#known.has(key)) this.#known.set(key, { bytes: Uint8Array.from(bytes), line });
    }
  }
}

/** Gathers what the lines of a text that is not UTF-8 tell of its encoding. */
class LineSurvey {
  readonly #utf8 = new Pieces();
  readonly #others = new Pieces();
  #line = 0;
  #utf8Lines = 0;
  #otherLines = 0;
  #firstUtf8 = 0;
  #firstOther = 0;

  take(line: Buffer): void {
    this.#line += 1;
    if (isAscii(line)) return;
    if (isUtf8(line)) {
      this.#utf8Lines += 1;
      this.#firstUtf8 ||= this.#line;
      this.#utf8.take(line, this.#line);
    } else {
      this.#otherLines += 1;
      this.#firstOther ||= this.#line;
      this.#others.take(line, this.#line);
    }
  }

  /** @param mark whether a byte order mark says UTF-8 */
  encoding(mark: boolean): string {
    if (mark) throw mixedEncodings(this.#firstOther);
    if (this.#utf8Lines > (this.#utf8Lines + this.#otherLines) * accidental)
      throw mixedEncodings(Math.max(this.#firstUtf8, this.#firstOther));
    const pieces = this.#others.all;
    const guess = guessEncoding(pieces.map(({ bytes }) => bytes));
    if (guess.kind === 'mixed') throw mixedEncodings(pieces[guess.piece]?.line ?? this.#firstOther);
    if (guess.kind === 'unknown') throw unknown();
    const odd = this.#utf8.all.find(({ bytes }) => !readsWell(guess.encoding, bytes));
    if (odd !== undefined) throw mixedEncodings(odd.line);
    return guess.encoding;
  }
}

/** The lines of a file, without their ends. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  /** A carriage return alone ends a line in a text without line feeds. */
  let end: number | undefined;
  for await (const chunk of createReadStream(path)) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    end ??= bytes.includes(lineFeed) ? lineFeed : bytes.includes(carriageReturn) ? carriageReturn : undefined;
    let from = 0;
    for (let at = bytes.indexOf(end ?? lineFeed); at >= 0; at = bytes.indexOf(end ?? lineFeed, from)) {
      yield bytes.subarray(from, at);
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length <= maxLineBytes) continue;
    yield rest;
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield rest;
}

/**
 * The name of the encoding, as TextDecoder knows it.
 * @param start the first bytes of the file
 * @throws FileRefused for a file that is no text, or a text in several encodings, or in one that cannot be told
 */
export const encodingOf = async (path: string, start: Uint8Array): Promise<string> => {
  const fromStart = encodingFromStart(start);
  if (fromStart !== undefined) return fromStart;
  if (await isUtf8ToItsEnd(path))
    return sevenBitJapanese.some((sequence) => Buffer.from(start).includes(sequence))
      ? 'iso-2022-jp'
      : 'utf-8';
  const survey = new LineSurvey();
  for await (const line of linesOf(path)) survey.take(line);
  return survey.encoding(startsWith(start, 0xef, 0xbb, 0xbf));
};
