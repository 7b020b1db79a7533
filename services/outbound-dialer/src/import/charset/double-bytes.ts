// Chinese, Japanese and Korean in two bytes a character. Their encodings share most of their bytes, so a text counts for one
// of them only when it has that encoding's common characters alone.

export interface DoubleByte {
  /** As TextDecoder knows it. */
  readonly encoding: string;
  /** True for a piece of text without a rare character. */
  readonly isCommon: (bytes: Uint8Array) => boolean;
}

type IsCommon = (lead: number, trail: number) => boolean;

const within = (value: number, from: number, to: number): boolean => value >= from && value <= to;
const isLowerCase = (byte: number | undefined): boolean => byte !== undefined && within(byte, 0x61, 0x7a);

/** A lead byte takes the byte after it. A small Latin letter right beside it speaks for a word of another encoding. */
const common =
  (isPair: IsCommon) =>
  (bytes: Uint8Array): boolean => {
    let before: number | undefined;
    for (let index = 0; index < bytes.length; index += 1) {
      const lead = bytes[index] ?? 0;
      if (lead < 0x80) {
        before = lead;
        continue;
      }
      const trail = bytes[index + 1];
      if (trail === undefined || !isPair(lead, trail)) return false;
      if (isLowerCase(before) || isLowerCase(bytes[index + 2])) return false;
      before = undefined;
      index += 1;
    }
    return true;
  };

/** Both bytes high: rows of 94 characters. */
const isHighTrail = (trail: number): boolean => within(trail, 0xa1, 0xfe);

export const doubleBytes: readonly DoubleByte[] = [
  {
    // Hiragana, katakana, and the first level of kanji; not the katakana of one byte, which other encodings are full of.
    encoding: 'shift_jis',
    isCommon: common(
      (lead, trail) => (within(lead, 0x81, 0x83) || within(lead, 0x88, 0x98)) && within(trail, 0x40, 0xfc),
    ),
  },
  {
    // The first level of GB 2312, in the order of pinyin.
    encoding: 'gb18030',
    isCommon: common(
      (lead, trail) => (within(lead, 0xb0, 0xd7) || lead === 0xa1 || lead === 0xa3) && isHighTrail(trail),
    ),
  },
  {
    // The first level, in the order of strokes.
    encoding: 'big5',
    isCommon: common(
      (lead, trail) => within(lead, 0xa1, 0xc6) && (within(trail, 0x40, 0x7e) || isHighTrail(trail)),
    ),
  },
  {
    // Hangul.
    encoding: 'euc-kr',
    isCommon: common(
      (lead, trail) => (within(lead, 0xb0, 0xc8) || lead === 0xa1 || lead === 0xa3) && isHighTrail(trail),
    ),
  },
  {
    // Hiragana, katakana, and the first level of kanji.
    encoding: 'euc-jp',
    isCommon: common(
      (lead, trail) => (within(lead, 0xb0, 0xcf) || within(lead, 0xa1, 0xa5)) && isHighTrail(trail),
    ),
  },
];

const enoughHangul = 12;

/**
 * Korean is written with the first half of the characters that Chinese and Japanese have in the same bytes. So many
 * different ones, and none of the other half, are no accident.
 */
export const isSurelyKorean = (pieces: readonly Uint8Array[]): boolean => {
  const pairs = new Set<number>();
  for (const bytes of pieces)
    for (let index = 0; index < bytes.length; index += 1) {
      const lead = bytes[index] ?? 0;
      if (lead < 0x80) continue;
      const trail = bytes[index + 1] ?? 0;
      if (!within(lead, 0xb0, 0xc8) || !isHighTrail(trail)) return false;
      pairs.add(lead * 256 + trail);
      index += 1;
    }
  return pairs.size >= enoughHangul;
};
