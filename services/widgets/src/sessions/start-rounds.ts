// The rounds that end sessions. Every copy of the service runs them. The deadlines are in Postgres, so the death of the
// copy that opened a session does not lengthen it.
import { withLag } from '@parlance/jobs';
import type { MediaRooms } from '@parlance/media-rooms';
import { type RunningPart, startRounds } from '@parlance/observability';
import { type Database, deleteInPieces } from '@parlance/postgres';
import { type CleaningOptions, cleanEndedSessions, endedSessions } from './cleaning.js';
import { endOverdueSessions, endSession } from './session-rows.js';

export interface SessionRoundsOptions extends CleaningOptions {
  readonly rooms: Pick<MediaRooms, 'deleteRoom' | 'rooms'>;
}

/** With the time that a room takes to be deleted, an end is at most five seconds late. */
const endingEveryMs = 1_000;
/** Where no session has begun or said anything for a minute. */
const quietEndingEveryMs = 5_000;
const lookingEveryMs = 5_000;
const forgettingEveryMs = 600_000;
/** A room is listed by this time after it was made. */
const settledAfter = `interval '2 seconds'`;
/** Webhooks of a room may come late, and ask for the context of its call. */
const keptFor = `interval '2 days'`;
const askedAtOnce = 200;

interface OpenRoom {
  readonly id: string;
  readonly roomName: string;
}

const openRoomsAfter = async (db: Database, id: string): Promise<OpenRoom[]> => {
  const { rows } = await db.query<OpenRoom>({
    name: 'open_rooms',
    text: `select id, room_name as "roomName" from widget_sessions
           where mode = 'voice' and ended_at is null and opened_at < now() - ${settledAfter} and id > $1 order by id limit ${askedAtOnce}`,
    values: [id],
  });
  return rows;
};

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Ends sessions without a room: the media server closes an empty room. */
const endWithoutRooms = async (
  { host: { db }, rooms }: SessionRoundsOptions,
  stopping: AbortSignal,
): Promise<void> => {
  for (let last: string | undefined = beforeAll; last !== undefined && !stopping.aborted; ) {
    const open: OpenRoom[] = await openRoomsAfter(db, last);
    last = open.length < askedAtOnce ? undefined : open.at(-1)?.id;
    if (open.length === 0) return;
    const there = new Set((await rooms.rooms(open.map(({ roomName }) => roomName))).map(({ name }) => name));
    for (const { id, roomName } of open) if (!there.has(roomName)) await endSession(db, id, 'room');
  }
};

export const startSessionRounds = (options: SessionRoundsOptions): readonly RunningPart[] => {
  const { db, logger } = options.host;
  const ends = startRounds({
    ...{ name: 'ends of sessions', everyMs: endingEveryMs, againAfterMs: endingEveryMs, logger },
    ...{ activity: db.activity, quietEveryMs: quietEndingEveryMs },
    round: async (stopping) => {
      await endOverdueSessions(db);
      await cleanEndedSessions(options, stopping);
    },
  });
  return [
    withLag(ends, db, endedSessions),
    startRounds({
      ...{ name: 'rooms of sessions', everyMs: lookingEveryMs, activity: db.activity, logger },
      round: (stopping) => endWithoutRooms(options, stopping),
    }),
    startRounds({
      ...{ name: 'forgetting of sessions', everyMs: forgettingEveryMs, logger },
      round: async () => {
        await deleteInPieces(db, { table: 'widget_sessions', where: `cleaned_at < now() - ${keptFor}` });
        await deleteInPieces(db, {
          table: 'widget_session_counts',
          where: `day < (now() at time zone 'UTC')::date - 31`,
        });
      },
    }),
  ];
};
