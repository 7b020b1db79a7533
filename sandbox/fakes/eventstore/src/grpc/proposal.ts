// Gathers the events of one append as they arrive, and keeps no more of them in memory than may be stored.
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { eventBytes, MAX_APPEND_BYTES } from '../store/append-limits.js';
import { InvalidRequestError } from '../store/errors.js';
import type { Appended, EventStore } from '../store/event-store.js';
import { type ProposedEvent, uuidBytes } from '../store/messages.js';
import { requiredMetadataMissing } from './status.js';

type Message = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

export class Proposal {
  private readonly events: ProposedEvent[] = [];
  private bytes = 0;
  private refusal: unknown;

  /** Takes the next event; one that cannot be read makes `appendTo` reject. */
  add(message: Message): void {
    // Once over the limit, the store will refuse the events that are here already.
    if (this.refusal !== undefined || this.bytes > MAX_APPEND_BYTES) return;
    try {
      const event = proposedEvent(message);
      this.bytes += eventBytes(event);
      this.events.push(event);
    } catch (error) {
      this.refusal = error;
    }
  }

  async appendTo(store: EventStore, stream: string, expected: number): Promise<Appended> {
    if (this.refusal !== undefined) throw this.refusal;
    return store.append(stream, expected, this.events);
  }
}

function proposedEvent(message: Message): ProposedEvent {
  const id = uuidBytes(message.getId());
  if (id === undefined) throw new InvalidRequestError('an event id must be a UUID');
  const map = message.getMetadataMap();
  const type = map.get('type');
  const contentType = map.get('content-type');
  if (type === undefined || contentType === undefined) throw requiredMetadataMissing();
  const metadata = message.getCustomMetadata_asU8();
  return { id, type, contentType, data: message.getData_asU8(), metadata };
}
