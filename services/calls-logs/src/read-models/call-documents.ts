// Documents in MongoDB: the last folded state of a call, the turns of its transcript, and the live calls. All that identifies a
// person is sealed with the key of the call's stream. The call's document is written last and carries the revision: all writes
// of earlier revisions are complete by then.
import { type LiveCall, LiveCall as LiveCallShape } from '@parlance/contracts';
import {
  type Collections,
  type CurrentCollections,
  fold,
  type HandlerTools,
  type PersonalParts,
  type Recorded,
  streamOf,
} from '@parlance/event-sourcing';
import { parseJson, stringifyJson } from '@parlance/json';
import { removedAmong } from '@parlance/postgres';
import { mongoGuard } from '@parlance/postgres/mongo';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { callDecider } from '../call/call.js';
import type { CallEvent, RecordedTurn } from '../call/call-events.js';
import { toLiveCall } from '../call/call-log.js';
import { type PersonalOfCall, personalOf, withoutPersonal, withPersonal } from '../call/call-personal.js';
import { callCategory } from '../call/call-repository.js';
import type { Call, CallState } from '../call/call-state.js';
import type { UnsealedDocuments } from './unsealed-documents.js';

// The keys of variables, metadata and tool calls come from customers, and MongoDB could read them as paths and
// operators. No query needs them, so the state is kept as text.
interface CallDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  /** Without what identifies a person. */
  readonly state: string;
  /** Sealed; absent once the call was deleted. */
  readonly personal?: string;
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
  /** As the event has them, sealed with the same key. */
  readonly turns: string;
}

/** The personal part of the event that recorded the turns. */
interface RecordedTurns {
  readonly turns: readonly RecordedTurn[];
}

interface LiveDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly startedAt: string;
  /** Without its numbers. */
  readonly call: string;
  /** The numbers, sealed; absent of a call without any. */
  readonly numbers?: string;
}

type Numbers = Pick<LiveCall, 'fromNumber' | 'toNumber'>;

const maxLiveCalls = 1_000;

/** Everything that the projection below writes. */
export const documentCollections = ['sealed_calls', 'sealed_turns', 'sealed_live_calls'] as const;

const within = (copy: Collections) => ({
  calls: copy.collection<CallDocument>('sealed_calls'),
  turns: copy.collection<TurnsDocument>('sealed_turns'),
  live: copy.collection<LiveDocument>('sealed_live_calls'),
});

/** The index that the queries of a collection need. */
const indexes = {
  sealed_turns: { callId: 1, ingestId: 1, lastSeq: 1 },
  sealed_live_calls: { organizationId: 1, startedAt: -1, _id: -1 },
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

// The casts below: only `projectIntoDocuments` writes these values.

const callIn = async (
  keys: Pick<PersonalParts, 'open'>,
  { _id, state, personal }: CallDocument,
): Promise<Call> => {
  const call = parseJson(state) as Call;
  const opened = personal === undefined ? null : await keys.open(streamOf(callCategory, _id), personal);
  return opened === null ? call : withPersonal(call, opened as PersonalOfCall);
};

/** Documents of a read model that was made before the turns were stored as the event has them hold nothing but the turns. */
const turnsIn = async (
  keys: Pick<PersonalParts, 'open'>,
  { callId, turns }: Pick<TurnsDocument, 'callId' | 'turns'>,
): Promise<readonly RecordedTurn[]> => {
  const opened = (await keys.open(streamOf(callCategory, callId), turns)) as
    | RecordedTurns
    | readonly RecordedTurn[]
    | null;
  if (opened === null) return [];
  return 'turns' in opened ? opened.turns : opened;
};

const liveIn = async (
  keys: Pick<PersonalParts, 'open'>,
  { _id, call, numbers }: LiveDocument,
): Promise<LiveCall> => {
  const live = LiveCallShape.parse(parseJson(call));
  const opened = numbers === undefined ? null : await keys.open(streamOf(callCategory, _id), numbers);
  return opened === null ? live : { ...live, ...(opened as Numbers) };
};

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

const changeOf = async (
  keys: PersonalParts,
  callId: string,
  document: CallDocument | undefined,
  events: readonly Recorded<CallEvent>[],
): Promise<Change | undefined> => {
  const known = document?.revision ?? -1;
  const fresh = events.filter((recorded) => Number(recorded.revision) > known);
  const [first, last] = [fresh[0], fresh.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (Number(first.revision) !== known + 1)
    throw new Error('events of this call are missing before this one');
  const before: CallState = document === undefined ? callDecider.initialState : await callIn(keys, document);
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

const isDeleted = (state: CallState): boolean => state.phase !== 'absent' && state.deletedAt !== null;

/** A deleted call has no turns, and gets none. */
const turnsWritten = async (
  keys: PersonalParts,
  { callId, events, before, call }: Change,
): Promise<Writes<TurnsDocument>> => {
  if (isDeleted(before)) return [];
  if (isDeleted(call)) return [{ deleteMany: { filter: { callId } } }];
  const parts = events.map(async ({ event, sealed: turns }) => {
    if (event.type !== 'TranscriptRecorded' || turns === undefined) return [];
    const { ingestId, part } = event.data;
    // Events of release 0.1.0 do not have the number.
    const lastSeq = event.data.lastSeq ?? (await turnsIn(keys, { callId, turns })).at(-1)?.seq;
    if (lastSeq === undefined) return [];
    return [put({ _id: `${callId}.${ingestId}.${part}`, callId, ingestId, lastSeq, turns })];
  });
  return (await Promise.all(parts)).flat();
};

/** Events that change nothing of what a live document shows. */
const unseenLive: ReadonlySet<CallEvent['type']> = new Set([
  'CallEndRequested',
  'InitiationAnswered',
  'ToolRan',
  'TranscriptRecorded',
]);

const liveWritten = async (
  keys: PersonalParts,
  { callId, call, events }: Change,
): Promise<Writes<LiveDocument>> => {
  if (events.every(({ event }) => unseenLive.has(event.type))) return [];
  // Readers fill in the duration, so that the document changes with the call alone.
  const shown = toLiveCall(callId, call, new Date(0));
  if (shown === undefined) return [];
  const { organizationId, startedAt } = call.description;
  const { fromNumber, toNumber } = shown;
  const isNumbered = fromNumber !== null || toNumber !== null;
  return [
    put({
      _id: callId,
      organizationId,
      startedAt,
      call: stringifyJson({ ...shown, fromNumber: null, toNumber: null }),
      ...(isNumbered && {
        numbers: await keys.seal(streamOf(callCategory, callId), { fromNumber, toNumber }),
      }),
    }),
  ];
};

/**
 * Takes away the live documents of calls that are not live any more. Also of those that were never seen live: before a crash,
 * the same write may have left one.
 */
const liveRemoved = (changes: readonly Change[]): Writes<LiveDocument> => {
  const over = changes.filter(({ before, call }) => call.phase !== 'live' && before.phase !== 'ended');
  return over.length === 0
    ? []
    : [{ deleteMany: { filter: { _id: { $in: over.map(({ callId }) => callId) } } } }];
};

const callWritten = async (
  keys: PersonalParts,
  { callId, isNew, call, revision }: Change,
): Promise<AnyBulkWriteOperation<CallDocument>> => {
  const document = {
    _id: callId,
    organizationId: call.description.organizationId,
    revision,
    state: stringifyJson(withoutPersonal(call)),
    ...(call.people !== null && {
      personal: await keys.seal(streamOf(callCategory, callId), personalOf(call)),
    }),
  };
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

/** The groups of events, without those of organizations that were removed with their documents. */
const ofKeptOrganizations = async (
  db: HandlerTools['db'],
  groups: ReadonlyMap<string, Recorded<CallEvent>[]>,
  known: ReadonlyMap<string, unknown>,
): Promise<[string, Recorded<CallEvent>[]][]> => {
  const organizationOf = ([first]: readonly Recorded<CallEvent>[]) => first?.metadata.organizationId ?? '';
  const fresh = [...groups].filter(([callId]) => !known.has(callId));
  if (fresh.length === 0) return [...groups];
  const removed = await removedAmong(db, [...new Set(fresh.map(([, events]) => organizationOf(events)))]);
  return [...groups].filter(([callId, events]) => known.has(callId) || !removed.has(organizationOf(events)));
};

/** Folds events onto the documents of their calls. Events that these hold already change nothing. */
export const projectIntoDocuments = async (
  copy: Collections,
  events: readonly Recorded<CallEvent>[],
  { db, personalData: keys }: HandlerTools,
): Promise<void> => {
  const { calls, turns, live } = within(copy);
  const groups = byCall(events);
  const documents = await calls.find({ _id: { $in: [...groups.keys()] } }).toArray();
  const known = new Map(documents.map((document) => [document._id, document]));
  const kept = await ofKeptOrganizations(db, groups, known);
  const changed = await Promise.all(
    kept.map(([callId, own]) => changeOf(keys, callId, known.get(callId), own)),
  );
  const changes = changed.flatMap((change) => change ?? []);
  const written = <T>(writesOf: (keys: PersonalParts, change: Change) => Promise<T>): Promise<T[]> =>
    Promise.all(changes.map((change) => writesOf(keys, change)));
  await Promise.all([
    writeAll(turns, (await written(turnsWritten)).flat()),
    writeAll(live, [...(await written(liveWritten)).flat(), ...liveRemoved(changes)]),
  ]);
  await writeAll(calls, await written(callWritten));
};

/** Takes from the documents what identifies a person, ahead of the projection or after it. */
const eraseDocuments = async (copy: Collections, callIds: readonly string[]): Promise<void> => {
  const { calls, turns, live } = within(copy);
  const these = { _id: { $in: [...callIds] } };
  await turns.deleteMany({ callId: { $in: [...callIds] } });
  await live.updateMany(these, { $unset: { numbers: '' } });
  await calls.updateMany(these, { $unset: { personal: '' } });
};

const deleteDocuments = async (copy: Collections, callIds: readonly string[]): Promise<void> => {
  const { calls, turns, live } = within(copy);
  const these = { _id: { $in: [...callIds] } };
  await turns.deleteMany({ callId: { $in: [...callIds] } });
  await live.deleteMany(these);
  await calls.deleteMany(these);
};

export interface KnownCall {
  readonly callId: string;
  readonly revision: number;
  readonly call: Call;
}

export interface CallDocumentsOptions {
  readonly current: CurrentCollections;
  readonly keys: Pick<PersonalParts, 'open'>;
  readonly unsealed: Pick<UnsealedDocuments, 'erase' | 'find' | 'turns'>;
}

export class CallDocuments {
  readonly #current: CurrentCollections;
  readonly #keys: Pick<PersonalParts, 'open'>;
  readonly #unsealed: CallDocumentsOptions['unsealed'];

  constructor({ current, keys, unsealed }: CallDocumentsOptions) {
    this.#current = current;
    this.#keys = keys;
    this.#unsealed = unsealed;
  }

  /** The documents of these calls, in no particular order; documents that are not there yet are left out. */
  find(organizationId: string, callIds: readonly string[]): Promise<KnownCall[]> {
    return mongoGuard(async () => {
      const { calls } = within(await this.#current.get());
      const cursor = calls.find({ _id: { $in: [...callIds] }, organizationId });
      const documents = await cursor.toArray();
      const known = new Set(documents.map(({ _id }) => _id));
      const missing = callIds.filter((callId) => !known.has(callId));
      const [opened, unsealed] = await Promise.all([
        Promise.all(
          documents.map(async (document) => ({
            callId: document._id,
            revision: document.revision,
            call: await callIn(this.#keys, document),
          })),
        ),
        this.#unsealed.find(organizationId, missing),
      ]);
      return [...opened, ...unsealed];
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
        const opened = await turnsIn(this.#keys, document);
        turns.push(...opened.filter(({ seq }) => seq > page.after));
        if (turns.length >= page.limit) break;
      }
      const found =
        turns.length > 0 ? turns : await this.#unsealed.turns(callId, ingestId, page.after, page.limit);
      return found.slice(0, page.limit);
    });
  }

  /** Live calls of an organization, newest first, without their duration. */
  live(organizationId: string): Promise<LiveCall[]> {
    return mongoGuard(async () => {
      const { live } = within(await this.#current.get());
      const cursor = live.find({ organizationId }).sort({ startedAt: -1, _id: -1 }).limit(maxLiveCalls);
      return Promise.all((await cursor.toArray()).map((document) => liveIn(this.#keys, document)));
    });
  }

  /** Takes what identifies a person from the documents of these calls. */
  erase(callIds: readonly string[]): Promise<void> {
    return mongoGuard(async () => {
      await eraseDocuments(await this.#current.get(), callIds);
      await this.#unsealed.erase(callIds);
    });
  }

  /** Deletes the documents of these calls, of an organization that was removed. */
  delete(callIds: readonly string[]): Promise<void> {
    return mongoGuard(async () => {
      await deleteDocuments(await this.#current.get(), callIds);
      await this.#unsealed.erase(callIds);
    });
  }
}
