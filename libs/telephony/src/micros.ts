// Makes whole millionths of money as providers write it, in decimals. No step of it is a fraction.

const decimals = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/**
 * "1.15" is 1150000; fractions of a millionth are rounded up.
 * @throws RangeError for anything that is not a decimal number of at least 0
 */
export const microsOf = (amount: string): number => {
  const [, whole, fraction = ''] = decimals.exec(amount.trim()) ?? [];
  if (whole === undefined) throw new RangeError('this is not an amount of money');
  const micros = Number(whole) * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  return /[1-9]/.test(fraction.slice(6)) ? micros + 1 : micros;
};
