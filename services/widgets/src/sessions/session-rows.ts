// Sessions in Postgres: made, opened and ended. A process that dies in between leaves a row, and the deadline of the
// row ends the session.
import type { CallContext, WidgetMode } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import { idleSeconds } from '../conversations/claims.js';
import type { SessionContexts } from './session-contexts.js';

/**
 * The cause of a session's end. `failed`: its room was never made for sure. `silence`: a conversation in text without a
 * message for too long.
 */
export type EndedBy = 'visitor' | 'time' | 'room' | 'widget' | 'failed' | 'silence' | 'agent' | 'operator';

export interface NewSession {
  readonly id: string;
  /** Null for a conversation that tries an agent. */
  readonly widgetId: string | null;
  readonly mode: WidgetMode;
  /** The name of its room. A conversation in text has no room, and has this name among the live calls. */
  readonly roomName: string;
  /** SHA-256 of the end token, or of the person who tries an agent. */
  readonly endTokenHash: string;
  /** Keyed digest of the visitor's address; empty for a conversation that tries an agent. */
  readonly address: string;
  readonly context: CallContext;
}

export type SessionOfWidget = NewSession & { readonly widgetId: string };

/** The time that the place and the room may take; longer than the time limits of both requests. */
const openingSeconds = 20;

export const insertSession = async (
  tx: Tx,
  contexts: Pick<SessionContexts, 'stored'>,
  session: NewSession,
): Promise<void> => {
  const { context } = session;
  const stored = await contexts.stored(tx, session.id, context);
  await tx.query(
    `insert into widget_sessions (id, organization_id, widget_id, call_id, room_name, end_token, address, context, mode,
       tried_agent_id, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '${openingSeconds} seconds')`,
    [
      ...[session.id, context.organizationId, session.widgetId, context.callId, session.roomName],
      ...[session.endTokenHash, session.address, stored, session.mode],
      session.widgetId === null ? context.agentId : null,
    ],
  );
};

export interface OpenedSession {
  readonly openedAt: Date;
  /** The moment of its end at the latest. */
  readonly endsAt: Date;
}

/**
 * Notes that the room is made, or that a conversation in text begins. The time of the session begins now.
 * @returns undefined when the session was ended meanwhile
 */
export const openSession = async (
  tx: Tx,
  id: string,
  seconds: number,
): Promise<OpenedSession | undefined> => {
  const { rows } = await tx.query<OpenedSession>(
    `with opened as (
       update widget_sessions set opened_at = now(), ends_at = now() + make_interval(secs => $2),
         idle_at = case mode when 'text' then now() + interval '${idleSeconds} seconds' end
       where id = $1 and ended_at is null returning widget_id, opened_at, ends_at),
     counted as (
       insert into widget_session_counts as c (widget_id, day, sessions)
       select widget_id, (now() at time zone 'UTC')::date, 1 from opened where widget_id is not null
       on conflict (widget_id, day) do update set sessions = c.sessions + 1)
     select opened_at as "openedAt", ends_at as "endsAt" from opened`,
    [id, seconds],
  );
  return rows[0];
};

const end = `ended_at = now(), next_cleaning_at = now()`;

/** Ends a session, if it has not ended. */
export const endSession = async (tx: Tx, id: string, by: EndedBy): Promise<void> => {
  await tx.query(`update widget_sessions set ${end}, ended_by = $2 where id = $1 and ended_at is null`, [
    id,
    by,
  ]);
};

/** Ends the sessions of a widget that was disabled. */
export const endSessionsOfWidget = async (
  tx: Tx,
  organizationId: string,
  widgetId: string,
): Promise<void> => {
  await tx.query(
    `update widget_sessions set ${end}, ended_by = 'widget'
     where organization_id = $1 and widget_id = $2 and ended_at is null`,
    [organizationId, widgetId],
  );
};

/** Ends the sessions of a deleted widget. Their rows go as soon as their rooms are gone. */
export const forgetSessionsOfWidget = async (
  tx: Tx,
  organizationId: string,
  widgetId: string,
): Promise<void> => {
  await endSessionsOfWidget(tx, organizationId, widgetId);
  const of = [organizationId, widgetId];
  await tx.query(
    'delete from widget_sessions where organization_id = $1 and widget_id = $2 and cleaned_at is not null',
    of,
  );
  await tx.query('delete from widget_session_counts where widget_id = $1', [widgetId]);
  await tx.query(
    'update widget_sessions set is_forgotten = true where organization_id = $1 and widget_id = $2',
    of,
  );
};

/** Ends conversations that try this agent, or any of the organization. Their rows go as soon as they are handed over. */
export const forgetPreviews = async (
  tx: Tx,
  organizationId: string,
  agentId: string | null,
): Promise<void> => {
  const of = [organizationId, agentId];
  const which = 'organization_id = $1 and tried_agent_id = coalesce($2::uuid, tried_agent_id)';
  await tx.query(
    `update widget_sessions set ${end}, ended_by = 'operator' where ${which} and ended_at is null`,
    of,
  );
  await tx.query(`delete from widget_sessions where ${which} and cleaned_at is not null`, of);
  await tx.query(`update widget_sessions set is_forgotten = true where ${which}`, of);
};

/** Ends overdue sessions, sessions that were never opened, and silent conversations in text. */
export const endOverdueSessions = async (tx: Tx): Promise<number> => {
  const { rowCount } = await tx.query({
    name: 'end_overdue_sessions',
    text: `update widget_sessions
           set ${end}, ended_by = case when opened_at is null then 'failed' when ends_at <= now() then 'time' else 'silence' end
           where ended_at is null and (ends_at <= now() or idle_at <= now())`,
    values: [],
  });
  return rowCount;
};

/** Ends a conversation in text for an operator. False when no conversation of the call goes on. */
export const endConversationOfCall = async (
  tx: Tx,
  organizationId: string,
  callId: string,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `update widget_sessions set ${end}, ended_by = 'operator'
     where organization_id = $1 and call_id = $2 and mode = 'text' and ended_at is null and opened_at is not null`,
    [organizationId, callId],
  );
  return rowCount > 0;
};

/** Ends the session of a call that calls-logs knows to be over. */
export const endSessionOfCall = async (tx: Tx, organizationId: string, callId: string): Promise<void> => {
  await tx.query({
    name: 'session-of-call-ended',
    text: `update widget_sessions set ${end}, ended_by = 'room'
     where organization_id = $1 and call_id = $2 and ended_at is null and opened_at is not null`,
    values: [organizationId, callId],
  });
};

export interface StoredSession {
  readonly endTokenHash: string;
  readonly openedAt: Date | null;
  readonly endedAt: Date | null;
}

export const findSession = async (
  tx: Tx,
  widgetId: string,
  id: string,
): Promise<StoredSession | undefined> => {
  const { rows } = await tx.query<StoredSession>(
    `select end_token as "endTokenHash", opened_at as "openedAt", ended_at as "endedAt"
     from widget_sessions where widget_id = $1 and id = $2`,
    [widgetId, id],
  );
  return rows[0];
};

/** Finds the context in every organization: the metadata of the room does not name the organization. */
export const contextOfCall = async (
  tx: Tx,
  contexts: Pick<SessionContexts, 'read'>,
  callId: string,
): Promise<CallContext | null> => {
  const { rows } = await tx.query<{ id: string; context: unknown }>(
    'select id, context from widget_sessions where call_id = $1',
    [callId],
  );
  const [session] = rows;
  return session === undefined ? null : contexts.read(session.id, session.context);
};
