// The needs of command handling of a store of events: read a stream, append to it at an explicit revision.
import { v5 } from 'uuid';
import type { Codec } from './codec.js';
import type { Message } from './decider.js';
import type { EventMeta, EventMetadata } from './metadata.js';
import type { Appended, Revision } from './store/driver.js';

/** An event as it was read back. */
export interface Recorded<E extends Message> {
  readonly event: E;
  readonly id: string;
  /** Name of the stream: category, a dash, and `entityId`. */
  readonly stream: string;
  readonly entityId: string;
  readonly revision: bigint;
  /** Position in the order of all events of the store. Undefined where a stream was read and the engine did not say. */
  readonly position: bigint | undefined;
  /** The time at which the store accepted the event. */
  readonly recordedAt: Date;
  readonly metadata: EventMetadata;
  /** The personal part as it is stored, sealed with the key of the stream. Absent from an event without one. */
  readonly sealed?: string;
}

export interface EventStore {
  /**
   * All events of a stream in order; none and revision `none` for a stream that does not exist.
   * @throws AppError SERVICE_UNAVAILABLE when the store does not answer. NewerEvent for an event that the codec does not
   * know, because deciding on half a history is corruption
   */
  read<E extends Message>(
    stream: string,
    codec: Codec<E>,
  ): Promise<{ readonly events: readonly Recorded<E>[]; readonly revision: Revision }>;
  /**
   * Appends after exactly `expected`.
   * @throws WrongRevision; AppError SERVICE_UNAVAILABLE when it is not known whether the store took the events
   */
  append<E extends Message>(
    stream: string,
    events: readonly E[],
    expected: Revision,
    meta: EventMeta,
    codec: Codec<E>,
  ): Promise<Appended>;
}

/** Name of the stream of one entity. A category has no dash of its own. */
export const streamOf = (category: string, entityId: string): string => `${category}-${entityId}`;

/** The entity's id in a stream's name. */
export const entityOf = (category: string, stream: string): string => stream.slice(category.length + 1);

const eventNamespace = 'f1b6f3c6-53a6-5a5b-9b8e-0c3f4f7a2a11';

/** Same stream, command and place in the command: same id, so that a repeated append is recognised by the store. */
export const eventId = (stream: string, commandId: string, index: number): string =>
  v5(`${stream}\n${commandId}\n${index}`, eventNamespace);
