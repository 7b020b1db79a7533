// The encoding of a text that is not Unicode. Statistics over letters go wrong for a column of names, so an encoding is
// taken only when all others are ruled out or fit clearly worse.
import { type Charset, charsets } from './alphabets.js';
import { decoderOf } from './decoder.js';
import { type DoubleByte, doubleBytes, isSurelyKorean } from './double-bytes.js';
import { fitOf, isPlausible } from './words.js';

/** Texts that nobody can read in any encoding may be so rare; they were odd before. */
const maxUnreadable = 0.02;
/** The least by which one encoding has to fit better than another. */
const minLead = 0.3;
/** The least share of words whose letters alternate; a Polish or Czech text has fewer than others. */
const minEven = 0.65;

const decoded = (encoding: string, bytes: Uint8Array): string | undefined => {
  try {
    return decoderOf(encoding).decode(bytes);
  } catch {
    return undefined;
  }
};

interface Reading {
  readonly encoding: string;
  /** The pieces as texts; undefined for one that the encoding cannot have. */
  readonly texts: readonly (string | undefined)[];
  /** Undefined for an encoding of two bytes a letter, which is never compared by its letters. */
  readonly charset: Charset | undefined;
}

const readPiece = (charset: Charset | DoubleByte, bytes: Uint8Array): string | undefined => {
  if ('isCommon' in charset) return charset.isCommon(bytes) ? decoded(charset.encoding, bytes) : undefined;
  const text = decoded(charset.encoding, bytes);
  return text !== undefined && isPlausible(charset, text) ? text : undefined;
};

const readAs = (charset: Charset | DoubleByte, pieces: readonly Uint8Array[]): Reading => ({
  encoding: charset.encoding,
  charset: 'isCommon' in charset ? undefined : charset,
  texts: pieces.map((bytes) => readPiece(charset, bytes)),
});

/** True for bytes that could be meant as text in this encoding. */
export const readsWell = (encoding: string, bytes: Uint8Array): boolean =>
  [...charsets, ...doubleBytes].some(
    (charset) => charset.encoding === encoding && readPiece(charset, bytes) !== undefined,
  );

/** True when `one` is to be preferred to `other` for the texts that they read differently. */
const isBetter = (one: Reading, other: Reading): boolean => {
  const different = [...one.texts.keys()].filter((index) => one.texts[index] !== other.texts[index]);
  if (different.length === 0) return true;
  if (one.charset === undefined || other.charset === undefined) return false;
  const of = ({ texts }: Reading): string[] => different.flatMap((index) => texts[index] ?? []);
  const [fit, otherFit] = [fitOf(one.charset, of(one)), fitOf(other.charset, of(other))];
  return fit.spelled + fit.even - otherFit.spelled - otherFit.even >= minLead;
};

/** True for a reading that is no accident, even where no other one is left. */
const isCredible = ({ charset, texts }: Reading): boolean => {
  if (charset === undefined) return true;
  const read = texts.flatMap((text) => text ?? []);
  const { even, isEvidence } = fitOf(charset, read);
  return isEvidence && even >= minEven;
};

export type Guess =
  | { readonly kind: 'found'; readonly encoding: string }
  /** `piece` reads well in another encoding, and not in that of nearly all others. */
  | { readonly kind: 'mixed'; readonly piece: number }
  | { readonly kind: 'unknown' };

/** @param pieces of the text, each with bytes beyond ASCII and each different */
export const guessEncoding = (pieces: readonly Uint8Array[]): Guess => {
  if (isSurelyKorean(pieces)) return { kind: 'found', encoding: 'euc-kr' };
  const readings = [...charsets, ...doubleBytes].map((charset) => readAs(charset, pieces));
  const allowed = pieces.length * maxUnreadable;
  const good = readings.filter(({ texts }) => texts.filter((text) => text === undefined).length <= allowed);
  const best = good.find((one) => good.every((other) => one === other || isBetter(one, other)));
  if (best === undefined || !isCredible(best)) return { kind: 'unknown' };
  const piece = best.texts.findIndex(
    (text, index) => text === undefined && readings.some(({ texts }) => texts[index] !== undefined),
  );
  return piece < 0 ? { kind: 'found', encoding: best.encoding } : { kind: 'mixed', piece };
};
