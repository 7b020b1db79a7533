// The content of a webhook: the call as it was after the event that caused the message. The call is folded from its
// stream, so that every try sends the same bytes and no copy is kept.
import { type CallAnalyzedMessage, type CallMessage, valuesOfCall } from '@parlance/contracts';
import {
  type EventStoreConnection,
  fold,
  type Recorded,
  rawStream,
  streamOf,
} from '@parlance/event-sourcing';
import { stringifyJson } from '@parlance/json';
import { type WebhookMessage, type WebhookSender, webhookApiVersion } from '@parlance/webhooks';
import { callDecider } from '../call/call.js';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { toCallLog, toTranscript } from '../call/call-log.js';
import { callCategory } from '../call/call-repository.js';
import type { Call } from '../call/call-state.js';
import type { Delivery, DeliveryTarget } from './delivery.js';

export type Payload = Pick<WebhookMessage, 'body' | 'values'>;

/** Undefined when the call was deleted or forgotten: no receiver may get it any more. */
export type PayloadOf = (delivery: Delivery, target: DeliveryTarget) => Promise<Payload | undefined>;

export interface PayloadOptions {
  readonly store: EventStoreConnection;
  readonly sender: Pick<WebhookSender, 'custom'>;
}

/**
 * The words of the call stay sealed for messages that leave them out. The words are most of its data, and the fold
 * needs none of them.
 */
const eventsOf = async (
  store: EventStoreConnection,
  { callId, type }: Delivery,
): Promise<readonly Recorded<CallEvent>[]> => {
  const events: Recorded<CallEvent>[] = [];
  for await (const raw of rawStream(store, streamOf(callCategory, callId))) {
    const personal = type === 'call.analyzed' || raw.type !== 'TranscriptRecorded';
    const recorded = await store.decode(raw, callEvents, { personal });
    if (recorded === undefined) throw new Error('an event of a call is not known');
    events.push(recorded);
  }
  return events;
};

const callAfter = (events: readonly Recorded<CallEvent>[]): Call | undefined => {
  const state = fold(
    callDecider,
    events.map(({ event }) => event),
  );
  return state.phase === 'absent' || state.people === null || state.deletedAt !== null ? undefined : state;
};

const transcriptOf = (callId: string, call: Call, events: readonly Recorded<CallEvent>[]) => {
  const ingestId = call.ingested?.data.ingestId;
  return events.flatMap(({ event }) =>
    event.type === 'TranscriptRecorded' && event.data.ingestId === ingestId
      ? (event.personal?.turns ?? []).map((turn) => toTranscript(callId, turn))
      : [],
  );
};

/** @returns a function that @throws AppError SERVICE_UNAVAILABLE while the store is away, SECRET_NOT_FOUND */
export const payloadFrom =
  ({ store, sender }: PayloadOptions): PayloadOf =>
  async (delivery, { webhook, variables, timezone }) => {
    const { callId, organizationId, type, sequence, id, occurredAt } = delivery;
    const events = await eventsOf(store, delivery);
    const then = events.filter(({ revision }) => revision <= delivery.revision);
    const call = callAfter(then);
    if (callAfter(events) === undefined || call === undefined) return undefined;
    // Facts outside the stream could differ from try to try. So the message leaves them out, and its own delivery is
    // `pending`.
    const { initiation: _initiation, ...told } = toCallLog(callId, call);
    const log = { ...told, webhookDelivery: 'pending' as const };
    const { agentId, campaignId, direction, startedAt, durationSeconds, dynamicVariables } = log;
    const facts = { agentId, callId, campaignId, direction, startedAt, durationSeconds, dynamicVariables };
    const people = { callerNumber: log.fromNumber, calledNumber: log.toNumber };
    const values = valuesOfCall({ ...facts, ...people, defaults: variables, timezone }, occurredAt);
    const custom = await sender.custom(organizationId, webhook, values);
    const data = { call: log, ...(custom === undefined ? {} : { custom }) };
    const envelope = { id, timestamp: occurredAt.toISOString(), apiVersion: webhookApiVersion };
    const about = { ...envelope, organizationId, sequence };
    const message: CallMessage | CallAnalyzedMessage =
      type === 'call.analyzed'
        ? { type, ...about, data: { ...data, transcript: transcriptOf(callId, call, then) } }
        : { type, ...about, data };
    return { body: stringifyJson(message), values };
  };
