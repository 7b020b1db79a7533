// Builds and reads the protobuf messages of the wire protocol.
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const { ReadResp } = streams;

/** An event as a client proposes it. */
export interface ProposedEvent {
  /** 16 bytes. */
  readonly id: Buffer;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

const identifier = (stream: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));

/** The wire's stream identifier for a name. */
export { identifier as streamIdentifier };

/** The stream name in an identifier; empty when absent. */
export function streamName(of: shared.StreamIdentifier | undefined): string {
  return Buffer.from(of?.getStreamName_asU8() ?? []).toString('utf8');
}

/** The 16 bytes of an id, whichever of the wire's two forms carries it; undefined when it is not a UUID. */
export function uuidBytes(uuid: shared.UUID | undefined): Buffer | undefined {
  const structured = uuid?.getStructured();
  if (structured) {
    const bytes = Buffer.alloc(16);
    bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getMostSignificantBits())), 0);
    bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getLeastSignificantBits())), 8);
    return bytes;
  }
  const hex = (uuid?.getString() ?? '').replaceAll('-', '');
  return /^[0-9a-f]{32}$/i.test(hex) ? Buffer.from(hex, 'hex') : undefined;
}

/** The data of an encoded recorded event. */
export function eventData(message: Uint8Array): Uint8Array {
  return ReadResp.deserializeBinary(message).getEvent()?.getEvent()?.getData_asU8() ?? new Uint8Array();
}

const encoded = (message: streams.ReadResp): Buffer => Buffer.from(message.serializeBinary());

/** "No such stream", which is a message of the read, not an error. */
export function streamNotFound(stream: string): Buffer {
  const notFound = new ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream));
  return encoded(new ReadResp().setStreamNotFound(notFound));
}

/** First message of a subscription. */
export function confirmation(subscriptionId: string): Buffer {
  const confirmed = new ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId);
  return encoded(new ReadResp().setConfirmation(confirmed));
}

/** Tells a filtered subscription the position up to which the log has been searched. */
export function checkpoint(position: number): Buffer {
  const text = String(position);
  const reached = new ReadResp.Checkpoint().setCommitPosition(text).setPreparePosition(text);
  return encoded(new ReadResp().setCheckpoint(reached));
}

/** Tells a subscription that everything written so far has been sent. */
export const CAUGHT_UP: Buffer = encoded(new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
