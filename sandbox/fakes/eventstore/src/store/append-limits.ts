// The limits of one append; they do not depend on the stored events.
import { AppendTooLargeError, InvalidRequestError, NotImplementedError } from './errors.js';
import type { ProposedEvent } from './messages.js';

/** EventStoreDB's default for all events of one append together. */
export const MAX_APPEND_BYTES = 1024 * 1024;
const MAX_STREAM_NAME_BYTES = 1024;
const MAX_TYPE_BYTES = 1024;

/** The bytes of an event that count towards MAX_APPEND_BYTES; its type as UTF-16, as in EventStoreDB. */
export function eventBytes({ type, data, metadata }: ProposedEvent): number {
  return data.length + metadata.length + type.length * 2;
}

/** Throws InvalidRequestError. */
export function assertStreamName(stream: string): void {
  const sized = stream.length > 0 && Buffer.byteLength(stream) <= MAX_STREAM_NAME_BYTES;
  if (!sized) throw new InvalidRequestError(`a stream name has 1 to ${MAX_STREAM_NAME_BYTES} bytes`);
  if (stream === '$all') throw new InvalidRequestError('$all is not a stream that can be written to');
}

/** Throws InvalidRequestError, NotImplementedError or AppendTooLargeError. */
export function assertAppendable(stream: string, events: readonly ProposedEvent[]): void {
  assertStreamName(stream);
  for (const { type } of events) {
    if (Buffer.byteLength(type) > MAX_TYPE_BYTES) {
      throw new InvalidRequestError(`an event type has at most ${MAX_TYPE_BYTES} bytes`);
    }
    if (type === '$>') throw new NotImplementedError('link events ($>) are not implemented');
  }
  const bytes = events.reduce((sum, event) => sum + eventBytes(event), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLargeError(MAX_APPEND_BYTES);
}
