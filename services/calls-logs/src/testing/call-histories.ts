// For tests: random histories of calls, as their streams would hold them, and as a projection might be given them.
import type { Recorded } from '@parlance/event-sourcing';
import fc from 'fast-check';
import type { CallEvent } from '../call/call-events.js';

export const organizations = ['org-one', 'org two'] as const;
const agents = ['a1', 'a2', 'a3'] as const;
/** Clocks change in Europe within these days. */
const since = Date.parse('2026-03-27T00:00:00.000Z');
const minute = 60_000;
const day = 24 * 60 * minute;

const recordedAt = '2026-04-02T00:00:00.000Z';
const iso = (ms: number): string => new Date(ms).toISOString();

// Many calls within few quarters of an hour, and few calls over many days.
const moment = fc.oneof(fc.nat(40 * minute), fc.nat(4 * day)).map((ms) => since + ms);
const latency = fc.option(fc.double({ min: 0, max: 5_000, noNaN: true }), { nil: null });

const description = fc.record({
  organizationId: fc.constantFrom(...organizations),
  agentId: fc.constantFrom(...agents),
  agentName: fc.constantFrom('Front desk', 'Desk', 'Ä'),
  channel: fc.constantFrom('phone', 'phone', 'widget', 'preview'),
  direction: fc.constantFrom('inbound', 'outbound'),
  startedAt: moment,
});

const ending = fc.record({
  status: fc.constantFrom('completed', 'completed', 'completed', 'busy', 'no_answer', 'failed'),
  endedReason: fc.constantFrom('user_hangup', 'call_transferred', 'busy', 'no_answer', 'error_llm'),
  answeredBy: fc.constantFrom('human', 'machine_voicemail', null),
  answeredAfter: fc.option(fc.nat(3 * minute), { nil: null }),
  // Now and then told backwards, and now and then of a call that lasts for days.
  lasted: fc.oneof(fc.integer({ min: -minute, max: 90 * minute }), fc.nat(3 * day)),
});

const handedOver = fc.record({
  ending,
  costMicros: fc.option(fc.nat(1_000_000), { nil: null }),
  successful: fc.constantFrom('success', 'failure', 'unknown', null),
  latency: fc.option(fc.tuple(latency, latency), { nil: null }),
});

const history = fc.record({
  told: fc.array(description, { minLength: 1, maxLength: 3 }),
  isAnswered: fc.boolean(),
  end: fc.option(ending, { nil: null }),
  ingested: fc.array(handedOver, { maxLength: 2 }),
  isDeleted: fc.boolean().chain((deleted) => (deleted ? fc.boolean() : fc.constant(false))),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Ending = typeof ending extends fc.Arbitrary<infer T> ? T : never;

const endingData = (startedAt: number, { answeredAfter, lasted, ...end }: Ending) => {
  const answeredAt = answeredAfter === null ? null : startedAt + answeredAfter;
  return {
    ...end,
    source: 'runtime',
    answeredAt: answeredAt === null ? null : iso(answeredAt),
    endedAt: iso((answeredAt ?? startedAt) + lasted),
    durationSeconds: answeredAt === null ? null : Math.max(0, lasted) / 1_000,
  };
};

/** The fields that the projections of the index read; streams hold more. */
const eventsOf = ({ told, isAnswered, end, ingested, isDeleted }: History): object[] => {
  const [first] = told;
  const startedAt = first?.startedAt ?? since;
  const described = ({ startedAt: at, ...data }: (typeof told)[number]) => ({
    type: 'CallDescribed',
    data: { recordedAt, ...data, startedAt: iso(at), outboundCallId: null, campaignId: null, roomName: null },
  });
  return [
    ...told.slice(0, 1).map(described),
    ...(isAnswered ? [{ type: 'CallAnswered', data: { recordedAt, answeredAt: iso(startedAt) } }] : []),
    ...told.slice(1, 2).map(described),
    ...(end === null ? [] : [{ type: 'CallEnded', data: { recordedAt, ...endingData(startedAt, end) } }]),
    ...ingested.map(({ ending: how, costMicros, successful, latency: measured }) => ({
      type: 'CallIngested',
      data: {
        ...{ recordedAt, ...endingData(startedAt, how), successful },
        cost: costMicros === null ? null : { totalMicros: costMicros },
        latency: measured === null ? null : { e2eP50Ms: measured[0], e2eP95Ms: measured[1] },
      },
    })),
    ...told.slice(2).map(described),
    ...(isDeleted ? [{ type: 'CallDeleted', data: { recordedAt } }] : []),
  ];
};

const recorded = (
  callId: string,
  revision: number,
  event: object,
  organizationId: string,
): Recorded<CallEvent> =>
  // Only the fields that the projection reads.
  ({
    event,
    entityId: callId,
    stream: `call-${callId}`,
    revision: BigInt(revision),
    metadata: { organizationId },
  }) as unknown as Recorded<CallEvent>;

export interface Delivery {
  /** Every event once, those of one call in order. */
  readonly events: readonly Recorded<CallEvent>[];
  /** The same events in some batches, with some batches given twice. */
  readonly batches: readonly (readonly Recorded<CallEvent>[])[];
}

/** Calls side by side: their events interleaved at random. */
export const deliveries: fc.Arbitrary<Delivery> = fc
  .tuple(
    fc.array(history, { minLength: 1, maxLength: 25 }),
    fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), { minLength: 1, maxLength: 12 }),
  )
  .map(([histories, order, cuts]) => {
    const waiting = histories.map((one, call) =>
      eventsOf(one).map((event, revision) =>
        recorded(`call-${call}`, revision, event, one.told[0]?.organizationId ?? ''),
      ),
    );
    const events: Recorded<CallEvent>[] = [];
    for (let turn = 0; waiting.some((own) => own.length > 0); turn += 1) {
      const open = waiting.filter((own) => own.length > 0);
      const next = open[(order[turn % order.length] ?? 0) % open.length]?.shift();
      if (next !== undefined) events.push(next);
    }
    const batches: Recorded<CallEvent>[][] = [];
    for (let from = 0, turn = 0; from < events.length; turn += 1) {
      const [size, isRepeated] = cuts[turn % cuts.length] ?? [1, false];
      const batch = events.slice(from, from + size);
      batches.push(batch, ...(isRepeated ? [batch] : []));
      from += size;
    }
    return { events, batches };
  });
