// Texts whose charset does not matter. Most files that a Western spreadsheet or editor saved in an older charset have only
// letters such as ä, é and ß, which all charsets for the Latin alphabet keep in the same place.

const latin = ['windows-1250', 'windows-1252', 'windows-1254', 'iso-8859-2', 'iso-8859-15'];
const decoders = latin.map((charset) => new TextDecoder(charset));

const isSameLetter = (byte: number): boolean => {
  const [letter = '', ...others] = decoders.map((decoder) => decoder.decode(Uint8Array.of(byte)));
  return /\p{L}/u.test(letter) && others.every((other) => other === letter);
};

const sameLetters: ReadonlySet<number> = new Set(
  Array.from({ length: 128 }, (_, index) => 128 + index).filter(isSameLetter),
);

/** Words of other alphabets are longer runs of bytes beyond ASCII. */
const longestRun = 2;

const isAsciiLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));

/** True when all charsets for the Latin alphabet read the bytes as one text, and no other alphabet is likely. */
export const isUnambiguous = (bytes: Uint8Array): boolean => {
  for (let start = 0; start < bytes.length; start += 1) {
    let end = start;
    while ((bytes[end] ?? 0) >= 0x80) end += 1;
    if (end === start) continue;
    const run = bytes.subarray(start, end);
    const isInWord = isAsciiLetter(bytes[start - 1]) || isAsciiLetter(bytes[end]);
    if (run.length > longestRun || !isInWord || run.some((byte) => !sameLetters.has(byte))) return false;
    start = end;
  }
  return true;
};
