// Commands on calls, bound to their streams.
import {
  type CommandHandler,
  commandHandler,
  type EventMeta,
  type EventStore,
  type RecentStandings,
  type Standing,
} from '@parlance/event-sourcing';
import { LRUCache } from 'lru-cache';
import { callDecider } from './call.js';
import type { CallCommand } from './call-commands.js';
import { type CallEvent, callEvents } from './call-events.js';
import type { Call, CallState } from './call-state.js';

export const callCategory = 'call';

export interface Calls {
  readonly handle: CommandHandler<CallState, CallCommand, CallEvent>;
  /** The call as its stream tells it, of any organization; undefined when there is none. */
  find(callId: string): Promise<Call | undefined>;
  /** The call, unless it is deleted or another organization's. */
  findOwn(organizationId: string, callId: string): Promise<Call | undefined>;
}

/** Holds data of a person, so not for longer than a key of the call may stay in memory. */
const rememberedMs = 60_000;

/** Open calls, whose next report comes soon. */
const openCalls = (): RecentStandings<CallState> => {
  const calls = new LRUCache<string, Standing<CallState>>({ max: 2_000, ttl: rememberedMs });
  return {
    get: (id) => calls.get(id),
    set: (id, standing) => {
      const { phase } = standing.state;
      if (phase === 'live' || phase === 'closing') calls.set(id, standing);
      else calls.delete(id);
    },
    delete: (id) => void calls.delete(id),
  };
};

export const callsIn = (store: EventStore): Calls => {
  const recent = openCalls();
  const handle = commandHandler({
    store,
    codec: callEvents,
    category: callCategory,
    decider: callDecider,
    recent,
  });
  const find = async (callId: string): Promise<Call | undefined> => {
    const { state } = await handle.load(callId);
    return state.phase === 'absent' ? undefined : state;
  };
  return {
    handle,
    find,
    findOwn: async (organizationId, callId) => {
      const call = await find(callId);
      const isOwn = call?.description.organizationId === organizationId && call.deletedAt === null;
      return isOwn ? call : undefined;
    },
  };
};

/** Metadata of a report by another part of the platform; `factId` names the report and stays the same when repeated. */
export const reportedBy = (
  part: string,
  fact: { readonly factId: string; readonly organizationId: string; readonly occurredAt: string },
): EventMeta => ({
  commandId: `${part}:${fact.factId}`,
  organizationId: fact.organizationId,
  actor: `platform:${part}`,
  requestId: fact.factId,
  occurredAt: fact.occurredAt,
  causationId: fact.factId,
});
