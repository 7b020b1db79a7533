// Pages of a transcript. A page comes from the documents while they are as new as the call's stream: then only the
// turns of the page are read. While the documents are older, the page comes from the stream itself. Until the call is
// handed over, the page holds the turns that the runtime has told so far.
import { type EventStoreConnection, newestOfStream, rawStream, streamOf } from '@parlance/event-sourcing';
import { callEvents, type RecordedTurn } from '../call/call-events.js';
import { type Calls, callCategory } from '../call/call-repository.js';
import type { Call } from '../call/call-state.js';
import { isOver, type LiveTurns } from '../live/live-turns.js';
import type { CallDocuments } from '../read-models/call-documents.js';

export interface TurnsPage {
  /** Number of the last turn before the page. */
  readonly after: number;
  readonly limit: number;
}

export class Transcripts {
  readonly #store: EventStoreConnection;
  readonly #calls: Calls;
  readonly #documents: CallDocuments;
  readonly #liveTurns: Pick<LiveTurns, 'page'>;

  constructor(parts: {
    readonly store: EventStoreConnection;
    readonly calls: Calls;
    readonly documents: CallDocuments;
    readonly liveTurns: Pick<LiveTurns, 'page'>;
  }) {
    this.#store = parts.store;
    this.#calls = parts.calls;
    this.#documents = parts.documents;
    this.#liveTurns = parts.liveTurns;
  }

  /** Turns in order; undefined where the organization has no such call. */
  async page(organizationId: string, callId: string, page: TurnsPage): Promise<RecordedTurn[] | undefined> {
    const document = await this.#currentDocument(organizationId, callId);
    const call = document ?? (await this.#calls.findOwn(organizationId, callId));
    if (call === undefined || call.deletedAt !== null) return undefined;
    if (call.ingested === null) return this.#whileItLasts(organizationId, callId, call, page);
    const { ingestId } = call.ingested.data;
    return document === undefined
      ? this.#fromStream(callId, ingestId, page)
      : this.#documents.turns(callId, ingestId, page);
  }

  async #whileItLasts(
    organizationId: string,
    callId: string,
    { description: { agentId } }: Call,
    page: TurnsPage,
  ): Promise<RecordedTurn[] | undefined> {
    const told = await this.#liveTurns.page({ organizationId, agentId, callId }, page);
    if (told !== isOver) return told;
    // Between the two questions the call was handed over or deleted.
    const call = await this.#calls.findOwn(organizationId, callId);
    return call?.ingested ? this.#fromStream(callId, call.ingested.data.ingestId, page) : undefined;
  }

  /** The call's document, unless the stream has gone on since. */
  async #currentDocument(organizationId: string, callId: string): Promise<Call | undefined> {
    // The stream first: a document that is read later and holds this event holds everything that was true at the question.
    const newest = await newestOfStream(this.#store, streamOf(callCategory, callId));
    const [document] = await this.#documents.find(organizationId, [callId]);
    const isCurrent = newest !== undefined && document !== undefined && document.revision >= newest.revision;
    return isCurrent ? document.call : undefined;
  }

  async #fromStream(callId: string, ingestId: string, { after, limit }: TurnsPage): Promise<RecordedTurn[]> {
    const turns: RecordedTurn[] = [];
    for await (const raw of rawStream(this.#store, streamOf(callCategory, callId))) {
      if (raw.type !== 'TranscriptRecorded') continue;
      const recorded = await this.#store.decode(raw, callEvents);
      const event = recorded?.event;
      if (event?.type !== 'TranscriptRecorded' || event.data.ingestId !== ingestId) continue;
      turns.push(...(event.personal?.turns ?? []).filter(({ seq }) => seq > after));
      if (turns.length >= limit) break;
    }
    return turns.slice(0, limit);
  }
}
