// The limits of a widget: per address, per minute, at the same time, and per day. Sessions are counted under the lock
// of their widget, so that two visitors never both get the last one.
import { events } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce, refuseClosed, type Tx } from '@parlance/postgres';
import type { Host } from '@parlance/service-host';
import { type Asking, joinLine } from '../queue/queue.js';
import type { SessionContexts } from '../sessions/session-contexts.js';
import { insertSession, type SessionOfWidget } from '../sessions/session-rows.js';
import { type WidgetRow, widgetColumns } from '../widgets/widget-record.js';

/** Sessions that visitors from all addresses together may begin at one widget in a minute. */
const mostPerMinute = 60;

interface Counted {
  readonly open: number;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
}

/** The widget, locked against other admissions and changes. @throws AppError WIDGET_NOT_FOUND when it was disabled */
const holdWidget = async (tx: Tx, id: string): Promise<WidgetRow> => {
  const { rows } = await tx.query<WidgetRow>({
    name: 'hold_widget',
    text: `select ${widgetColumns} from widgets where id = $1 and enabled for update`,
    values: [id],
  });
  if (rows[0] === undefined) throw new AppError('WIDGET_NOT_FOUND');
  return rows[0];
};

/** Each count stops at its limit, so that it costs no more than the limit is high. */
const count = async (tx: Tx, { id, document }: WidgetRow, address: string): Promise<Counted> => {
  const { maxConcurrentSessions, sessionsPerIpPerHour, dailySessions } = document.limits;
  const of = `from widget_sessions where widget_id = $1`;
  const begun = `ended_by is distinct from 'failed'`;
  const { rows } = await tx.query<Counted>({
    name: 'count_sessions',
    text: `select
      (select count(*)::int from (select 1 ${of} and ended_at is null limit $3) s) as open,
      (select count(*)::int from (select 1 ${of} and created_at > now() - interval '1 minute' limit ${mostPerMinute}) s) as minute,
      (select count(*)::int from (select 1 ${of} and created_at > now() - interval '1 hour' and address = $2
        and ${begun} limit $4) s) as hour,
      (select count(*)::int from (select 1 ${of} and created_at > now() - interval '1 day' and ${begun} limit $5) s) as day`,
    values: [id, address, maxConcurrentSessions, sessionsPerIpPerHour, dailySessions ?? 0],
  });
  return rows[0] ?? { open: 0, minute: 0, hour: 0, day: 0 };
};

/** @throws AppError RATE_LIMITED, WIDGET_BUDGET_EXCEEDED: limits that waiting does not help against */
const refuseBeyond = ({ document }: WidgetRow, { hour, day }: Counted): void => {
  const { sessionsPerIpPerHour, dailySessions } = document.limits;
  if (hour >= sessionsPerIpPerHour) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 600 });
  if (dailySessions !== null && day >= dailySessions)
    throw new AppError('WIDGET_BUDGET_EXCEEDED', { retryAfterSeconds: 3_600 });
};

/** @throws AppError CONCURRENCY_LIMIT, RATE_LIMITED */
const refuseWithoutPlace = ({ document }: WidgetRow, { open, minute }: Counted): void => {
  if (open >= document.limits.maxConcurrentSessions)
    throw new AppError('CONCURRENCY_LIMIT', { retryAfterSeconds: 10 });
  if (minute >= mostPerMinute) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 30 });
};

const freePlaces = ({ document }: WidgetRow, { open, minute }: Counted): number =>
  Math.min(document.limits.maxConcurrentSessions - open, mostPerMinute - minute);

export interface AdmissionOptions {
  readonly host: Pick<Host, 'db' | 'clock' | 'ids' | 'seals'>;
  readonly sessionContexts: SessionContexts;
}

/**
 * Notes a session that is about to get its room.
 * @param asking null for a visitor of a widget without a queue
 * @returns the number of visitors before this one, when it has to wait; undefined for a session that is noted
 * @throws AppError CONCURRENCY_LIMIT, RATE_LIMITED, WIDGET_BUDGET_EXCEEDED; WIDGET_NOT_FOUND for a widget that was
 *   disabled;
 *   CONFLICT for an organization that was removed
 */
export const admitSession = (
  { host, sessionContexts }: AdmissionOptions,
  session: SessionOfWidget,
  asking: Asking | null,
): Promise<number | undefined> =>
  host.db.transaction(async (tx) => {
    const widget = await holdWidget(tx, session.widgetId);
    await refuseClosed(tx, widget.organization_id);
    const counted = await count(tx, widget, session.address);
    refuseBeyond(widget, counted);
    if (asking === null) refuseWithoutPlace(widget, counted);
    else {
      const wanting = { sessionId: session.id, address: session.address, free: freePlaces(widget, counted) };
      const ahead = await joinLine(tx, widget, asking, wanting);
      if (ahead !== undefined) return ahead;
    }
    await insertSession(tx, sessionContexts, session);
    const { mode, context } = session;
    const { callId, organizationId } = context;
    // A conversation in text is announced when it begins, because it has no room.
    if (mode === 'voice')
      await announce(tx, host, events.sessionStarted, organizationId, { callId, context });
    return undefined;
  });
