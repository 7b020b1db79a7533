// The evidence of a run from sources that cannot err, the phones' ledger and the streams. Beside them are the read
// model and the answers to people. Times are those of the ledger and of the event store, which share a clock.
import type { Secret } from '@parlance/config';
import { connectEventStore, newestEvents } from '@parlance/event-sourcing';
import { type CallEntry, readCalls } from '@parlance/fake-kit';
import type { Database } from '@parlance/postgres';
import { z } from 'zod';
import { patiently } from './patience.js';
import type { Presence, Span } from './presence.js';

/** An event as far as an audit looks at it; `at` is when the store took it. */
export interface StreamEvent {
  readonly type: string;
  readonly at: number;
  readonly revision: number;
  readonly attemptId: string | undefined;
  /** Of the attempt that this event starts. */
  readonly deadlineAt: number | undefined;
  readonly status: string | undefined;
  readonly endedReason: string | undefined;
  /** The platform goes on by itself then; undefined when the event says nothing of it or says never. */
  readonly nextAttemptAt: string | undefined;
}

/** One outbound call in the read model. */
export interface Row {
  readonly id: string;
  readonly status: string;
  readonly phase: string;
  readonly revision: number;
  readonly isHangUpOpen: boolean;
}

/** The answer to a person. */
export interface Answer {
  readonly id: string;
  readonly kind: 'placed' | 'cancelled' | 'notCancellable' | 'retried' | 'notRetryable';
  readonly at: number;
}

export interface Evidence {
  readonly ledger: readonly Pick<CallEntry, 'kind' | 'at' | 'room'>[];
  /** By the id of the outbound call, in order. */
  readonly streams: ReadonlyMap<string, readonly StreamEvent[]>;
  readonly rows: readonly Row[];
  readonly answers: readonly Answer[];
  /** When it was gathered, in epoch milliseconds. */
  readonly at: number;
  /** When no dialer served. */
  readonly away: readonly Span[];
}

/** More than any run writes. */
const mostEvents = 10_000_000;

const prefix = 'outboundCall-';

const Payload = z.object({
  data: z.object({
    attemptId: z.string().optional(),
    deadlineAt: z.string().optional(),
    status: z.string().optional(),
    endedReason: z.string().nullish(),
    reason: z.string().nullish(),
    nextAttemptAt: z.string().nullish(),
  }),
});

/** Every stream of an outbound call in the store. */
export const readStreams = async (url: Secret): Promise<Map<string, StreamEvent[]>> => {
  const store = connectEventStore({ url, name: 'audit' });
  const streams = new Map<string, StreamEvent[]>();
  try {
    for await (const event of newestEvents(store, { limit: mostEvents })) {
      if (!event.streamId.startsWith(prefix)) continue;
      const { data } = Payload.parse(event.data);
      const id = event.streamId.slice(prefix.length);
      const events = streams.get(id) ?? [];
      streams.set(id, events);
      events.unshift({
        type: event.type,
        at: event.created.getTime(),
        revision: Number(event.revision),
        attemptId: data.attemptId,
        deadlineAt: data.deadlineAt === undefined ? undefined : Date.parse(data.deadlineAt),
        status: data.status,
        endedReason: data.endedReason ?? data.reason ?? undefined,
        nextAttemptAt: data.nextAttemptAt ?? undefined,
      });
    }
  } finally {
    await store.close();
  }
  return streams;
};

export const readRows = async (db: Database): Promise<Row[]> => {
  const { rows } = await db.query<Row>(
    `select id, status, phase, revision::int as revision, hang_up as "isHangUpOpen" from outbound_calls`,
  );
  return rows;
};

export const gatherEvidence = async (from: {
  readonly eventStoreUrl: Secret;
  readonly ledgerPath: string;
  readonly db: Database;
  readonly answers: readonly Answer[];
  readonly presence: Presence;
}): Promise<Evidence> => {
  const ledger: CallEntry[] = [];
  for await (const entry of readCalls(from.ledgerPath)) ledger.push(entry);
  const streams = await patiently(() => readStreams(from.eventStoreUrl));
  const rows = await patiently(() => readRows(from.db));
  const away = from.presence.away();
  return { ledger, streams, rows, answers: [...from.answers], at: Date.now(), away };
};
