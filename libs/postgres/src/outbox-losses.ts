// The events that the broker may have lost, as spans of the time of sending. The database keeps the spans: one row notes
// a loss of any number of events. After a crash the relay goes on from there.
import { type Broker, type Loss, lossOf, type StoredBroker, unsyncedWindow } from './broker-loss.js';
import type { Database } from './database.js';
import { lockedRows } from './locked-rows.js';
import type { Tx } from './tx.js';

/** Notes the broker that events are sent to from now on, and the events that it may lack. */
export const noteBroker = (db: Database, broker: Broker): Promise<Loss> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<StoredBroker>(
      'select stream_created, server_id from outbox_broker for update',
    );
    const [known] = rows;
    const { streamCreated, serverId = null } = broker;
    if (known?.stream_created !== streamCreated || known.server_id !== serverId)
      await tx.query(
        `insert into outbox_broker (stream_created, server_id) values ($1, $2)
         on conflict (only_row)
         do update set stream_created = excluded.stream_created, server_id = excluded.server_id`,
        [streamCreated, serverId],
      );
    const loss = lossOf(broker, known);
    if (loss === 'everything') await tx.query('delete from outbox_lost'); // its spans are parts of this one
    if (loss !== 'nothing')
      await tx.query(
        `insert into outbox_lost (sent_after, sent_until)
         select case when $1 then '-infinity' else max(sent_at) - ${unsyncedWindow} end, clock_timestamp()
         from outbox having max(sent_at) is not null`,
        [loss === 'everything'],
      );
    return loss;
  });

interface Span {
  readonly id: string;
  readonly sent_after: string;
  readonly id_after: string;
  readonly sent_until: string;
}

export interface LostRow {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: Record<string, string>;
  readonly sent_at: string;
}

/** A span that no other copy works on. Times are text, which keeps their microseconds. */
const takeSpan = async (tx: Tx): Promise<Span | undefined> => {
  const { rows } = await tx.query<Span>({
    name: 'outbox-lost-span',
    text: lockedRows(
      {
        table: 'outbox_lost',
        columns: 'id, sent_after::text, id_after, sent_until::text',
        where: 'true',
        order: 'id',
      },
      1,
    ),
  });
  return rows[0];
};

/** The order of the index: `sent_at` alone would name the selected text, and sort the whole table for each piece. */
const rowsOf = async (tx: Tx, span: Span, limit: number): Promise<LostRow[]> => {
  const { rows } = await tx.query<LostRow>({
    name: 'outbox-lost-rows',
    text: `select id, event_id, subject, payload::text as payload, headers, sent_at::text as sent_at from outbox
           where sent_at is not null and (sent_at, id) > ($1::timestamptz, $2::bigint) and sent_at <= $3::timestamptz
           order by outbox.sent_at, outbox.id limit $4`,
    values: [span.sent_after, span.id_after, span.sent_until, limit],
  });
  return rows;
};

export interface Piece {
  /** Events that were sent again. */
  readonly sent: number;
  /** True when there may be more to send at once. */
  readonly more: boolean;
  readonly failure: unknown;
}

const nothingLost: Piece = { sent: 0, more: false, failure: undefined };

/**
 * Sends at most `limit` events again. Those that could not be sent keep their place in the span.
 * @param send resolves with the reason why some of the rows were not sent; undefined when all were
 */
export const sendLostAgain = (
  db: Database,
  limit: number,
  send: (tx: Tx, rows: readonly LostRow[]) => Promise<unknown>,
): Promise<Piece> =>
  db.transaction(async (tx) => {
    const span = await takeSpan(tx);
    if (span === undefined) return nothingLost;
    // A crash of the database may take these notes back. The same events are then sent once more, which does no harm.
    await tx.query('set local synchronous_commit = off');
    const rows = await rowsOf(tx, span, limit);
    const last = rows.at(-1);
    if (last === undefined) {
      await tx.query('delete from outbox_lost where id = $1', [span.id]);
      return { ...nothingLost, more: true };
    }
    const failure = await send(tx, rows);
    if (failure === undefined)
      await tx.query({
        name: 'outbox-lost-moved',
        text: 'update outbox_lost set sent_after = $2::timestamptz, id_after = $3 where id = $1',
        values: [span.id, last.sent_at, last.id],
      });
    return { sent: rows.length, more: true, failure };
  });

/**
 * Deletes at most `limit` events that were sent longer ago than `retentionMs`; none while any event has to be sent
 * again. An event that is sent again is kept for another `retentionMs`. True when there may be more to delete.
 */
export const pruneSent = async (db: Database, retentionMs: number, limit: number): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'outbox-prune',
    text: `delete from outbox where id in (
             select id from outbox
             where sent_at < now() - $1 * interval '1 millisecond' and not exists (select from outbox_lost)
             order by sent_at, id limit $2)`,
    values: [retentionMs, limit],
  });
  return rowCount === limit;
};
