// The events of a call with their reasons, as facts that a page writes sentences from. It holds no spoken words and no
// number.
import { z } from 'zod';
import {
  AnalysisStatus,
  AnsweredBy,
  CallStatus,
  Channel,
  Direction,
  EndedReason,
  OutboundCallMode,
  Outcome,
  Provider,
} from './call-status.js';
import { timestamp, uuid } from './text.js';
import { WebhookDeliveryStatus, WebhookProblemCode } from './webhook-delivery.js';

const actor = z
  .object({
    type: z.string().meta({ description: '`user`, `key`, `call` or `platform`' }),
    id: z.string().meta({ description: 'ID of the user, key or call; the service name for `platform`' }),
  })
  .meta({ id: 'TimelineActor', description: 'Who or what caused an entry of a timeline.' });

const common = {
  at: timestamp.meta({ description: 'when it happened; may be earlier than when it became known' }),
  actor: actor
    .nullable()
    .meta({ description: 'who or what caused it: a user, key, call or service; null if unknown' }),
};

/** `TimelineAttemptInDoubt` for `attempt.in_doubt`. Generators of clients need a name for each member of a union. */
const metaOf = (kind: string): { readonly id: string; readonly description: string } => {
  const words = kind.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return { id: `Timeline${words.join('')}`, description: `The step \`${kind}\` of a timeline.` };
};

const entry = <K extends string, D extends z.ZodRawShape>(kind: K, details: D) =>
  z.object({ ...common, kind: z.literal(kind), details: z.object(details) }).meta(metaOf(kind));

const ofAttempt = <K extends string, D extends z.ZodRawShape>(kind: K, details: D) =>
  z
    .object({
      ...common,
      kind: z.literal(kind),
      attemptNumber: z.int().nullable(),
      details: z.object({ callId: z.string(), ...details }),
    })
    .meta(metaOf(kind));

const nextAttemptAt = timestamp
  .nullable()
  .meta({ description: 'earliest time of the next automatic attempt; null if there is none' });
const durationSeconds = z.number().nullable();
const sipStatus = z.int().nullable();

/** The entries of an outbound call, from its own stream. */
const outboundEntries = [
  entry('outbound.placed', {
    mode: OutboundCallMode,
    agentId: z.string(),
    campaignId: z.string().nullable(),
    rowNumber: z.int().nullable(),
  }),
  entry('outbound.cancelled', { reason: EndedReason }),
  entry('outbound.retried', {}),
  ofAttempt('attempt.started', {
    provider: Provider.nullable(),
    configVersion: z.int(),
    deadlineAt: timestamp,
  }),
  ofAttempt('attempt.answered', {}),
  ofAttempt('attempt.rejected', { status: CallStatus, endedReason: EndedReason, sipStatus, nextAttemptAt }),
  ofAttempt('attempt.in_doubt', {}),
  ofAttempt('attempt.adopted', {}),
  ofAttempt('attempt.abandoned', { endedReason: EndedReason.nullable(), nextAttemptAt }),
  ofAttempt('attempt.outcome_unknown', {}),
  ofAttempt('attempt.ended', {
    status: CallStatus,
    outcome: Outcome.nullable(),
    endedReason: EndedReason.nullable(),
    answeredBy: AnsweredBy.nullable(),
    durationSeconds,
    nextAttemptAt,
  }),
  ofAttempt('attempt.hung_up', {}),
] as const;

const participant = z.enum(['agent', 'person', 'other']);

/** Entries of a call, from its stream and from the records of its webhooks. */
const callEntries = [
  entry('call.started', {
    channel: Channel,
    direction: Direction,
    toldBy: z.enum(['dialer', 'runtime', 'room']),
  }),
  entry('call.answered', {}),
  entry('participant.joined', { participant, present: z.int() }),
  entry('participant.left', {
    participant,
    present: z.int(),
    leftBy: z
      .enum(['itself', 'others'])
      .nullable()
      .meta({ description: 'null if the media server did not report it' }),
  }),
  entry('call.end_requested', {}),
  entry('room.closed', {}),
  entry('call.ended', {
    status: CallStatus,
    endedReason: EndedReason,
    answeredBy: AnsweredBy.nullable(),
    durationSeconds,
    sipStatus,
    toldBy: z.enum(['dialer', 'runtime', 'inferred']),
  }),
  entry('call.handed_over', {
    messageCount: z.int(),
    analysisStatus: AnalysisStatus,
    successful: z.enum(['success', 'failure', 'unknown']).nullable(),
    transfer: z
      .object({ type: z.enum(['cold', 'warm', 'agent']), status: z.enum(['ongoing', 'succeeded', 'failed']) })
      .nullable(),
    costMicros: z.int().nullable(),
  }),
  entry('recording.deleted', {}),
  entry('tool.ran', {
    toolId: z.string(),
    name: z.string(),
    status: z.enum(['ok', 'error', 'timeout']),
    durationMs: z.int(),
  }),
  entry('initiation.asked', {
    outcome: z.string(),
    statusCode: z.int().nullable(),
    durationMs: z.number(),
    error: z.string().nullable(),
  }),
  entry('webhook.due', {
    deliveryId: uuid,
    type: z.string(),
    status: WebhookDeliveryStatus,
    tries: z.int(),
    problem: WebhookProblemCode.nullable(),
  }),
] as const;

export const OutboundTimelineEntry = z
  .discriminatedUnion('kind', outboundEntries)
  .meta({ id: 'OutboundTimelineEntry', description: 'One step in the life of an outbound call.' });
export type OutboundTimelineEntry = z.input<typeof OutboundTimelineEntry>;

export const CallTimelineEntry = z
  .discriminatedUnion('kind', [...callEntries, ...outboundEntries])
  .meta({ id: 'CallTimelineEntry', description: 'One step in the life of a call.' });
export type CallTimelineEntry = z.input<typeof CallTimelineEntry>;

const isCut = z
  .boolean()
  .meta({ description: 'true if there are more than 1,000 entries; the first 1,000 are returned' });
/** Entries that a timeline shows at most. */
export const mostTimelineEntries = 1_000;

export const OutboundCallTimeline = z
  .object({ entries: z.array(OutboundTimelineEntry), isCut })
  .meta({ id: 'OutboundCallTimeline', description: 'The steps of an outbound call, oldest first.' });
export type OutboundCallTimeline = z.input<typeof OutboundCallTimeline>;

export const CallTimeline = z
  .object({
    entries: z.array(CallTimelineEntry).meta({
      description:
        'oldest first; a cause precedes its effect even if its time, reported in seconds, seems later',
    }),
    isCut,
    missing: z.array(z.literal('outbound')).meta({
      description:
        'sources that are currently unavailable. `outbound`: attempts, decisions and retries, which also require outboundCalls:read',
    }),
  })
  .meta({
    id: 'CallTimeline',
    description: 'The steps of a call and of the outbound call that led to it, oldest first.',
  });
export type CallTimeline = z.input<typeof CallTimeline>;
