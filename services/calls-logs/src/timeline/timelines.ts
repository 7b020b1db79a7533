// The timeline of a call: its own stream, its webhooks, and the attempts of the outbound call that it belongs to.
import {
  type Caller,
  type CallTimeline,
  type CallTimelineEntry,
  type CallTimelineFacts,
  contract,
  mostTimelineEntries,
} from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import {
  type EventStoreConnection,
  fold,
  type Recorded,
  rawStream,
  streamOf,
} from '@parlance/event-sourcing';
import type { Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import { callDecider } from '../call/call.js';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';
import type { Call } from '../call/call-state.js';
import { entriesOfCall } from './call-entries.js';
import { inOrderOfCause } from './order.js';
import { webhookEntriesOf } from './webhook-entries.js';

export interface TimelinesOptions {
  readonly store: EventStoreConnection;
  readonly db: Database;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly ids: Ids;
  readonly callerFor: (organizationId: string) => Caller;
}

interface Outbound {
  readonly entries: readonly CallTimelineEntry[];
  readonly isCut: boolean;
  readonly isMissing: boolean;
}

const nothing: Outbound = { entries: [], isCut: false, isMissing: false };

const outboundOf = ({ outbound }: CallTimelineFacts): Outbound => {
  if (outbound === null) return nothing;
  return outbound.timeline === null
    ? { ...nothing, isMissing: true }
    : { ...outbound.timeline, isMissing: false };
};

export class Timelines {
  readonly #options: TimelinesOptions;

  constructor(options: TimelinesOptions) {
    this.#options = options;
  }

  /**
   * @param facts of the gateway; one of 0.2.0 sends none, and the attempts are requested for it
   * @throws AppError CALL_NOT_FOUND, also for a deleted call and one of another organization
   */
  async ofCall(
    { organizationId, permissions }: Caller,
    callId: string,
    facts: CallTimelineFacts | undefined,
  ): Promise<CallTimeline> {
    const events = await this.#eventsOf(callId);
    const call = callAfter(events);
    if (call === undefined || call.description.organizationId !== organizationId)
      throw new AppError('CALL_NOT_FOUND');
    const { outboundCallId } = call.description;
    const mayRead = permissions.includes('outboundCalls:read');
    const [webhooks, outbound] = await Promise.all([
      webhookEntriesOf(this.#options.db, organizationId, callId),
      outboundCallId === null || !mayRead
        ? nothing
        : facts === undefined
          ? this.#outbound(organizationId, outboundCallId)
          : outboundOf(facts),
    ]);
    const all = inOrderOfCause(callId, outbound.entries, [...entriesOfCall(events), ...webhooks]);
    return {
      entries: all.slice(0, mostTimelineEntries),
      isCut: outbound.isCut || all.length > mostTimelineEntries,
      missing: outbound.isMissing ? ['outbound'] : [],
    };
  }

  /** The words of the call stay sealed: they are most of its data, and no entry needs them. */
  async #eventsOf(callId: string): Promise<readonly Recorded<CallEvent>[]> {
    const { store } = this.#options;
    const events: Recorded<CallEvent>[] = [];
    for await (const raw of rawStream(store, streamOf(callCategory, callId))) {
      const recorded = await store.decode(raw, callEvents, { personal: raw.type !== 'TranscriptRecorded' });
      if (recorded === undefined) throw new Error('an event of a call is not known');
      events.push(recorded);
    }
    return events;
  }

  async #outbound(organizationId: string, outboundId: string): Promise<Outbound> {
    const { rpc, ids, callerFor } = this.#options;
    const context = { caller: callerFor(organizationId), requestId: ids.next() };
    try {
      const { data } = await rpc.call(contract.outboundCallsTimeline, { params: { outboundId } }, context);
      return { ...data, isMissing: false };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Only the metadata of a room told of an outbound call, and the dialer knows none.
      if (error.code === 'OUTBOUND_CALL_NOT_FOUND') return nothing;
      if (errorCodes[error.code].status < 500) throw error;
      return { ...nothing, isMissing: true };
    }
  }
}

const callAfter = (events: readonly Recorded<CallEvent>[]): Call | undefined => {
  const state = fold(
    callDecider,
    events.map(({ event }) => event),
  );
  return state.phase === 'absent' || state.deletedAt !== null ? undefined : state;
};
