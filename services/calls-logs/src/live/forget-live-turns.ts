// Deletes the live turns of a call as soon as its hand-over is recorded or the call is deleted. Where neither happens,
// the turns are deleted some days after the last of them.
import { type Projector, postgresProjector, type SubscriberOptions } from '@parlance/event-sourcing';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';

/** A runtime that crashed hands nothing over: its turns can be read for these days. */
const keptDays = 7;
const dayMs = 24 * 60 * 60 * 1_000;
const sweepEveryMs = 10 * 60 * 1_000;
const rowsAtOnce = 1_000;

const endLiveTranscripts = async (tx: Tx, callIds: readonly string[]): Promise<void> => {
  if (callIds.length === 0) return;
  // The update waits for a request that adds turns at this moment. A later one finds the mark and adds none.
  const { rows } = await tx.query<{ id: string }>({
    name: 'live-transcripts-over',
    text: `update live_transcripts set is_over = true, turns = 0, bytes = 0 where call_id = any($1)
           returning call_id as id`,
    values: [callIds],
  });
  if (rows.length === 0) return;
  await tx.query({
    name: 'live-turns-delete',
    text: 'delete from live_turns where call_id = any($1)',
    values: [rows.map(({ id }) => id)],
  });
};

/** The name of the checkpoint. It is not a read model: the turns that it deletes cannot be made from events. */
export const liveTurnsId = 'call-live-turns';

type Options = Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'> & { readonly clock: Clock };

/** Starts at once. */
export const startForgettingLiveTurns = ({ db, eventStore, logger, clock }: Options): Projector =>
  postgresProjector<CallEvent>({
    ...{ db, eventStore, logger },
    id: liveTurnsId,
    about: ['CallIngested', 'CallDeleted'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    handleBatch: async (tx, events) => {
      // At its first start it reads all that ever happened; nothing of that is still here.
      const since = clock.now().getTime() - 2 * keptDays * dayMs;
      const over = events.filter(({ recordedAt }) => recordedAt.getTime() >= since);
      await endLiveTranscripts(tx, [...new Set(over.map(({ entityId }) => entityId))]);
    },
  });

/** Deletes some that are too old; false when there may be more. */
export const sweepLiveTurns = async (db: Database, now: Date): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'live-transcripts-sweep',
    text: `delete from live_transcripts where (call_id, organization_id, agent_id) in (
             select call_id, organization_id, agent_id from live_transcripts where told_at < $1 limit ${rowsAtOnce})`,
    values: [new Date(now.getTime() - keptDays * dayMs)],
  });
  return rowCount < rowsAtOnce;
};

/** Starts at once. */
export const startSweepingLiveTurns = (options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly clock: Clock;
}): RunningPart =>
  startRounds({
    name: 'sweep of live transcripts',
    everyMs: sweepEveryMs,
    logger: options.logger,
    round: async (stopping) => {
      while (!stopping.aborted && !(await sweepLiveTurns(options.db, options.clock.now())));
    },
  });
