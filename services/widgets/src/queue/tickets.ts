// Tickets in Postgres. Each ask reads no more tickets of its widget than may wait there.
import { deleteInPieces, type Tx } from '@parlance/postgres';

/** A visitor whose page was closed or put to sleep for this time has left. */
const isAlive = `shown_at > now() - interval '30 seconds'`;

export interface ShownTicket {
  readonly widgetId: string;
  /** SHA-256 of the ticket. */
  readonly ticketHash: string;
  /** Keyed digest of the visitor's address. */
  readonly address: string;
}

/** The visitors before a visitor. */
export interface Line {
  /** Waiting visitors. */
  readonly ahead: number;
  /** True when one of them, or a visitor who is being served, found no place in the organization. */
  readonly isOrganizationFull: boolean;
  /** Visitors that wait or are being served. */
  readonly all: number;
  /** Visitors among `all` with the address of this visitor. */
  readonly ofAddress: number;
}

export interface HeldTicket {
  /** Its rank among the tickets of the widget, as Postgres writes a bigint. */
  readonly number: string;
  readonly line: Line;
}

/** The visitors of a widget before the ticket with this number; null: all of them. */
export const lineBefore = async (
  tx: Tx,
  { widgetId, address }: Pick<ShownTicket, 'widgetId' | 'address'>,
  number: string | null,
): Promise<Line> => {
  const { rows } = await tx.query<Line>({
    name: 'line_before_ticket',
    text: `select count(*) filter (where session_id is null)::int as ahead,
             coalesce(bool_or(found_no_place), false) as "isOrganizationFull",
             count(*)::int as all, (count(*) filter (where address = $2))::int as "ofAddress"
           from widget_queue_tickets
           where widget_id = $1 and ${isAlive} and ($3::bigint is null or number < $3)`,
    values: [widgetId, address, number],
  });
  return rows[0] ?? { ahead: 0, isOrganizationFull: false, all: 0, ofAddress: 0 };
};

/** Notes that the visitor still waits. Undefined for a ticket without a place, and for one of another address or widget. */
export const showTicket = async (tx: Tx, shown: ShownTicket): Promise<HeldTicket | undefined> => {
  const { rows } = await tx.query<{ number: string }>({
    name: 'show_ticket',
    text: `update widget_queue_tickets set shown_at = now()
           where ticket = $1 and widget_id = $2 and address = $3 and ${isAlive} returning number::text as number`,
    values: [shown.ticketHash, shown.widgetId, shown.address],
  });
  const [row] = rows;
  return row && { number: row.number, line: await lineBefore(tx, shown, row.number) };
};

export interface NewTicket extends ShownTicket {
  readonly organizationId: string;
  /** The session of a visitor who need not wait; null: the visitor waits. */
  readonly sessionId: string | null;
}

/** Gives a ticket, and takes those away that lost their places. The widget must be locked. */
export const giveTicket = async (tx: Tx, given: NewTicket): Promise<void> => {
  await tx.query(`delete from widget_queue_tickets where widget_id = $1 and not (${isAlive})`, [
    given.widgetId,
  ]);
  await tx.query(
    `insert into widget_queue_tickets (organization_id, widget_id, ticket, address, session_id)
     values ($1, $2, $3, $4, $5)`,
    [given.organizationId, given.widgetId, given.ticketHash, given.address, given.sessionId],
  );
};

/** Notes that the visitor is being served. False when a session is being opened with this ticket already. */
export const callTicket = async (tx: Tx, number: string, sessionId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `update widget_queue_tickets t set session_id = $2 where number = $1 and not exists (
       select 1 from widget_sessions s where s.id = t.session_id and s.ended_at is null)`,
    [number, sessionId],
  );
  return rowCount > 0;
};

/** The visitor who was being served waits again. Undefined for a session that was opened without a ticket. */
export const waitAgain = async (tx: Tx, sessionId: string): Promise<Line | undefined> => {
  const { rows } = await tx.query<{ number: string; widgetId: string; address: string }>(
    `update widget_queue_tickets set session_id = null, found_no_place = true, shown_at = now()
     where session_id = $1 returning number::text as number, widget_id as "widgetId", address`,
    [sessionId],
  );
  const [row] = rows;
  return row && lineBefore(tx, row, row.number);
};

/** The visitor keeps the place in the queue after a failure. */
export const keepTicket = async (tx: Tx, sessionId: string): Promise<void> => {
  await tx.query('update widget_queue_tickets set session_id = null where session_id = $1', [sessionId]);
};

/** The visitor has left the queue. */
export const endTicket = async (tx: Tx, sessionId: string): Promise<void> => {
  await tx.query('delete from widget_queue_tickets where session_id = $1', [sessionId]);
};

/** Deletes the tickets of visitors who left. */
export const forgetTickets = async (db: Tx): Promise<void> => {
  await deleteInPieces(db, { table: 'widget_queue_tickets', where: `not (${isAlive})` });
};
