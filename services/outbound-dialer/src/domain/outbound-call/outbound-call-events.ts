// The storage format of streams `outboundCall-<id>`. Names, fields and versions in this file are on disk for ever. A
// change makes a new version and an upcaster, never an edit.
import {
  AnsweredBy,
  CallStatus,
  EndedReason,
  OutboundCallMode,
  Outcome,
  Provider,
  storedJson,
} from '@parlance/contracts';
import { defineEvents, type EventsOf, type Upcaster } from '@parlance/event-sourcing';
import { z } from 'zod';
import { RetryPolicy } from '../campaign/campaign-events.js';

/** An instant as ISO 8601, UTC, milliseconds. */
const at = z.string();
const variables = z.record(z.string(), z.string());
const freeJson = z.record(z.string(), storedJson);

/** The attempt of an event; `callId` names the call's stream in calls-logs. */
const attempt = z.object({ attemptId: z.string(), callId: z.string() });

/** The reasons of an end that a cancellation can have. */
export const CancelReason = EndedReason.extract([
  'cancelled_by_user',
  'campaign_cancelled',
  'operator_ended',
]);
export type CancelReason = z.infer<typeof CancelReason>;

/** Nulls for the fields that an older release did not store. */
const withNull =
  (data: readonly string[], personal: readonly string[] = []): Upcaster =>
  (stored) => ({
    data: { ...nulls(data), ...stored.data },
    personal: stored.personal === null ? null : { ...nulls(personal), ...stored.personal },
  });

const nulls = (names: readonly string[]): Readonly<Record<string, null>> =>
  Object.fromEntries(names.map((name) => [name, null]));

export const outboundCallEvents = defineEvents({
  OutboundCallPlaced: {
    version: 2,
    data: z.object({
      organizationId: z.string(),
      mode: OutboundCallMode,
      agentId: z.string(),
      agentName: z.string(),
      configVersion: z.int(),
      provider: Provider.nullable(),
      sid: z.string().nullable(),
      campaignId: z.string().nullable(),
      rowNumber: z.int().nullable(),
      ringingTimeoutSeconds: z.int(),
      /** The ends that another attempt follows; null leaves that to people. */
      retryPolicy: RetryPolicy.nullable(),
      /** The longest that the call may last, in seconds; absent in events that older releases stored. */
      longestSeconds: z.int().optional(),
      placedAt: at,
    }),
    personal: z.object({
      phoneNumber: z.string(),
      fromNumber: z.string(),
      username: z.string().nullable(),
      firstMessage: z.string().nullable(),
      systemPrompt: z.string().nullable(),
      /** Instead of the agent's own. */
      language: z.string().nullable(),
      voiceId: z.string().nullable(),
      dynamicVariables: variables,
      metadata: freeJson,
    }),
    upcasters: { 1: withNull(['retryPolicy'], ['language', 'voiceId']) },
  },
  /** Recorded before the first request to the media server: without this event no process dials. */
  AttemptStarted: {
    version: 1,
    data: attempt.extend({
      attempt: z.int(),
      roomName: z.string(),
      agentId: z.string(),
      agentName: z.string(),
      configVersion: z.int(),
      provider: Provider.nullable(),
      campaignId: z.string().nullable(),
      startedAt: at,
      /** The time at which the outcome counts as unknown, without evidence by then. */
      deadlineAt: at,
    }),
    personal: z.object({
      fromNumber: z.string(),
      toNumber: z.string(),
      dynamicVariables: variables,
      metadata: freeJson,
    }),
  },
  AttemptAnswered: {
    version: 1,
    data: attempt.extend({ providerCallId: z.string().nullable(), answeredAt: at }),
  },
  /** The media server or the phone said no: certainly not connected. */
  AttemptRejected: {
    version: 1,
    data: attempt.extend({
      status: CallStatus,
      endedReason: EndedReason,
      sipStatus: z.int().nullable(),
      providerCode: z.string().nullable(),
      endedAt: at,
      /** The time at which the next attempt may start by itself; null when the call has ended with this one. */
      nextAttemptAt: at.nullable(),
    }),
  },
  /** The dial was or may have been sent, and it is unknown whether the phone rang. */
  AttemptInDoubt: { version: 1, data: attempt.extend({ since: at }) },
  /** Recovery found the callee in the room: the dial did reach the phone. */
  AttemptAdopted: {
    version: 1,
    data: attempt.extend({ providerCallId: z.string().nullable(), adoptedAt: at }),
  },
  /** Started, and certainly never dialled. */
  AttemptAbandoned: {
    version: 2,
    data: attempt.extend({
      /** Null in events that older releases stored: their only reason was a worker that had been held up. */
      reason: EndedReason.nullable(),
      endedAt: at,
      nextAttemptAt: at.nullable(),
    }),
    upcasters: { 1: withNull(['reason']) },
  },
  AttemptOutcomeUnknown: { version: 1, data: attempt.extend({ endedAt: at }) },
  /** The call behind the attempt has ended, as its own stream tells. */
  AttemptEnded: {
    version: 2,
    data: attempt.extend({
      status: CallStatus,
      outcome: Outcome.nullable(),
      endedReason: EndedReason.nullable(),
      answeredBy: AnsweredBy.nullable(),
      answeredAt: at.nullable(),
      endedAt: at,
      durationSeconds: z.number().nullable(),
      costMicros: z.int().nullable(),
      /** The time of the next attempt by the retry policy; null when the call has ended with this one. */
      nextAttemptAt: at.nullable(),
    }),
    upcasters: { 1: withNull(['nextAttemptAt']) },
  },
  /** Ends the call in any phase; an attempt in progress has to be hung up then. */
  OutboundCallCancelled: {
    version: 3,
    data: z.object({
      attempt: attempt.nullable(),
      /** A person cancelled this call, or the campaign that it belongs to, or ended it while its phone rang. */
      reason: CancelReason,
      cancelledAt: at,
    }),
    upcasters: {
      1: (stored) => ({ ...stored, data: { reason: 'cancelled_by_user', ...stored.data } }),
      // Version 3 can have one reason more.
      2: (stored) => stored,
    },
  },
  /** Nothing rings or talks any more of the attempt that was in progress when the call was cancelled. */
  AttemptHungUp: { version: 1, data: attempt.extend({ hungUpAt: at }) },
  /** A person asked for another attempt. */
  OutboundCallRetried: {
    version: 1,
    data: z.object({
      /** Same for a repeated request, so that it is recognised. */
      retryId: z.string(),
      agentName: z.string(),
      configVersion: z.int(),
      /** The longest that the call may last from now on, in seconds; absent in events that older releases stored. */
      longestSeconds: z.int().optional(),
      retriedAt: at,
    }),
  },
});

export type OutboundCallEvent = EventsOf<typeof outboundCallEvents>;

/** One member of the union. */
export type OutboundCallEventOf<T extends OutboundCallEvent['type']> = Extract<
  OutboundCallEvent,
  { readonly type: T }
>;
