// Applies events that a projection had set aside, once the fault that stopped them is mended.
import type { Database, Tx } from '@parlance/postgres';
import { fenceOff, loadCheckpoint, lockCheckpoint } from './checkpoints.js';
import { deadLettersOf, pausedStreams, removeDeadLetters, summaryOf } from './dead-letters.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import { rawStream } from './raw-reads.js';
import { type ReadModel, type ReadModelEngines, workOf } from './read-model.js';
import { withRebuildLock } from './rebuild-lock.js';
import { opens } from './shared-decoding.js';
import { isTransient } from './transient.js';

export interface ReplayedStream {
  readonly stream: string;
  /** Events that were applied now. */
  readonly events: number;
  /** The reason why the stream still waits; its events stay set aside. */
  readonly failure?: string;
}

/** The events that were set aside, as the read model is given them. */
const eventsBetween = async <E extends Message>(
  { eventStore }: ReadModelEngines,
  model: ReadModel<E>,
  stream: string,
  [first, last]: readonly [bigint, bigint],
): Promise<readonly Recorded<E>[]> => {
  const events: Recorded<E>[] = [];
  const limit = Number(last - first) + 1;
  for await (const raw of rawStream(eventStore, stream, { from: first, limit })) {
    const personal = opens(model.codec, raw.type, model.personal ?? true);
    events.push(await eventStore.decode(raw, model.codec, { personal }));
  }
  return events;
};

/** Deletes the letters of a stream in one transaction, so that it flows again. False when more came in meanwhile. */
const release = async (tx: Tx, projection: string, stream: string, last: bigint): Promise<boolean> => {
  await lockCheckpoint(tx, projection);
  await removeDeadLetters(tx, projection, stream, last);
  if ((await deadLettersOf(tx, projection, stream)) !== undefined) return false;
  await fenceOff(tx, projection);
  return true;
};

const inTransaction = (db: Database, tx: Tx, work: (tx: Tx) => Promise<boolean>): Promise<boolean> =>
  tx === db ? db.transaction(work) : work(tx);

const replayStream = async <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
  stream: string,
): Promise<number> => {
  const { db } = engines;
  const work = workOf(model, engines);
  let applied = 0;
  for (let flows = false; !flows; ) {
    const letters = await deadLettersOf(db, model.id, stream);
    if (letters === undefined) break;
    const { generation } = await loadCheckpoint(db, model.id);
    const events = await eventsBetween(engines, model, stream, letters);
    await work(events, {
      generation,
      advance: async (tx) => {
        flows = await inTransaction(db, tx, (own) => release(own, model.id, stream, letters[1]));
      },
    });
    applied += events.length;
  }
  return applied;
};

/**
 * Applies the set-aside events, stream by stream, also beside running copies of the service. A repetition is harmless:
 * a stream that flows has nothing set aside.
 * @throws AppError SERVICE_UNAVAILABLE when an engine is away, CONFLICT while a rebuild runs in this service. Events
 * that were not replayed yet stay set aside
 */
export const replayParked = async <E extends Message>(
  model: ReadModel<E>,
  engines: ReadModelEngines,
): Promise<readonly ReplayedStream[]> =>
  withRebuildLock(engines.db, async () => {
    const replayed: ReplayedStream[] = [];
    for (const stream of await pausedStreams(engines.db, model.id)) {
      try {
        replayed.push({ stream, events: await replayStream(model, engines, stream) });
      } catch (error) {
        if (isTransient(error)) throw error;
        replayed.push({ stream, events: 0, failure: summaryOf(error) });
      }
    }
    return replayed;
  });
