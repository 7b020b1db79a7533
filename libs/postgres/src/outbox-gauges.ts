// The size and the age of an outbox: an outbox that does not empty keeps other services from hearing of changes.
import { observe, outboxAge, outboxSize } from '@parlance/metrics';
import type { Database } from './database.js';

/** More are not counted, because counting them would take as long as sending them. */
const countedAtMost = 10_000;

interface Waiting {
  readonly events: number;
  /** The age of the oldest event in seconds; null for an empty outbox. */
  readonly age: number | null;
}

const waitingIn = async (db: Database): Promise<Waiting> => {
  const { rows } = await db.atOnce.query<Waiting>({
    name: 'outbox-waiting',
    text: `select count(*)::int as events, extract(epoch from clock_timestamp() - min(created_at))::float8 as age
           from (select created_at from outbox where sent_at is null order by id limit ${countedAtMost}) waiting`,
  });
  return rows[0] ?? { events: 0, age: null };
};

/** @returns a function that ends it */
export const observeOutbox = (db: Database): (() => void) => {
  const labels = { 'parlance.process': db.name };
  const ends = [
    observe(outboxSize, async () => [[(await waitingIn(db)).events, labels]]),
    observe(outboxAge, async () => [[Math.max(0, (await waitingIn(db)).age ?? 0), labels]]),
  ];
  return () => {
    for (const end of ends) end();
  };
};
