// The parts of a call's cost are its price everywhere: on the call, in its end, in the index and in the sums of the dashboard.
import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@parlance/event-sourcing';
import fc from 'fast-check';
import type { CallEvent } from '../call/call-events.js';
import { toCallLog } from '../call/call-log.js';
import { type IndexRow, rowAfter } from '../read-models/call-index-row.js';
import { contributionOf } from '../read-models/rollups-contribution.js';
import { ingestBody } from '../testing/ingest-body.js';
import { callAfter, history } from '../testing/told.js';
import { completed, handOverOf } from './hand-over.js';
import { type PricesOfModel, rateTable, type Usage } from './pricing.js';

const price = fc.integer({ min: 0, max: 500_000_000 });
const prices: fc.Arbitrary<PricesOfModel> = fc.record(
  {
    perMillionInputTokens: price,
    perMillionOutputTokens: price,
    perMinute: price,
    perMillionCharacters: price,
  },
  { requiredKeys: [] },
);
const line: fc.Arbitrary<Usage> = fc
  .record({
    kind: fc.constantFrom<Usage['kind']>('telephony', 'stt', 'llm', 'tts', 'recording'),
    quantity: fc.oneof(fc.nat({ max: 1_000_000 }), fc.double({ min: 0, max: 100_000, noNaN: true })),
    model: fc.option(fc.constantFrom('a/x', 'b/y', 'c/z')),
    direction: fc.constantFrom<Usage['direction']>('input', 'output', undefined),
  })
  .map(({ direction, ...usage }) => ({
    ...usage,
    unit: rateTable.rates[usage.kind].unit,
    provider: 'p',
    ...(direction === undefined ? {} : { direction }),
  }));

const bodyWith = (usage: readonly Usage[]) => ingestBody({ answeredAt: '2026-03-01T10:00:05Z', usage });

const rowOf = (events: readonly CallEvent[]): IndexRow | undefined =>
  events.reduce<IndexRow | undefined>(
    (row, event, index) =>
      // Only the fields that the index reads.
      rowAfter(row, { event, entityId: 'c1', revision: BigInt(index) } as Recorded<CallEvent>),
    undefined,
  );

describe('the cost of a call', () => {
  it('is the sum of its parts, to the micro, wherever it is counted', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.dictionary(fc.constantFrom('a/x', 'b/y'), prices),
        (usage, catalog) => {
          const { last } = handOverOf(bodyWith(usage), '2026-03-01T10:05:00.000Z', {
            models: { version: 'test', pricesOf: (model) => catalog[model] },
          });
          const facts = { agentName: 'Front desk', facts: { initiation: null, toolRuns: [] } };
          const command = completed(last, facts);
          const { cost } = toCallLog('c1', callAfter(command));
          const parts = cost?.items ?? [];
          const sum = parts.reduce((total, { micros }) => total + micros, 0);
          expect(parts.map(({ kind, quantity }) => [kind, quantity])).toEqual(
            usage.map(({ kind, quantity }) => [kind, quantity]),
          );
          expect(parts.every(({ micros }) => Number.isSafeInteger(micros) && micros >= 0)).toBe(true);
          const events = history(command);
          const end = events.find((event) => event.type === 'CallEnded');
          const row = rowOf(events);
          const total = cost?.totalMicros;
          expect([
            total,
            end?.data.costMicros,
            row?.cost_micros,
            contributionOf(row)?.sums.cost_micros,
          ]).toEqual(Array.from({ length: 4 }, () => sum));
        },
      ),
    );
  });
});
