// The integration events that calls-logs publishes.
import { z } from 'zod';
import { AnsweredBy, CallStatus, EndedReason, Outcome } from '../values/call-status.js';
import { timestamp, uuid } from '../values/text.js';
import { WebhookDeliveryStatus } from '../values/webhook-delivery.js';
import { defineEvent } from './event.js';

export const callsLogsEvents = {
  callAnswered: defineEvent({
    name: 'calls-logs.call.answered',
    version: 1,
    data: z.object({
      callId: z.string(),
      agentId: uuid,
      outboundCallId: uuid.nullable(),
      answeredAt: timestamp,
    }),
  }),
  callEnded: defineEvent({
    name: 'calls-logs.call.ended',
    version: 1,
    data: z.object({
      callId: z.string(),
      agentId: uuid,
      outboundCallId: uuid.nullable(),
      campaignId: uuid.nullable(),
      status: CallStatus,
      outcome: Outcome,
      endedReason: EndedReason,
      answeredBy: AnsweredBy.nullable(),
      startedAt: timestamp,
      answeredAt: timestamp.nullable(),
      endedAt: timestamp,
      durationSeconds: z.number(),
      costMicros: z.int().nullable(),
    }),
  }),
  /** The person asked in a telephone call not to be called again. Whoever needs the number requests it from calls-logs. */
  callOptedOut: defineEvent({
    name: 'calls-logs.call.opted-out',
    version: 1,
    data: z.object({ callId: z.string() }),
  }),
  /** Something happened to a call that is neither its answer nor its end. */
  callChanged: defineEvent({
    name: 'calls-logs.call.changed',
    version: 1,
    data: z.object({
      callId: z.string(),
      change: z.enum(['started', 'end_requested', 'handed_over', 'deleted']),
      /** The version of the call's stream: of two changes, the higher one is newer. */
      version: z.int(),
    }),
  }),
  /** These calls have no reported end: outbound-dialer reports their attempts. Repeated while an end is missing. */
  attemptsRequested: defineEvent({
    name: 'calls-logs.attempts.requested',
    version: 1,
    data: z.object({ callIds: z.array(z.string()) }),
  }),
  /** The voice runtime told turns of a call that lasts. The event holds no spoken words. */
  transcriptGrew: defineEvent({
    name: 'calls-logs.transcript.grew',
    version: 1,
    data: z.object({ callId: z.string(), agentId: z.string(), turns: z.int() }),
  }),
  /** A message to a webhook is due, was tried, or was given up. */
  webhookDeliveryChanged: defineEvent({
    name: 'calls-logs.webhook-delivery.changed',
    version: 1,
    data: z.object({
      /** Null where all messages to one address were given up. */
      deliveryId: uuid.nullable(),
      callId: z.string().nullable(),
      status: WebhookDeliveryStatus,
    }),
  }),
} as const;
