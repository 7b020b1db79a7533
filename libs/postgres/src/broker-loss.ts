// Judges by the age of a broker's stream and process whether it may have lost events since they were last sent.
import type { NatsConnection } from 'nats';
import { ensureEventStream } from './event-stream.js';

export interface Broker {
  /** Time at which the stream was made; another value means another stream, without the events of the last one. */
  readonly streamCreated: string;
  /** Process of the only server; undefined in a cluster, where the server of a connection need not be that of the stream. */
  readonly serverId: string | undefined;
  /** True after a start or a reconnect. */
  readonly mayHaveRestarted: boolean;
}

/** The broker of an earlier look, as it is stored. */
export interface StoredBroker {
  readonly stream_created: string;
  readonly server_id: string | null;
}

export type Loss = 'everything' | 'what was not on its disk' | 'nothing';

/** The broker acknowledges before its disk does, and syncs every two minutes: a power cut takes the events since then. */
export const unsyncedWindow = `interval '3 minutes'`;

export const lossOf = (broker: Broker, known: StoredBroker | undefined): Loss => {
  if (known === undefined) return 'nothing';
  if (known.stream_created !== broker.streamCreated) return 'everything';
  const isSameProcess = broker.serverId !== undefined && broker.serverId === known.server_id;
  return broker.mayHaveRestarted && !isSameProcess ? 'what was not on its disk' : 'nothing';
};

/** The broker as it is now, with the place of its newest message. Makes the stream if it is not there. */
export const readBroker = async (
  nats: NatsConnection,
): Promise<Omit<Broker, 'mayHaveRestarted'> & { readonly lastSequence: number }> => {
  const { created, lastSequence } = await ensureEventStream(nats);
  const serverId = nats.info?.cluster === undefined ? nats.info?.server_id : undefined;
  return { streamCreated: created, serverId, lastSequence };
};
