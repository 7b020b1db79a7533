// The text that a spreadsheet shows for a number. The number format of the cell decides; without one the number has up to
// fifteen significant digits, which is as many as Excel keeps.
import { format, getFormatFromId, isDateFormat } from 'numfmt';

/** Longer codes do not come from Excel. */
const maxCodeLength = 255;
const significant = 15;
const dayMs = 86_400_000;
const from1900 = Date.UTC(1899, 11, 30);
/** Between serial numbers that count from 1900 and from 1904. */
const days1904 = 1_462;
/** Dates in the order of the reader's own country, which the file does not name; in the text they are ISO 8601. */
const isLocalDate = (id: number): boolean =>
  id === 14 || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
const systemDate = /^\[\$-(?:x-sysdate|F800)\]/i;

export type NumberText = (value: number, from1904: boolean) => string;

/** Without an exponent where a person would write none. */
export const generalText: NumberText = (value) => {
  const rounded = Number(value.toPrecision(significant));
  // Also for -0.
  if (rounded === 0) return '0';
  const size = Math.abs(rounded);
  if (size >= 1e21 || size < 1e-15) return String(rounded).replace('e', 'E');
  const decimals = significant - 1 - Math.floor(Math.log10(size));
  return size >= 1e-6 ? String(rounded) : rounded.toFixed(decimals).replace(/0+$/, '');
};

/** 45678.5 is 2025-01-21 12:00. */
const isoText: NumberText = (value, is1904) => {
  const serial = is1904 ? value + days1904 : value;
  const at = new Date(from1900 + Math.round((serial * dayMs) / 1000) * 1000);
  if (Number.isNaN(at.getTime())) return generalText(value, is1904);
  const [day = '', time = ''] = at.toISOString().split('T');
  const clock = time.slice(0, time.slice(6, 8) === '00' ? 5 : 8);
  if (value < 1) return clock;
  return Number.isInteger(value) ? day : `${day} ${clock}`;
};

const maxSerial = 2_958_466;

/** @param code a number format, such as `#,##0.00` */
const formattedText = (code: string): NumberText => {
  const isDate = isDateFormat(code);
  return (value, is1904) => {
    const serial = isDate && is1904 ? value + days1904 : value;
    // Excel fills such a cell with #, because there are no such dates.
    if (isDate && !(serial >= 0 && serial < maxSerial)) return generalText(value, is1904);
    try {
      return format(code, serial === 0 ? 0 : serial)
        .replaceAll(/\s+/g, ' ')
        .trim();
    } catch {
      return generalText(value, is1904);
    }
  };
};

const isGeneral = /^(?:general|@|)$/i;
/** A symbol such as €, or a code such as [$CHF-100C]. */
const isMoney = /\p{Sc}(?!-)|\[\$[^\]-]/u;

/**
 * @param id of a number format
 * @param declared the code of a format that the file declares itself
 */
export const numberText = (id: number, declared: string | undefined): NumberText => {
  if (declared === undefined ? isLocalDate(id) : systemDate.test(declared)) return isoText;
  const code = declared ?? getFormatFromId(id) ?? '';
  // The currency is left out: the text that says an amount names it, and a tool wants the number.
  const isPlain = code.length > maxCodeLength || isGeneral.test(code) || isMoney.test(code);
  return isPlain ? generalText : formattedText(code);
};

const phoneLike = /^[+\d\s().-]+$/;

/** All digits of a whole number that could be a phone number, where its text does not end with them. */
export const hiddenDigits = (value: number, text: string): string | undefined => {
  if (!Number.isSafeInteger(value) || value < 0) return undefined;
  const digits = String(value);
  return phoneLike.test(text) && text.replaceAll(/\D/g, '').endsWith(digits) ? undefined : digits;
};
