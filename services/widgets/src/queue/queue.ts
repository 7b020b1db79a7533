// The queue of a widget: the first visitor is served first, and a newcomer never passes a waiting visitor. No
// connection is held for a waiting visitor: the page asks again in a few seconds, and shows its ticket.
import { randomBytes } from 'node:crypto';
import type { WidgetQueuePlace } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Database, Tx } from '@parlance/postgres';
import type { WidgetRow } from '../widgets/widget-record.js';
import {
  callTicket,
  endTicket,
  giveTicket,
  type HeldTicket,
  keepTicket,
  type Line,
  lineBefore,
  showTicket,
  waitAgain,
} from './tickets.js';

/** A visitor in front of a widget that has a queue. */
export interface Asking {
  readonly ticket: string;
  /** Null for a newcomer, which has not been told a ticket. */
  readonly held: HeldTicket | null;
}

/** A visitor who wants a session. */
export interface Wanting {
  readonly sessionId: string;
  /** Keyed digest of the visitor's address. */
  readonly address: string;
}

const ticketBytes = 32;
const longestPauseSeconds = 5;
/** The largest part of a queue for one address, so that one address cannot fill it alone. */
const shareOfAddress = 1 / 4;
const fullRetrySeconds = 10;

/** The answer to a visitor who waits. */
export const mustWait = ({ document }: WidgetRow, { ticket }: Asking, ahead: number): AppError => {
  const queue: WidgetQueuePlace = { ticket, position: ahead + 1, text: document.queue.text };
  const retryAfterSeconds = Math.min(longestPauseSeconds, 1 + queue.position);
  return new AppError('CONCURRENCY_LIMIT', { retryAfterSeconds, details: { queue } });
};

/** The places of a widget that are free for sure cannot reach this visitor. */
const isFarBehind = ({ document }: WidgetRow, { ahead, isOrganizationFull }: Line): boolean =>
  isOrganizationFull || ahead >= document.limits.maxConcurrentSessions;

interface Shown {
  readonly ticket: string | undefined;
  readonly address: string;
}

/**
 * The visitor as the queue knows them; null where the widget has no queue. Visitors far behind are answered here, with one
 * statement and without the lock of the widget.
 * @throws AppError CONCURRENCY_LIMIT with the place in the queue; QUEUE_PLACE_LOST
 */
export const askInLine = async (db: Database, widget: WidgetRow, shown: Shown): Promise<Asking | null> => {
  const { ticket, address } = shown;
  const { enabled } = widget.document.queue;
  if (ticket === undefined)
    return enabled ? { ticket: randomBytes(ticketBytes).toString('base64url'), held: null } : null;
  const held = enabled
    ? await showTicket(db, { widgetId: widget.id, ticketHash: sha256(ticket), address })
    : undefined;
  // Treated as a newcomer, a visitor with an invented ticket would pass the limit of newcomers.
  if (held === undefined) throw new AppError('QUEUE_PLACE_LOST');
  const asking = { ticket, held };
  if (isFarBehind(widget, held.line)) throw mustWait(widget, asking, held.line.ahead);
  return asking;
};

/**
 * Decides about a visitor while the widget is locked.
 * @param free the places that the widget itself has
 * @returns the number of visitors before this one, when it has to wait; undefined when its turn has come
 * @throws AppError CONCURRENCY_LIMIT when the queue is full
 */
export const joinLine = async (
  tx: Tx,
  { id: widgetId, organization_id: organizationId, document }: WidgetRow,
  { ticket, held }: Asking,
  { sessionId, address, free }: Wanting & { readonly free: number },
): Promise<number | undefined> => {
  const line = await lineBefore(tx, { widgetId, address }, held?.number ?? null);
  const isTurn = !line.isOrganizationFull && line.ahead < free;
  if (held !== null) return isTurn && (await callTicket(tx, held.number, sessionId)) ? undefined : line.ahead;
  const { maxWaiting } = document.queue;
  const isRoom = line.all < maxWaiting && line.ofAddress < Math.ceil(maxWaiting * shareOfAddress);
  if (!isTurn && !isRoom) throw new AppError('CONCURRENCY_LIMIT', { retryAfterSeconds: fullRetrySeconds });
  const given = { organizationId, widgetId, address, ticketHash: sha256(ticket) };
  if (isRoom) await giveTicket(tx, { ...given, sessionId: isTurn ? sessionId : null });
  return isTurn ? undefined : line.ahead;
};

/**
 * Puts the visitor of a session that could not be opened back into the queue.
 * @returns the number of visitors before this one, when the organization has no place; otherwise undefined
 */
export const stepBack = (
  db: Database,
  sessionId: string,
  asking: Asking,
  failure: unknown,
): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    if (failure instanceof AppError && failure.code === 'CONCURRENCY_LIMIT') {
      // The dialer has refused for certain, so there is nothing to clean up.
      await tx.query('delete from widget_sessions where id = $1 and opened_at is null', [sessionId]);
      return (await waitAgain(tx, sessionId))?.ahead;
    }
    // A newcomer was never told the ticket and could not show it, so it ends.
    await (asking.held === null ? endTicket(tx, sessionId) : keepTicket(tx, sessionId));
    return undefined;
  });
