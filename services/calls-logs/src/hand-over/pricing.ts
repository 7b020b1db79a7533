// The price of a call's usage. The runtime reports quantities, never money. A model of the catalog has its own prices; the
// table here prices everything else by its kind.
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

/** Prices of a model of the catalog, in millionths of the currency. */
export interface PricesOfModel {
  readonly perMillionInputTokens?: number | undefined;
  readonly perMillionOutputTokens?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly perMillionCharacters?: number | undefined;
}

/** Undefined for a model without a price. */
export type PricesOf = (modelId: string) => PricesOfModel | undefined;

/** Prices by model, and the version of the catalog that has them. */
export interface ModelPrices {
  readonly version: string;
  readonly pricesOf: PricesOf;
}

const noPrices: PricesOf = () => undefined;

/** Undefined where the price of the kind counts. Tokens whose direction is not told are priced as those of prompts, most of all tokens. */
const rateOfModel = ({ kind, model, direction }: Usage, pricesOf: PricesOf): Rate | undefined => {
  const prices = model ? pricesOf(model) : undefined;
  const rate = (unit: Usage['unit'], micros: number | undefined, per: number): Rate | undefined =>
    micros === undefined ? undefined : { unit, micros, per };
  switch (kind) {
    case 'stt':
      return rate('second', prices?.perMinute, 60);
    case 'llm': {
      const micros = direction === 'output' ? prices?.perMillionOutputTokens : prices?.perMillionInputTokens;
      return rate('token', micros, 1_000_000);
    }
    case 'tts':
      return rate('character', prices?.perMillionCharacters, 1_000_000);
    default:
      return undefined;
  }
};

/** Quantities count to a thousandth of their unit. */
const scale = 1_000;

const priceOf = (quantity: number, { micros, per }: Omit<Rate, 'unit'>): number => {
  const thousandths = BigInt(Math.round(quantity * scale));
  const divisor = BigInt(per) * BigInt(scale);
  // Half a millionth and more is rounded up; everything else in the sum is a whole number.
  return Number((thousandths * BigInt(micros) * 2n + divisor) / (divisor * 2n));
};

/** Indexes of lines with a unit that has no price for their kind. */
export const unpriceable = (usage: readonly Usage[]): number[] =>
  usage.flatMap(({ kind, unit }, index) => (rateTable.rates[kind].unit === unit ? [] : [index]));

/** Null when the runtime reported no usage at all. */
export const costOf = (
  usage: readonly Usage[],
  pricesOf: PricesOf = noPrices,
): z.output<typeof Cost> | null => {
  if (usage.length === 0) return null;
  const items = usage.map((line) => {
    const { kind, quantity, unit, model, direction } = line;
    const ofModel = rateOfModel(line, pricesOf);
    const { micros, per } = ofModel ?? rateTable.rates[kind];
    return {
      kind,
      micros: priceOf(quantity, { micros, per }),
      quantity,
      unit,
      rate: { micros, per },
      ...(model ? { [ofModel === undefined ? 'unpricedModel' : 'model']: model } : {}),
      ...(direction === undefined ? {} : { direction }),
    };
  });
  const totalMicros = items.reduce((sum, { micros }) => sum + micros, 0);
  return { totalMicros, currency: rateTable.currency, items };
};
