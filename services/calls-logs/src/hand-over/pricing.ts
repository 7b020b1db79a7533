// The price of a call's usage. The price table is this service's own and versioned: the runtime reports quantities,
// never money.
import type { Cost, IngestInput } from '@parlance/contracts';
import type { z } from 'zod';

export type Usage = IngestInput['usage'][number];

interface Rate {
  readonly unit: Usage['unit'];
  /** Price of `per` units, in millionths of the currency. */
  readonly micros: number;
  readonly per: number;
}

/** A new table gets a new version; calls keep the cost that they were given. */
export const rateTable = {
  version: '2026-11',
  currency: 'USD',
  rates: {
    telephony: { unit: 'second', micros: 8_500, per: 60 },
    stt: { unit: 'second', micros: 4_300, per: 60 },
    llm: { unit: 'token', micros: 400, per: 1_000 },
    tts: { unit: 'character', micros: 15_000, per: 1_000 },
    recording: { unit: 'second', micros: 1_500, per: 60 },
  } satisfies Record<Usage['kind'], Rate>,
};

/** Quantities count to a thousandth of their unit. */
const scale = 1_000;

const priceOf = (quantity: number, { micros, per }: Rate): number => {
  const thousandths = BigInt(Math.round(quantity * scale));
  const divisor = BigInt(per) * BigInt(scale);
  // Half a millionth and more is rounded up; everything else in the sum is a whole number.
  return Number((thousandths * BigInt(micros) * 2n + divisor) / (divisor * 2n));
};

/** Indexes of lines with a unit that has no price for their kind. */
export const unpriceable = (usage: readonly Usage[]): number[] =>
  usage.flatMap(({ kind, unit }, index) => (rateTable.rates[kind].unit === unit ? [] : [index]));

/** Null when the runtime reported no usage at all. */
export const costOf = (usage: readonly Usage[]): z.output<typeof Cost> | null => {
  if (usage.length === 0) return null;
  const items = usage.map(({ kind, quantity, unit }) => ({
    kind,
    micros: priceOf(quantity, rateTable.rates[kind]),
    quantity,
    unit,
  }));
  const totalMicros = items.reduce((sum, { micros }) => sum + micros, 0);
  return { totalMicros, currency: rateTable.currency, items };
};
