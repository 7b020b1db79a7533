// A conversation answers one message at a time. The claim to an answer is in the row of the session, with a moment after
// which its giver counts as dead. So a copy of the service that dies blocks the conversation for seconds, and not for
// ever.
import type { CallContext, EndedReason, TranscriptTurn } from '@parlance/contracts';
import { equalSecrets } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Database, Tx } from '@parlance/postgres';
import type { AddedTurns, NewTurn, SessionKey, TurnsOfSessions } from './turns-of-sessions.js';

export interface ClaimOptions {
  readonly sessionTurns: TurnsOfSessions;
  readonly sessionContexts: { read(sessionId: string, stored: unknown): CallContext };
}

/** A message, and the claim to answer it. */
export interface Claim extends SessionKey {
  /** Names the answer. */
  readonly answerId: string;
  readonly context: CallContext;
  readonly openedAt: Date;
  /** The conversation so far, as it was said; the message is the last turn. */
  readonly turns: readonly TranscriptTurn[];
  /** The turns that the message adds to the records. */
  readonly recorded: readonly TranscriptTurn[];
}

/** The widget of a conversation, or the agent that it tries. */
export type Place =
  | { readonly widgetId: string }
  | { readonly organizationId: string; readonly triedAgentId: string };

export interface AskedMessage {
  readonly place: Place;
  readonly sessionId: string;
  /** SHA-256 of the end token, or of the person who tries an agent. */
  readonly endTokenHash: string;
  readonly text: string;
  readonly answerId: string;
  readonly now: Date;
}

/** A conversation without a message ends after this time. */
export const idleSeconds = 300;
/** A claim is renewed more often than that. */
const claimSeconds = 10;
const maxTurns = 200;
/** The largest size of all turns of a conversation, in bytes: the call log takes it over as one request. */
const maxTurnBytes = 2 * 1024 * 1024;
const burst = 5;
/** The agent's answer is a turn, too. */
const turnsOfAnAnswer = 2;

interface SessionRow {
  readonly organizationId: string;
  readonly endTokenHash: string;
  readonly mode: string;
  readonly context: unknown;
  readonly openedAt: Date | null;
  readonly hasEnded: boolean;
  readonly isAnswering: boolean;
  readonly messagesLeft: number;
  readonly turns: number;
  readonly turnBytes: number;
}

const atPlace = (place: Place) =>
  'widgetId' in place
    ? { name: 'of_widget', condition: 'widget_id = $2', values: [place.widgetId] }
    : {
        name: 'of_tried_agent',
        condition: 'organization_id = $2 and tried_agent_id = $3',
        values: [place.organizationId, place.triedAgentId],
      };

const hold = async (tx: Tx, { place, sessionId }: AskedMessage): Promise<SessionRow | undefined> => {
  const { name, condition, values } = atPlace(place);
  const { rows } = await tx.query<SessionRow>({
    name: `hold_conversation_${name}`,
    text: `select organization_id as "organizationId", end_token as "endTokenHash", mode, context,
             opened_at as "openedAt", ended_at is not null as "hasEnded",
             coalesce(answering_until > clock_timestamp(), false) as "isAnswering",
             least(${burst}, messages_left + extract(epoch from clock_timestamp() - messages_left_at))::float8
               as "messagesLeft",
             turns, turn_bytes as "turnBytes"
           from widget_sessions where id = $1 and ${condition} for update`,
    values: [sessionId, ...values],
  });
  return rows[0];
};

const refuseUnlessReady = (row: SessionRow): void => {
  if (row.mode !== 'text') throw new AppError('MODE_NOT_OFFERED');
  if (row.hasEnded) throw new AppError('SESSION_ENDED');
  if (row.isAnswering) throw new AppError('CONFLICT', { retryAfterSeconds: 1 });
  if (row.messagesLeft < 1) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
  if (row.turns + turnsOfAnAnswer > maxTurns) throw new AppError('CONFLICT', { details: { maxTurns } });
  if (row.turnBytes > maxTurnBytes) throw new AppError('CONFLICT', { details: { maxTurnBytes } });
};

/**
 * Writes the message down and claims the answer to it.
 * @throws AppError INVALID_END_TOKEN, or CONVERSATION_NOT_FOUND for a conversation that tries an agent; MODE_NOT_OFFERED, SESSION_ENDED, CONFLICT, RATE_LIMITED
 */
export const claimAnswer = (
  db: Database,
  { sessionTurns, sessionContexts }: ClaimOptions,
  asked: AskedMessage,
): Promise<Claim> =>
  db.transaction(async (tx) => {
    const row = await hold(tx, asked);
    const isRight = equalSecrets(asked.endTokenHash, row?.endTokenHash ?? '');
    if (row === undefined || !isRight)
      throw new AppError('widgetId' in asked.place ? 'INVALID_END_TOKEN' : 'CONVERSATION_NOT_FOUND');
    refuseUnlessReady(row);
    const { organizationId, openedAt } = row;
    if (openedAt === null) throw new AppError('CONFLICT', { retryAfterSeconds: 1 });
    const key = { id: asked.sessionId, organizationId };
    const said = Math.max(0, asked.now.getTime() - openedAt.getTime());
    const message: NewTurn = {
      ...{ role: 'user', text: asked.text, startMs: said, endMs: said, createdAt: asked.now.toISOString() },
    };
    const { recorded } = await sessionTurns.add(tx, key, row.turns, [message]);
    await tx.query(
      `update widget_sessions set answering = $2, answering_until = clock_timestamp() + interval '${claimSeconds} seconds',
         messages_left = $3, messages_left_at = clock_timestamp(),
         idle_at = clock_timestamp() + interval '${idleSeconds} seconds'
       where id = $1`,
      [key.id, asked.answerId, row.messagesLeft - 1],
    );
    const context = sessionContexts.read(key.id, row.context);
    return {
      ...key,
      answerId: asked.answerId,
      context,
      openedAt,
      turns: await sessionTurns.said(tx, key),
      recorded,
    };
  });

/** False for a conversation that has ended, or is answered by another copy. */
export const renewClaim = async (db: Database, { id, answerId }: Claim): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'renew_answer',
    text: `update widget_sessions set answering_until = now() + interval '${claimSeconds} seconds'
           where id = $1 and answering = $2 and ended_at is null`,
    values: [id, answerId],
  });
  return rowCount > 0;
};

/** The number of the next turn; undefined for a claim that was lost. The row is locked until the transaction ends. */
const nextTurn = async (tx: Tx, { id, answerId }: Claim): Promise<number | undefined> => {
  const { rows } = await tx.query<{ turns: number }>(
    'select turns from widget_sessions where id = $1 and answering = $2 for update',
    [id, answerId],
  );
  return rows[0]?.turns;
};

/** Adds turns of an answer that goes on. @throws AppError SESSION_ENDED for a claim that was lost */
export const addTurns = (
  db: Database,
  store: TurnsOfSessions,
  claim: Claim,
  turns: readonly NewTurn[],
): Promise<AddedTurns> =>
  db.transaction(async (tx) => {
    const first = await nextTurn(tx, claim);
    if (first === undefined) throw new AppError('SESSION_ENDED');
    return store.add(tx, claim, first, turns);
  });

/**
 * Ends an answer: adds its last turn, gives the claim back, and ends the conversation if the agent wants that.
 * @returns what was added; nothing for a claim that was lost
 */
export const settleAnswer = (
  db: Database,
  store: TurnsOfSessions,
  claim: Claim,
  last: { readonly turn: NewTurn | undefined; readonly endedReason: EndedReason | undefined },
): Promise<AddedTurns | undefined> =>
  db.transaction(async (tx) => {
    const first = await nextTurn(tx, claim);
    if (first === undefined) return undefined;
    const added =
      last.turn === undefined ? { said: [], recorded: [] } : await store.add(tx, claim, first, [last.turn]);
    await tx.query(
      `update widget_sessions set answering = null, answering_until = null,
         idle_at = clock_timestamp() + interval '${idleSeconds} seconds'
       where id = $1`,
      [claim.id],
    );
    if (last.endedReason !== undefined)
      await tx.query(
        `update widget_sessions set ended_at = clock_timestamp(), next_cleaning_at = clock_timestamp(),
           ended_by = 'agent', agent_reason = $2 where id = $1 and ended_at is null`,
        [claim.id, last.endedReason],
      );
    return added;
  });
