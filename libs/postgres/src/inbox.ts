// Remembers in the transaction of an effect which event caused it, and keeps poison events aside.
import type { Database } from './database.js';
import type { Tx } from './tx.js';

/** False when this consumer has handled the event before. A copy that is handling it right now is waited for. */
export const claimInInbox = async (tx: Tx, consumer: string, eventId: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'inbox-claim',
    text: 'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing',
    values: [consumer, eventId],
  });
  return rowCount === 1;
};

/**
 * As `claimInInbox`, for several: those that this consumer has not handled before. In one order, so that of two copies
 * with the same events none waits for the other in a circle.
 */
export const claimAllInInbox = async (
  tx: Tx,
  consumer: string,
  eventIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await tx.query<{ event_id: string }>({
    name: 'inbox-claim-all',
    text: `insert into inbox (consumer, event_id)
           select $1, event_id from (select distinct unnest($2::uuid[]) as event_id order by 1) claimed
           on conflict do nothing returning event_id`,
    values: [consumer, eventIds],
  });
  return new Set(rows.map(({ event_id }) => event_id));
};

export interface ParkedMessage {
  readonly consumer: string;
  /** The event id where it could be read, else a hash of the content. */
  readonly messageId: string;
  readonly subject: string;
  readonly payload: string;
  readonly reason: string;
  readonly deliveries: number;
}

/** Sets a message aside; again with the same id, only the reason is brought up to date. */
export const park = async (tx: Tx, message: ParkedMessage): Promise<void> => {
  await tx.query(
    `insert into parked_messages (consumer, message_id, subject, payload, reason, deliveries)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (consumer, message_id) do update
       set reason = excluded.reason, deliveries = excluded.deliveries, parked_at = now()`,
    [
      message.consumer,
      message.messageId,
      message.subject,
      message.payload,
      message.reason,
      message.deliveries,
    ],
  );
};

/** Messages that consumers of this service have set aside. */
export const countParkedMessages = async (db: Database): Promise<number> => {
  const { rows } = await db.atOnce.query<{ parked: number }>(
    'select count(*)::int as parked from parked_messages',
  );
  return rows[0]?.parked ?? 0;
};

/** Messages and projection events of this service that wait for a person; for readiness. */
export const countParked = async (db: Database): Promise<number> => {
  const { rows } = await db.atOnce.query<{ parked: number }>(
    `select ((select count(*) from parked_messages) + (select count(*) from projection_dead_letters))::int as parked`,
  );
  return rows[0]?.parked ?? 0;
};
