// The three kinds of model, with the units in which each is sold.
import type { ModelOption } from '@parlance/contracts';
import { costMicrosPerMinute, type ModelPrices } from './prices.js';
import { type ModelKind, wayOf } from './vendors.js';

interface Offer {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Plain language codes, or `*`. */
  readonly languages: string;
  readonly latencyMs: number | null;
  /** False: takes or gives whole utterances only. */
  readonly streaming?: boolean;
  /** Set when the model can no longer be chosen; names the model to choose instead. */
  readonly unavailableReason?: string;
}

export interface CatalogModel {
  readonly kind: ModelKind;
  readonly option: ModelOption;
  readonly prices: ModelPrices | undefined;
}

const model = (kind: ModelKind, offer: Offer, prices: ModelPrices | undefined): CatalogModel => {
  const noWay = wayOf(kind, offer.id) ? null : `The voice runtime has no plugin for ${offer.provider}.`;
  const unavailableReason = offer.unavailableReason ?? noWay;
  const option = {
    id: offer.id,
    name: offer.name,
    provider: offer.provider,
    languages: offer.languages.split(' '),
    streaming: offer.streaming ?? true,
    costMicrosPerMinute: costMicrosPerMinute(prices),
    typicalLatencyMs: offer.latencyMs,
    available: unavailableReason === null,
    unavailableReason,
  };
  return { kind, option, prices };
};

const microsOf = (dollars: number): number => Math.round(dollars * 1_000_000);

/** Listening is sold by the minute, in micro-dollars. */
export const hears = (offer: Offer, perMinute: number | null): CatalogModel =>
  model('stt', offer, perMinute === null ? undefined : { perMinute });

/** Thinking is sold by the million tokens, in dollars. */
export const thinks = (
  offer: Omit<Offer, 'languages'>,
  price: readonly [input: number, output: number] | null,
): CatalogModel =>
  model(
    'llm',
    { ...offer, languages: '*' },
    price === null
      ? undefined
      : { perMillionInputTokens: microsOf(price[0]), perMillionOutputTokens: microsOf(price[1]) },
  );

/** Speaking is sold by the million characters, in dollars. */
export const speaks = (offer: Offer, price: number | null): CatalogModel =>
  model('tts', offer, price === null ? undefined : { perMillionCharacters: microsOf(price) });
