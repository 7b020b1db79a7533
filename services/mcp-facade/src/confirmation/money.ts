// Money as sentences say it.

/** Millionths of a unit, such as 1500000 of USD, as "1.50 USD". */
export const money = (micros: number, currency: string): string =>
  `${(micros / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;

/** The longest piece of a name that a sentence repeats. */
const shownLength = 80;

/** A name that a person chose, in quotes: it cannot pass for a part of the sentence. */
export const quoted = (name: string): string =>
  JSON.stringify(name.length > shownLength ? `${name.slice(0, shownLength)}…` : name);

/** "1 call", "3 calls". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
