// A model as its form holds it, and as the interface takes it. Pure.
import type { OrganizationModel } from '@parlance/client';
import { changedFields } from '../../forms/changed-fields.js';

type Prices = NonNullable<OrganizationModel['prices']>;
type PriceName = keyof Prices;

export interface ModelValues
  extends Pick<
    OrganizationModel,
    'kind' | 'name' | 'baseUrl' | 'model' | 'typicalLatencyMs' | 'firstChunkMs' | 'secretId'
  > {
  /** Without `custom/`. */
  readonly id: string;
  readonly languages: readonly string[];
  readonly voices: readonly {
    readonly id: string;
    readonly name: string;
    readonly languages: readonly string[];
  }[];
  readonly prices: Readonly<Record<PriceName, number | undefined>>;
  readonly fallbackRows: readonly { readonly id: string }[];
}

const prefix = 'custom/';
/** The part of an id that paths of the interface have. */
export const modelNameOf = (id: string): string => id.slice(prefix.length);

/** The prices of each kind. */
export const priceNames: Readonly<Record<OrganizationModel['kind'], readonly PriceName[]>> = {
  llm: ['perMillionInputTokens', 'perMillionOutputTokens'],
  stt: ['perMinute'],
  tts: ['perMillionCharacters'],
};

const pricesWith = (prices: OrganizationModel['prices']): ModelValues['prices'] => ({
  perMillionInputTokens: prices?.perMillionInputTokens,
  perMillionOutputTokens: prices?.perMillionOutputTokens,
  perMinute: prices?.perMinute,
  perMillionCharacters: prices?.perMillionCharacters,
});

export const firstValues: ModelValues = {
  id: '',
  kind: 'llm',
  name: '',
  baseUrl: '',
  model: '',
  languages: ['*'],
  voices: [],
  prices: pricesWith(null),
  typicalLatencyMs: null,
  firstChunkMs: null,
  fallbackRows: [],
  secretId: null,
};

export const blankVoice = { id: '', name: '', languages: ['*'] };

export const valuesOf = (model: OrganizationModel): ModelValues => {
  const { id, prices, fallbacks, usedBy, createdAt, updatedAt, ...settings } = model;
  return {
    ...settings,
    id: modelNameOf(id),
    prices: pricesWith(prices),
    fallbackRows: fallbacks.map((fallback) => ({ id: fallback })),
  };
};

/** Prices of the kind; null without any. */
const pricesOf = ({ kind, prices }: ModelValues): Partial<Prices> | null => {
  const given = priceNames[kind].flatMap((name) =>
    prices[name] === undefined ? [] : [[name, prices[name]]],
  );
  return given.length === 0 ? null : Object.fromEntries(given);
};

/** The fields of the chosen kind; values of another kind that were typed before are left out. */
export const bodyOf = (values: ModelValues) => {
  const { id, fallbackRows, kind, voices, firstChunkMs, prices: _prices, ...settings } = values;
  return {
    ...settings,
    id: `${prefix}${id}`,
    kind,
    voices: kind === 'tts' ? voices : [],
    prices: pricesOf(values),
    firstChunkMs: kind === 'llm' ? firstChunkMs : null,
    fallbacks: fallbackRows.map((row) => row.id),
  };
};

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

/** The changes alone. A model that goes to another server names its secret anew, so that no key is sent there unnoticed. */
export const updateOf = (values: ModelValues, before: ModelValues) => {
  const {
    id: _id,
    kind: _kind,
    ...changed
  } = changedFields(bodyOf(before), bodyOf(values)) as Partial<ReturnType<typeof bodyOf>>; // fields of a body
  const isMoved = originOf(values.baseUrl) !== originOf(before.baseUrl);
  return isMoved && before.secretId !== null ? { ...changed, secretId: values.secretId } : changed;
};
