// Amounts of money as people write them, and as the platform counts them: whole micros, without floating point.

const microsPerUnit = 1_000_000n;
const decimals = 6;
/** A thousand million units: more than any real amount, and far below the largest exact number. */
const largest = 1_000_000_000n * microsPerUnit;

/** Micros of an amount such as `0.0125`; undefined for anything but digits with up to six decimals. */
export const microsOf = (text: string): number | undefined => {
  const [, units, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (units === undefined) return undefined;
  const micros = BigInt(units) * microsPerUnit + BigInt(fraction.padEnd(decimals, '0'));
  return micros > largest ? undefined : Number(micros);
};

/** An amount as a person reads it, with two decimals or as many as it needs. */
export const amountOf = (micros: number): string => {
  const whole = BigInt(micros);
  const fraction = String(whole % microsPerUnit).padStart(decimals, '0');
  return `${whole / microsPerUnit}.${fraction.replace(/0{1,4}$/, '')}`;
};
