import type { LosslessNumber } from './lossless-number.js';

type AnyNumber = number | LosslessNumber;

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The value as digits without zeros around them, times a power of ten: equal for 1.0, 1 and 10E-1. */
const decimalOf = (number: AnyNumber): { readonly digits: string; readonly exponent: number } => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numeral.exec(String(number)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return { digits: '0', exponent: 0 };
  const zeros = digits.length - significant.length;
  return { digits: sign + significant, exponent: Number(exponent) - fraction.length + zeros };
};

export const isWholeNumber = (number: AnyNumber): boolean => decimalOf(number).exponent >= 0;

/** True for numbers of one value, in whatever form they are written. */
export const isSameNumber = (a: AnyNumber, b: AnyNumber): boolean => {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  return one.digits === other.digits && one.exponent === other.exponent;
};
