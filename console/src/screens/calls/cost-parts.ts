// The parts of a call's cost, as rows of a table and lengths of a bar. Pure.
import type { CallLog } from '@parlance/client';

type Cost = NonNullable<CallLog['cost']>;
export type CostItem = Cost['items'][number];

export interface CostPart {
  /** The kind, and of a language model the direction too. */
  readonly key: string;
  readonly kind: CostItem['kind'];
  readonly direction: CostItem['direction'];
  readonly items: readonly CostItem[];
  readonly micros: number;
  /** Of the whole cost, from 0 to 1. */
  readonly share: number;
}

type Key = Pick<CostItem, 'kind' | 'direction'>;

/** In the order in which a call uses them. */
const order: readonly Key[] = [
  { kind: 'telephony' },
  { kind: 'stt' },
  { kind: 'llm', direction: 'input' },
  { kind: 'llm', direction: 'output' },
  { kind: 'llm' },
  { kind: 'tts' },
  { kind: 'recording' },
  { kind: 'platform' },
];

const keyOf = ({ kind, direction }: Key): string => (direction === undefined ? kind : `${kind} ${direction}`);

/** Parts that the call used, and the telephone of a telephone call in any case. They add up to the whole cost. */
export const costPartsOf = ({ items, totalMicros }: Cost, channel: CallLog['channel']): readonly CostPart[] =>
  order.flatMap(({ kind, direction }) => {
    const key = keyOf({ kind, direction });
    const own = items.filter((item) => keyOf(item) === key);
    if (own.length === 0 && !(kind === 'telephony' && channel === 'phone')) return [];
    const micros = own.reduce((sum, item) => sum + item.micros, 0);
    return [
      { key, kind, direction, items: own, micros, share: totalMicros === 0 ? 0 : micros / totalMicros },
    ];
  });
