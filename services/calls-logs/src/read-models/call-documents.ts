// Documents in MongoDB: a call as it was last folded, the turns of its transcript, and the calls that are live. The
// call's document is written last and carries the revision: what is older than it has been written completely.
import { type LiveCall, LiveCall as LiveCallShape } from '@parlance/contracts';
import { type Collections, type CurrentCollections, fold, type Recorded } from '@parlance/event-sourcing';
import { mongoGuard } from '@parlance/persistence';
import { callDecider } from '../call/call.js';
import type { CallEvent, RecordedTurn } from '../call/call-events.js';
import { toLiveCall } from '../call/call-log.js';
import type { Call, CallState } from '../call/call-state.js';

// What customers put into variables, metadata and tool calls has keys that MongoDB would read as paths and operators.
// It is never queried, so it is kept as text.
interface CallDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly state: string;
}

/** Up to a hundred turns; they are read by the page, and a document for each would be most of the work of a call. */
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

/** Makes the indexes that the queries need. */
export const prepareDocuments = async (copy: Collections): Promise<void> => {
  const { turns, live } = within(copy);
  await turns.createIndex({ callId: 1, ingestId: 1, lastSeq: 1 });
  await live.createIndex({ organizationId: 1, startedAt: -1, _id: -1 });
};

// Written by `projectIntoDocuments` below, and by nobody else.
const stateIn = (document: Pick<CallDocument, 'state'>): Call => JSON.parse(document.state) as Call;
const turnsIn = (document: Pick<TurnsDocument, 'turns'>): RecordedTurn[] =>
  JSON.parse(document.turns) as RecordedTurn[];

const writeTurns = async (
  copy: Collections,
  callId: string,
  events: readonly Recorded<CallEvent>[],
): Promise<void> => {
  for (const { event } of events) {
    const last = event.type === 'TranscriptRecorded' ? event.personal?.turns.at(-1) : undefined;
    if (event.type !== 'TranscriptRecorded' || last === undefined) continue;
    const { ingestId, part } = event.data;
    const document = { callId, ingestId, lastSeq: last.seq, turns: JSON.stringify(event.personal?.turns) };
    await within(copy).turns.replaceOne({ _id: `${callId}.${ingestId}.${part}` }, document, {
      upsert: true,
    });
  }
};

const writeLive = async (copy: Collections, callId: string, before: CallState, call: Call): Promise<void> => {
  const { live } = within(copy);
  const shown = toLiveCall(callId, call, new Date(call.updatedAt));
  if (shown !== undefined) {
    const { organizationId, startedAt } = call.description;
    const document = { organizationId, startedAt, call: JSON.stringify(shown) };
    await live.replaceOne({ _id: callId }, document, { upsert: true });
  } else if (before.phase !== 'ended') {
    // Even of a call that was never seen live: a crash may have left what is being written again now.
    await live.deleteOne({ _id: callId });
  }
};

/** Folds consecutive events of one call onto its document. Events that it holds already change nothing. */
export const projectIntoDocuments = async (
  copy: Collections,
  events: readonly Recorded<CallEvent>[],
): Promise<void> => {
  const { calls } = within(copy);
  const callId = events[0]?.entityId ?? '';
  const document = await calls.findOne({ _id: callId });
  const revision = document?.revision ?? -1;
  const fresh = events.filter((recorded) => Number(recorded.revision) > revision);
  const [first, last] = [fresh[0], fresh.at(-1)];
  if (first === undefined || last === undefined) return;
  if (Number(first.revision) !== revision + 1)
    throw new Error('events of this call are missing before this one');
  const before: CallState = document === null ? callDecider.initialState : stateIn(document);
  const state = fold(
    callDecider,
    fresh.map(({ event }) => event),
    before,
  );
  if (state.phase === 'absent') throw new Error('the stream does not begin with what the call is');
  await Promise.all([writeTurns(copy, callId, fresh), writeLive(copy, callId, before, state)]);
  const replacement = {
    organizationId: state.description.organizationId,
    revision: Number(last.revision),
    state: JSON.stringify(state),
  };
  if (document === null) await calls.insertOne({ _id: callId, ...replacement });
  else await calls.replaceOne({ _id: callId, revision: { $lt: replacement.revision } }, replacement);
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

  /** The documents of these calls, in no particular order; those that are not there yet are left out. */
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
      return (await cursor.toArray()).map(({ call }) => LiveCallShape.parse(JSON.parse(call)));
    });
  }
}
