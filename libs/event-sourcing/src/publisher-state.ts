// The state of a publisher in Postgres: the broker that it published to last, positions from which it can publish again, and the
// span of events that it has to.
import {
  type Broker,
  type Database,
  eventRetentionMs,
  type Loss,
  lossOf,
  type StoredBroker,
  type Tx,
  unsyncedWindow,
} from '@parlance/postgres';

/** Events after the first position, up to and with the second. */
export interface Span {
  readonly after: bigint;
  readonly until: bigint;
}

interface StoredSpan {
  readonly resend_after: string | null;
  readonly resend_until: string | null;
}

const spanIn = (row: StoredSpan | undefined): Span | undefined => {
  const { resend_after: after = null, resend_until: until = null } = row ?? {};
  return after === null || until === null ? undefined : { after: BigInt(after), until: BigInt(until) };
};

export interface SeenBroker extends Broker {
  /** The place of the newest message now. */
  readonly lastSequence: number;
  /** The highest place of a message that this process has seen there. */
  readonly highestSequence: number;
}

/**
 * Notes the stored checkpoint as a place to publish again from. Everything that is sent from now on lies after it. Marks that are
 * older than the broker keeps events are deleted, but for one.
 */
export const addMark = async (tx: Tx, publisher: string, sequence: number): Promise<void> => {
  await tx.query({
    name: 'event-publisher-mark',
    text: `with too_old as (
             delete from event_publisher_marks where publisher_id = $1 and marked_at < (
               select max(marked_at) from event_publisher_marks
               where publisher_id = $1 and marked_at < now() - $3 * interval '1 millisecond'))
           insert into event_publisher_marks (publisher_id, position, sequence)
           select id, position, $2 from projection_checkpoints where id = $1
           on conflict do nothing`,
    values: [publisher, sequence, eventRetentionMs],
  });
};

/** The broker has gone back where it has fewer messages than were seen there. */
const lossSince = async (
  tx: Tx,
  publisher: string,
  broker: SeenBroker,
  known: StoredBroker,
): Promise<Loss> => {
  const loss = lossOf(broker, known);
  if (loss === 'everything') return loss;
  const { rows } = await tx.query<{ newest: number | null; synced: number | null }>(
    `select max(sequence)::float8 as newest,
            (max(sequence) filter (where marked_at <= newest_at - ${unsyncedWindow}))::float8 as synced
     from event_publisher_marks,
          (select max(marked_at) as newest_at from event_publisher_marks where publisher_id = $1) newest
     where publisher_id = $1`,
    [publisher],
  );
  const { newest, synced } = rows[0] ?? { newest: null, synced: null };
  if (broker.lastSequence >= Math.max(newest ?? 0, broker.highestSequence)) return loss;
  // A power cut takes the messages of the last minutes; a restored backup may take any number.
  return broker.lastSequence >= (synced ?? 0) ? 'what was not on its disk' : 'everything';
};

const restartOf = async (tx: Tx, publisher: string, loss: Loss): Promise<bigint> => {
  const { rows } = await tx.query<{ position: string | null }>(
    `with lost as (
       select case when $2 then now() - $3 * interval '1 millisecond' else max(marked_at) - ${unsyncedWindow} end as since
       from event_publisher_marks where publisher_id = $1)
     select coalesce(
       (select position from event_publisher_marks
        where publisher_id = $1 and marked_at <= (select since from lost) order by marked_at desc limit 1),
       (select position from event_publisher_marks where publisher_id = $1 order by marked_at limit 1)) as position`,
    [publisher, loss === 'everything', eventRetentionMs],
  );
  return BigInt(rows[0]?.position ?? -1);
};

const least = (one: bigint, other: bigint | undefined): bigint =>
  other === undefined || one < other ? one : other;

/**
 * Notes the broker that events are published to from now on, and the span that it may lack. The checkpoint must be stored.
 * @param head the newest position of the event store
 */
export const noteBroker = (
  db: Database,
  publisher: string,
  broker: SeenBroker,
  head: bigint,
): Promise<Loss> =>
  db.transaction(async (tx) => {
    const { streamCreated, serverId = null, lastSequence } = broker;
    const { rows } = await tx.query<StoredBroker & StoredSpan>(
      'select stream_created, server_id, resend_after, resend_until from event_publishers where id = $1 for update',
      [publisher],
    );
    const [known] = rows;
    if (known === undefined) {
      // Earlier releases have sent the events before the checkpoint from the outbox, which sends them again.
      await tx.query(
        `insert into event_publishers (id, stream_created, server_id) values ($1, $2, $3) on conflict do nothing`,
        [publisher, streamCreated, serverId],
      );
      await addMark(tx, publisher, lastSequence);
      return 'nothing';
    }
    const loss = await lossSince(tx, publisher, broker, known);
    await tx.query('update event_publishers set stream_created = $2, server_id = $3 where id = $1', [
      publisher,
      streamCreated,
      serverId,
    ]);
    if (loss === 'nothing') return loss;
    const after = least(await restartOf(tx, publisher, loss), spanIn(known)?.after);
    await tx.query('update event_publishers set resend_after = $2, resend_until = $3 where id = $1', [
      publisher,
      after.toString(),
      head.toString(),
    ]);
    await tx.query(
      'update event_publisher_marks set sequence = least(sequence, $2) where publisher_id = $1 and sequence > $2',
      [publisher, lastSequence],
    );
    return loss;
  });

/** The span that has to be published again; undefined when there is none. */
export const spanToRepublish = async (db: Database, publisher: string): Promise<Span | undefined> => {
  const { rows } = await db.query<StoredSpan>(
    'select resend_after, resend_until from event_publishers where id = $1 and resend_until is not null',
    [publisher],
  );
  return spanIn(rows[0]);
};

/**
 * Notes how far the span has been published again.
 * @param to undefined when nothing of it is left. A span that was noted meanwhile stays
 */
export const moveSpan = async (
  db: Database,
  publisher: string,
  { after, until }: Span,
  to: bigint | undefined,
): Promise<void> => {
  await db.query(
    `update event_publishers set resend_after = $4, resend_until = case when $4::text is null then null else resend_until end
     where id = $1 and resend_after = $2 and resend_until = $3`,
    [publisher, after.toString(), until.toString(), to?.toString() ?? null],
  );
};
