// The one JetStream stream that integration events travel through. It may vanish with all of its events: any user of it
// makes it again. Publishers see by its time of birth that their sent events are gone.
import { eventStreamName, eventSubjects } from '@parlance/messaging';
import {
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from 'nats';

const dayMs = 86_400_000;
/** Sent events are kept this long on both sides, so that either can make good for the other. */
export const eventRetentionMs = 7 * dayMs;
const requestTimeoutMs = 2_000;

const streamNotFound = 10_059;

export const apiErrorCode = (error: unknown): number | undefined =>
  error instanceof NatsError ? error.api_error?.err_code : undefined;

export const managerOf = (nats: NatsConnection): Promise<JetStreamManager> =>
  nats.jetstreamManager({ checkAPI: false, timeout: requestTimeoutMs });

const findStream = async (manager: JetStreamManager): Promise<StreamInfo | undefined> => {
  try {
    return await manager.streams.info(eventStreamName);
  } catch (error) {
    if (apiErrorCode(error) === streamNotFound) return undefined;
    throw error;
  }
};

export interface EventStream {
  /** The time of the stream's making; another value means another stream, without the events of the last one. */
  readonly created: string;
  /** Place of the newest message; 0 while there is none. */
  readonly lastSequence: number;
}

/** Makes the stream if it is not there; several may do so at once. */
export const ensureEventStream = async (nats: NatsConnection): Promise<EventStream> => {
  const manager = await managerOf(nats);
  const found = await findStream(manager);
  if (found !== undefined) return { created: found.created, lastSequence: found.state.last_seq };
  const { created, state } = await manager.streams.add({
    name: eventStreamName,
    subjects: [eventSubjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(eventRetentionMs),
  });
  return { created, lastSequence: state.last_seq };
};

export interface OutgoingMessage {
  readonly id: string;
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const clients = new WeakMap<NatsConnection, JetStreamClient>();

const clientOf = (nats: NatsConnection): JetStreamClient => {
  const known = clients.get(nats) ?? nats.jetstream({ timeout: requestTimeoutMs });
  clients.set(nats, known);
  return known;
};

/**
 * Resolves with the place of the message in the stream once JetStream has stored it. The id keeps it from being stored twice within
 * two minutes.
 */
export const publishMessage = async (nats: NatsConnection, message: OutgoingMessage): Promise<number> => {
  const header = headers();
  for (const [name, value] of Object.entries(message.headers ?? {})) header.set(name, value);
  const { seq } = await clientOf(nats).publish(message.subject, message.payload, {
    msgID: message.id,
    headers: header,
    timeout: requestTimeoutMs,
    expect: { streamName: eventStreamName },
  });
  return seq;
};
