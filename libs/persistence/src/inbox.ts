// Remembers in the transaction of an effect which event caused it, and keeps aside what could not be handled.
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

/** Messages and projection events of this service that wait for a person; for readiness. */
export const countParked = async (db: Database): Promise<number> => {
  const { rows } = await db.query<{ parked: number }>(
    `select ((select count(*) from parked_messages) + (select count(*) from projection_dead_letters))::int as parked`,
  );
  return rows[0]?.parked ?? 0;
};
