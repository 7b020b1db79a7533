// Commands to outbound calls, and their state as the stream tells it.
import {
  type CommandHandler,
  commandHandler,
  type EventMeta,
  type EventStore,
} from '@parlance/event-sourcing';
import { type OutboundCallCommand, outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import { type OutboundCallEvent, outboundCallEvents } from '../domain/outbound-call/outbound-call-events.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';

export const outboundCallCategory = 'outboundCall';

export type OutboundCalls = CommandHandler<OutboundCall, OutboundCallCommand, OutboundCallEvent>;

export const openOutboundCalls = (store: EventStore): OutboundCalls =>
  commandHandler({
    store,
    codec: outboundCallEvents,
    category: outboundCallCategory,
    decider: outboundCallDecider,
  });

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
