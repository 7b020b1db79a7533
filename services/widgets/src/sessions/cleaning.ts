// Cleans up after sessions that ended. Their rooms are deleted, and conversations in text are handed over to the call log. Their places
// among the organization's calls are given back. Each step may be repeated, so another copy follows a copy that dies in the middle.
import { serviceRequests, type WidgetMode } from '@parlance/contracts';
import { type Iteration, JobQueue, runDue } from '@parlance/jobs';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Database } from '@parlance/postgres';
import { type HandOverOptions, handOver } from './hand-over.js';
import type { EndedBy } from './session-rows.js';

export interface CleaningOptions extends HandOverOptions {
  readonly rooms: Pick<MediaRooms, 'deleteRoom'>;
}

interface EndedSession {
  readonly id: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly roomName: string;
  readonly mode: WidgetMode;
  readonly context: unknown;
  /** Null for a session that was never opened. */
  readonly openedAt: Date | null;
  readonly endedAt: Date;
  readonly endedBy: EndedBy;
  readonly agentReason: string | null;
  /** The lifetime of the room; null when it was never opened. */
  readonly seconds: number | null;
}

export const endedSessions = new JobQueue<EndedSession>({
  name: 'ended-widget-sessions',
  table: 'widget_sessions',
  key: ['id'],
  columns: `id, organization_id as "organizationId", call_id as "callId", room_name as "roomName", mode, context,
    opened_at as "openedAt", ended_at as "endedAt", ended_by as "endedBy", agent_reason as "agentReason",
    extract(epoch from ended_at - opened_at)::float8 as seconds`,
  dueAt: 'next_cleaning_at',
  // an answer that is broken off writes down its words first
  where:
    'ended_at is not null and cleaned_at is null and (answering_until is null or answering_until <= now())',
  // a replica that has not finished after this time may have died
  leaseMs: 2_000,
});

const settle = async (db: Database, id: string): Promise<void> => {
  await db.transaction(async (tx) => {
    await tx.query('delete from widget_turns where session_id = $1', [id]);
    await tx.query('delete from widget_sessions where id = $1 and is_forgotten', [id]);
    await tx.query('update widget_sessions set cleaned_at = now() where id = $1', [id]);
  });
};

const clean = async (options: CleaningOptions, session: EndedSession): Promise<void> => {
  const { db, rpc, callerFor, ids } = options.host;
  const { id, organizationId, callId, seconds } = session;
  // no further answer needs them
  await db.query('update widget_turns set words = null where session_id = $1 and words is not null', [id]);
  if (session.mode === 'voice') await options.rooms.deleteRoom(session.roomName);
  else if (session.openedAt !== null) await handOver(options, { ...session, openedAt: session.openedAt });
  const context = { caller: callerFor(organizationId), requestId: ids.next() };
  await rpc.call(serviceRequests.placesGiveBack, { body: { callId, seconds } }, context);
  await settle(db, id);
};

/** Cleans up after every ended session that is due; a session that cannot be cleaned up now is due again soon. */
export const cleanEndedSessions = (options: CleaningOptions, stopping: AbortSignal): Promise<Iteration> =>
  runDue(
    {
      db: options.host.db,
      queue: endedSessions,
      atOnce: 20,
      perform: (session) => clean(options, session),
      describe: ({ id: sessionId }) => ({ sessionId }),
      logger: options.host.logger,
    },
    stopping,
  );
