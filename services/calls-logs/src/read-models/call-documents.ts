// Documents in MongoDB: the last folded state of a call, the turns of its transcript, and the live calls. The call's
// document is written last and carries the revision: all writes of earlier revisions are complete by then.
import { type LiveCall, LiveCall as LiveCallShape } from '@parlance/contracts';
import { type Collections, type CurrentCollections, fold, type Recorded } from '@parlance/event-sourcing';
import { parseJson, stringifyJson } from '@parlance/json';
import { mongoGuard } from '@parlance/postgres';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { callDecider } from '../call/call.js';
import type { CallEvent, RecordedTurn } from '../call/call-events.js';
import { toLiveCall } from '../call/call-log.js';
import type { Call, CallState } from '../call/call-state.js';

// The keys of variables, metadata and tool calls come from customers, and MongoDB could read them as paths and
// operators. No query needs them, so the state is kept as text.
interface CallDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly state: string;
}

/**
 * A document of up to a hundred turns: readers take pages, and a document for each turn would be most of the work of a
 * call.
 */
interface TurnsDocument {
  readonly _id: string;
  readonly callId: string;
  readonly ingestId: string;
  readonly lastSeq: number;
  readonly turns: string;
}

interface LiveDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly startedAt: string;
  readonly call: string;
}

const maxLiveCalls = 1_000;

/** Everything that the projection below writes. */
export const documentCollections = ['calls', 'transcript_turns', 'live_calls'] as const;

const within = (copy: Collections) => ({
  calls: copy.collection<CallDocument>('calls'),
  turns: copy.collection<TurnsDocument>('transcript_turns'),
  live: copy.collection<LiveDocument>('live_calls'),
});

/** The index that the queries of a collection need. */
const indexes = {
  transcript_turns: { callId: 1, ingestId: 1, lastSeq: 1 },
  live_calls: { organizationId: 1, startedAt: -1, _id: -1 },
} as const satisfies Partial<Record<(typeof documentCollections)[number], Record<string, 1 | -1>>>;

/** Makes the indexes that the queries need. */
export const prepareDocuments = async (copy: Collections): Promise<void> => {
  for (const [name, keys] of Object.entries(indexes)) await copy.collection(name).createIndex(keys);
};

const namespaceNotFound = 26;

/** Keys of the indexes of a collection; none where it is not there. */
const keysIn = async (collection: Collection): Promise<readonly string[]> => {
  try {
    return (await collection.indexes()).map(({ key }) => JSON.stringify(key));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === namespaceNotFound) return [];
    throw error;
  }
};

/** Collections without the index that the queries need. */
export const withoutIndex = async (
  copy: Collections,
): Promise<readonly { readonly collection: string; readonly keys: string }[]> => {
  const looked = Object.entries(indexes).map(async ([name, wanted]) => {
    const collection = copy.collection(name);
    const keys = JSON.stringify(wanted);
    return (await keysIn(collection)).includes(keys) ? [] : [{ collection: collection.collectionName, keys }];
  });
  return (await Promise.all(looked)).flat();
};

// Only `projectIntoDocuments` below writes them.
const stateIn = (document: Pick<CallDocument, 'state'>): Call => parseJson(document.state) as Call;
const turnsIn = (document: Pick<TurnsDocument, 'turns'>): RecordedTurn[] =>
  parseJson(document.turns) as RecordedTurn[];

/** The change of a call's document by events. */
interface Change {
  readonly callId: string;
  readonly isNew: boolean;
  readonly before: CallState;
  readonly call: Call;
  /** Only the events that the document does not hold yet. */
  readonly events: readonly Recorded<CallEvent>[];
  readonly revision: number;
}

const changeOf = (
  callId: string,
  document: CallDocument | undefined,
  events: readonly Recorded<CallEvent>[],
): Change | undefined => {
  const known = document?.revision ?? -1;
  const fresh = events.filter((recorded) => Number(recorded.revision) > known);
  const [first, last] = [fresh[0], fresh.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (Number(first.revision) !== known + 1)
    throw new Error('events of this call are missing before this one');
  const before: CallState = document === undefined ? callDecider.initialState : stateIn(document);
  const call = fold(
    callDecider,
    fresh.map(({ event }) => event),
    before,
  );
  if (call.phase === 'absent') throw new Error('the stream does not begin with what the call is');
  const revision = Number(last.revision);
  return { callId, isNew: document === undefined, before, call, events: fresh, revision };
};

type Writes<T extends { _id: string }> = AnyBulkWriteOperation<T>[];

const put = <T extends { _id: string }>(
  { _id, ...replacement }: T,
  condition: object = {},
): AnyBulkWriteOperation<T> => {
  const isGuarded = Object.keys(condition).length > 0;
  // The driver's types cannot see that the replacement is a document without its id.
  return { replaceOne: { filter: { _id, ...condition }, replacement, upsert: !isGuarded } } as never;
};

const turnsWritten = ({ callId, events }: Change): Writes<TurnsDocument> =>
  events.flatMap(({ event }) => {
    const last = event.type === 'TranscriptRecorded' ? event.personal?.turns.at(-1) : undefined;
    if (event.type !== 'TranscriptRecorded' || last === undefined) return [];
    const { ingestId, part } = event.data;
    const turns = stringifyJson(event.personal?.turns);
    return [put({ _id: `${callId}.${ingestId}.${part}`, callId, ingestId, lastSeq: last.seq, turns })];
  });

const liveWritten = ({ callId, before, call }: Change): Writes<LiveDocument> => {
  const shown = toLiveCall(callId, call, new Date(call.updatedAt));
  if (shown !== undefined) {
    const { organizationId, startedAt } = call.description;
    return [put({ _id: callId, organizationId, startedAt, call: stringifyJson(shown) })];
  }
  // Also for a call that was never seen live: before a crash, the same write may have left a live document.
  return before.phase === 'ended' ? [] : [{ deleteOne: { filter: { _id: callId } } }];
};

const callWritten = ({ callId, isNew, call, revision }: Change): AnyBulkWriteOperation<CallDocument> => {
  const { organizationId } = call.description;
  const document = { _id: callId, organizationId, revision, state: stringifyJson(call) };
  return isNew ? { insertOne: { document } } : put(document, { revision: { $lt: revision } });
};

const writeAll = async <T extends { _id: string }>(
  collection: Collection<T>,
  writes: Writes<T>,
): Promise<void> => {
  if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
};

const byCall = (events: readonly Recorded<CallEvent>[]): ReadonlyMap<string, Recorded<CallEvent>[]> => {
  const calls = new Map<string, Recorded<CallEvent>[]>();
  for (const recorded of events) {
    const own = calls.get(recorded.entityId);
    if (own === undefined) calls.set(recorded.entityId, [recorded]);
    else own.push(recorded);
  }
  return calls;
};

/** Folds events onto the documents of their calls. Events that these hold already change nothing. */
export const projectIntoDocuments = async (
  copy: Collections,
  events: readonly Recorded<CallEvent>[],
): Promise<void> => {
  const { calls, turns, live } = within(copy);
  const groups = byCall(events);
  const documents = await calls.find({ _id: { $in: [...groups.keys()] } }).toArray();
  const known = new Map(documents.map((document) => [document._id, document]));
  const changes = [...groups].flatMap(([callId, own]) => changeOf(callId, known.get(callId), own) ?? []);
  await Promise.all([
    writeAll(turns, changes.flatMap(turnsWritten)),
    writeAll(live, changes.flatMap(liveWritten)),
  ]);
  await writeAll(calls, changes.map(callWritten));
};

export interface KnownCall {
  readonly callId: string;
  readonly revision: number;
  readonly call: Call;
}

export class CallDocuments {
  readonly #current: CurrentCollections;

  constructor(current: CurrentCollections) {
    this.#current = current;
  }

  /** The documents of these calls, in no particular order; documents that are not there yet are left out. */
  find(organizationId: string, callIds: readonly string[]): Promise<KnownCall[]> {
    return mongoGuard(async () => {
      const { calls } = within(await this.#current.get());
      const cursor = calls.find({ _id: { $in: [...callIds] }, organizationId });
      const documents = await cursor.toArray();
      return documents.map((document) => ({
        callId: document._id,
        revision: document.revision,
        call: stateIn(document),
      }));
    });
  }

  /** Turns of one hand-over, in order, after `after`. */
  turns(
    callId: string,
    ingestId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<RecordedTurn[]> {
    return mongoGuard(async () => {
      const { turns: parts } = within(await this.#current.get());
      const cursor = parts.find({ callId, ingestId, lastSeq: { $gt: page.after } }).sort({ lastSeq: 1 });
      const turns: RecordedTurn[] = [];
      for await (const document of cursor) {
        turns.push(...turnsIn(document).filter(({ seq }) => seq > page.after));
        if (turns.length >= page.limit) break;
      }
      return turns.slice(0, page.limit);
    });
  }

  /** Live calls of an organization, newest first; their duration as it was when they were written. */
  live(organizationId: string): Promise<LiveCall[]> {
    return mongoGuard(async () => {
      const { live } = within(await this.#current.get());
      const cursor = live.find({ organizationId }).sort({ startedAt: -1, _id: -1 }).limit(maxLiveCalls);
      return (await cursor.toArray()).map(({ call }) => LiveCallShape.parse(parseJson(call)));
    });
  }
}
