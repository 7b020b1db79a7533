// Gauges of widgets for operators: conversations that are open, and visitors that wait for one.
import { observe, widgetSessions } from '@parlance/metrics';
import type { RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';

interface Sessions {
  readonly open: number;
  readonly waiting: number;
}

/** A visitor that did not ask for half a minute has left the queue. */
const sessionsOf = async (db: Database): Promise<Sessions> => {
  const { rows } = await db.atOnce.query<Sessions>({
    name: 'gauge-widget-sessions',
    text: `select (select count(*)::int from widget_sessions where ended_at is null and opened_at is not null) as open,
             (select count(*)::int from widget_queue_tickets
              where session_id is null and shown_at > now() - interval '30 seconds') as waiting`,
  });
  return rows[0] ?? { open: 0, waiting: 0 };
};

/** Reads the tables at each collection of the metrics. */
export const startSessionGauges = (db: Database): RunningPart => {
  const end = observe(widgetSessions, async () =>
    Object.entries(await sessionsOf(db)).map(([state, count]) => [
      count,
      { 'parlance.session.state': state },
    ]),
  );
  return { name: 'gauges of widget sessions', stop: async () => end() };
};
