// Amounts of money as people type them, and the whole millionths that travel.

const micros = 6;

/** `12.5` as 12,500,000; undefined for a text that is no amount of at most six decimals. */
export const microsOf = (typed: string): number | undefined => {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return undefined;
  return Number(`${whole}${decimals.padEnd(micros, '0')}`);
};

/** 12,500,000 as `12.50`; more decimals only where they are needed. */
export const amountOf = (value: number): string => {
  const digits = String(Math.abs(value)).padStart(micros + 1, '0');
  const decimals = digits.slice(-micros).replace(/0{1,4}$/, '');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -micros)}.${decimals}`;
};
