// Conversations that try an agent, among the sessions of widgets.
import { type Database, refuseClosed, type Tx } from '@parlance/postgres';
import type { SessionContexts } from '../sessions/session-contexts.js';
import { endSession, insertSession, type NewSession, type StoredSession } from '../sessions/session-rows.js';

/** Of one person or key at a time. Pages that were closed leave conversations that go on for minutes. */
const mostOfPerson = 5;

/** The person's oldest conversations, as many as are too many beside a new one. */
const tooMany = async (tx: Tx, { context, endTokenHash }: NewSession): Promise<readonly string[]> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'previews_of_person',
    text: `select id from widget_sessions
           where organization_id = $1 and tried_agent_id is not null and end_token = $2 and ended_at is null
           order by created_at desc offset ${mostOfPerson - 1}`,
    values: [context.organizationId, endTokenHash],
  });
  return rows.map(({ id }) => id);
};

/** Notes a conversation that is about to begin. @throws AppError CONFLICT for an organization that was removed */
export const admitPreview = (
  db: Database,
  sessionContexts: SessionContexts,
  session: NewSession,
): Promise<void> =>
  db.transaction(async (tx) => {
    await refuseClosed(tx, session.context.organizationId);
    // One after the other for each person, so that two at the same moment are not both the last one.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `previews:${session.context.organizationId}:${session.endTokenHash}`,
    ]);
    for (const id of await tooMany(tx, session)) await endSession(tx, id, 'visitor');
    await insertSession(tx, sessionContexts, session);
  });

export interface PreviewKey {
  readonly id: string;
  readonly organizationId: string;
  readonly agentId: string;
  /** SHA-256 of the person who tries the agent. */
  readonly endTokenHash: string;
}

export const findPreview = async (
  tx: Tx,
  { id, organizationId, agentId, endTokenHash }: PreviewKey,
): Promise<StoredSession | undefined> => {
  const { rows } = await tx.query<StoredSession>(
    `select end_token as "endTokenHash", opened_at as "openedAt", ended_at as "endedAt" from widget_sessions
     where id = $1 and organization_id = $2 and tried_agent_id = $3 and end_token = $4`,
    [id, organizationId, agentId, endTokenHash],
  );
  return rows[0];
};
