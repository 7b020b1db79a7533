// Events that could not be handled, and the later events of their streams: set aside, never skipped in silence.
import type { Database, Tx } from '@parlance/postgres';

export interface DeadLetter {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  readonly type: string;
  /** The error, or the remark that an earlier event of the stream was set aside. */
  readonly reason: string;
  /** The number of tries; 0 for an event that only waits behind another. */
  readonly attempts: number;
}

const longestError = 500;

/** The part of an error that a person needs; the rest is in the log. */
export const summaryOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, longestError);

/** Streams that this projection has stopped following. */
export const pausedStreams = async (db: Database, projection: string): Promise<Set<string>> => {
  const { rows } = await db.query<{ stream: string }>(
    'select distinct stream from projection_dead_letters where projection_id = $1',
    [projection],
  );
  return new Set(rows.map(({ stream }) => stream));
};

/** Those of these events that were set aside. */
export const deadLetterIds = async (
  db: Database,
  projection: string,
  eventIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await db.query<{ event_id: string }>(
    'select event_id from projection_dead_letters where projection_id = $1 and event_id = any($2::uuid[])',
    [projection, eventIds],
  );
  return new Set(rows.map(({ event_id }) => event_id));
};

/** Sets an event aside; the same event twice is one letter. */
export const addDeadLetter = async (tx: Tx, projection: string, letter: DeadLetter): Promise<void> => {
  await tx.query(
    `insert into projection_dead_letters (projection_id, event_id, stream, revision, position, type, reason, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      projection,
      letter.eventId,
      letter.stream,
      letter.revision.toString(),
      letter.position.toString(),
      letter.type,
      letter.reason,
      letter.attempts,
    ],
  );
};

/** The number of events that are set aside, for readiness. */
export const countDeadLetters = async (db: Database, projection: string): Promise<number> => {
  const { rows } = await db.atOnce.query<{ letters: number }>(
    'select count(*)::int as letters from projection_dead_letters where projection_id = $1',
    [projection],
  );
  return rows[0]?.letters ?? 0;
};

/** First and last revision of a stream's events that were set aside; undefined when there are none. */
export const deadLettersOf = async (
  tx: Tx,
  projection: string,
  stream: string,
): Promise<readonly [bigint, bigint] | undefined> => {
  const { rows } = await tx.query<{ first: string | null; last: string | null }>(
    `select min(revision) as first, max(revision) as last from projection_dead_letters
     where projection_id = $1 and stream = $2`,
    [projection, stream],
  );
  const { first, last } = rows[0] ?? { first: null, last: null };
  return first === null || last === null ? undefined : [BigInt(first), BigInt(last)];
};

/** Forgets the set-aside events of a stream, up to and with a revision. */
export const removeDeadLetters = async (
  tx: Tx,
  projection: string,
  stream: string,
  upTo: bigint,
): Promise<void> => {
  await tx.query(
    'delete from projection_dead_letters where projection_id = $1 and stream = $2 and revision <= $3',
    [projection, stream, upTo.toString()],
  );
};
