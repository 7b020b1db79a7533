// Commands to outbound calls, and their state as the stream tells it.
import {
  type CommandHandler,
  commandHandler,
  type EventMeta,
  type EventStore,
  type Revision,
  type Standing,
  type StoreDriver,
  streamOf,
} from '@parlance/event-sourcing';
import { type OutboundCallCommand, outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import { type OutboundCallEvent, outboundCallEvents } from '../domain/outbound-call/outbound-call-events.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';

export const outboundCallCategory = 'outboundCall';

export interface OutboundCalls extends CommandHandler<OutboundCall, OutboundCallCommand, OutboundCallEvent> {
  /** Whether nothing was appended since. Reads the last event, and neither decodes nor opens it. */
  readonly isCurrent: (id: string, known: Pick<Standing<OutboundCall>, 'revision'>) => Promise<boolean>;
}

/** A store that can also be read without the domain's codecs. */
export type CallStore = EventStore & { readonly driver: Pick<StoreDriver, 'streamEvents'> };

const newestRevision = async ({ driver }: CallStore, id: string): Promise<Revision> => {
  let newest: Revision = 'none';
  const last = { stream: streamOf(outboundCallCategory, id), limit: 1, backwards: true };
  for await (const { revision } of driver.streamEvents(last)) newest = revision;
  return newest;
};

export const openOutboundCalls = (store: CallStore): OutboundCalls => {
  const handle = commandHandler({
    store,
    codec: outboundCallEvents,
    category: outboundCallCategory,
    decider: outboundCallDecider,
  });
  const isCurrent: OutboundCalls['isCurrent'] = async (id, { revision }) =>
    (await newestRevision(store, id)) === revision;
  return Object.assign(handle, { isCurrent });
};

/** The dialer acting by itself on an attempt; the same step of the same attempt is the same command. */
export const stepMeta = (
  organizationId: string,
  attemptId: string,
  step: string,
  occurredAt: string,
): EventMeta => ({
  commandId: `${attemptId}:${step}`,
  organizationId,
  actor: 'platform:outbound-dialer',
  requestId: attemptId,
  occurredAt,
});
