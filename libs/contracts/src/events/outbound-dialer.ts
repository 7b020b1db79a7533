// The integration events that outbound-dialer publishes.
import { z } from 'zod';
import { AttemptFacts } from '../values/attempt-facts.js';
import { CallStatus, EndedError, EndedReason, Provider } from '../values/call-status.js';
import { json, timestamp, uuid } from '../values/text.js';
import { defineEvent, sealing } from './event.js';

const attempt = z.object({ outboundCallId: uuid, attemptId: uuid, callId: z.string() });

/** Versions that this release reads and does not send. */
export const outboundDialerEarlierEvents = {
  attemptStarted: defineEvent({
    name: 'outbound-dialer.attempt.started',
    version: 1,
    data: attempt.extend({
      attempt: z.int(),
      roomName: z.string(),
      agentId: uuid,
      agentName: z.string(),
      configVersion: z.int(),
      fromNumber: z.string(),
      toNumber: z.string(),
      provider: Provider.nullable(),
      campaignId: uuid.nullable(),
      dynamicVariables: z.record(z.string(), z.string()),
      metadata: z.record(z.string(), json),
      startedAt: timestamp,
    }),
  }),
} as const;

export const outboundDialerEvents = {
  attemptStarted: sealing(
    outboundDialerEarlierEvents.attemptStarted,
    'calls-logs',
    'fromNumber',
    'toNumber',
    'dynamicVariables',
    'metadata',
  ),
  attemptAnswered: defineEvent({
    name: 'outbound-dialer.attempt.answered',
    version: 1,
    data: attempt.extend({ providerCallId: z.string().nullable(), answeredAt: timestamp }),
  }),
  attemptSettled: defineEvent({
    name: 'outbound-dialer.attempt.settled',
    version: 1,
    data: attempt.extend({
      status: CallStatus,
      endedReason: EndedReason,
      error: EndedError.nullable(),
      endedAt: timestamp,
    }),
  }),
  /** The attempts behind the calls of a request of calls-logs. */
  attemptsReported: defineEvent({
    name: 'outbound-dialer.attempts.reported',
    version: 1,
    data: z.object({
      attempts: z.array(AttemptFacts),
      /** The other calls of the request. */
      unknownCallIds: z.array(z.string()),
    }),
  }),
  /** Something happened to an outbound call beside the start, the answer and the settling of an attempt. */
  outboundCallChanged: defineEvent({
    name: 'outbound-dialer.outbound-call.changed',
    version: 1,
    data: z.object({
      outboundCallId: uuid,
      change: z.enum(['placed', 'attempt_in_doubt', 'attempt_ended', 'cancelled', 'retried']),
      version: z.int(),
    }),
  }),
  campaignChanged: defineEvent({
    name: 'outbound-dialer.campaign.changed',
    version: 1,
    data: z.object({
      campaignId: uuid,
      change: z.enum([
        'created',
        'file_imported',
        'file_refused',
        'started',
        'paused',
        'resumed',
        'completed',
        'cancelled',
      ]),
      version: z.int(),
    }),
  }),
  /** Numbers were put on the suppression list, or one was taken from it. */
  suppressionsChanged: defineEvent({
    name: 'outbound-dialer.suppressions.changed',
    version: 1,
    data: z.object({
      /** Null where several may have changed. */
      suppressionId: uuid.nullable(),
      change: z.enum(['created', 'deleted']),
    }),
  }),
} as const;
