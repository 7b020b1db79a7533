// The bytes of one logged event: a frame with its length at both ends, and a CRC. With the lengths the log can be
// walked backwards, and with the CRC a torn tail is seen. The event itself is kept as the protobuf message that readers
// are sent.
import { crc32 } from 'node:zlib';

/** Bytes around a body: length and CRC before it, the length again after it. */
export const FRAME_HEAD_BYTES = 8;
export const FRAME_TAIL_BYTES = 4;
const FIXED_BODY_BYTES = 33;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const ENDS_APPEND = 1;
const TOMBSTONE = 2;

/** The parts of a frame. `revision` of a tombstone is the revision the stream would have had next. */
export interface FrameContent {
  readonly stream: string;
  readonly type: string;
  readonly id: Buffer;
  readonly revision: number;
  readonly createdMs: number;
  readonly message: Uint8Array;
  readonly tombstone: boolean;
  /** Set on the last event of an append: events before it count only once it is whole on disk. */
  readonly endsAppend: boolean;
}

/** The bytes at `position` are not a whole, undamaged record. */
export class CorruptRecordError extends Error {
  constructor(position: number) {
    super(`no valid record at log position ${position}`);
  }
}

/** One event of the log; fields are decoded when asked for, since most readers need only a few. */
export class LogRecord {
  constructor(
    private readonly body: Buffer,
    /** Where the frame starts in the log: the commit position that clients see. */
    readonly position: number,
  ) {}

  /** Where the next frame starts. */
  get next(): number {
    return this.position + FRAME_HEAD_BYTES + this.body.length + FRAME_TAIL_BYTES;
  }
  get endsAppend(): boolean {
    return (this.body.readUInt8(0) & ENDS_APPEND) !== 0;
  }
  get tombstone(): boolean {
    return (this.body.readUInt8(0) & TOMBSTONE) !== 0;
  }
  get id(): Buffer {
    return this.body.subarray(1, 17);
  }
  get revision(): number {
    return this.body.readUIntBE(17, 6);
  }
  get createdMs(): number {
    return this.body.readUIntBE(23, 6);
  }
  get stream(): string {
    return this.body.toString('utf8', FIXED_BODY_BYTES, this.typeStart);
  }
  get type(): string {
    return this.body.toString('utf8', this.typeStart, this.messageStart);
  }
  /** The encoded ReadResp, ready to be sent. */
  get message(): Buffer {
    return this.body.subarray(this.messageStart);
  }
  private get typeStart(): number {
    return FIXED_BODY_BYTES + this.body.readUInt16BE(29);
  }
  private get messageStart(): number {
    return this.typeStart + this.body.readUInt16BE(31);
  }
}

/** Encodes one event; stream and type must each fit in 65,535 bytes of UTF-8. */
export function encodeFrame(content: FrameContent): Buffer {
  const streamBytes = Buffer.byteLength(content.stream);
  const typeBytes = Buffer.byteLength(content.type);
  const bodyBytes = FIXED_BODY_BYTES + streamBytes + typeBytes + content.message.length;
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + bodyBytes + FRAME_TAIL_BYTES);
  const body = frame.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + bodyBytes);
  body.writeUInt8((content.endsAppend ? ENDS_APPEND : 0) | (content.tombstone ? TOMBSTONE : 0), 0);
  content.id.copy(body, 1);
  body.writeUIntBE(content.revision, 17, 6);
  body.writeUIntBE(content.createdMs, 23, 6);
  body.writeUInt16BE(streamBytes, 29);
  body.writeUInt16BE(typeBytes, 31);
  body.write(content.stream, FIXED_BODY_BYTES);
  body.write(content.type, FIXED_BODY_BYTES + streamBytes);
  body.set(content.message, FIXED_BODY_BYTES + streamBytes + typeBytes);
  frame.writeUInt32BE(bodyBytes, 0);
  frame.writeUInt32BE(crc32(body), 4);
  frame.writeUInt32BE(bodyBytes, FRAME_HEAD_BYTES + bodyBytes);
  return frame;
}

/** Length of the body that a frame head announces; throws CorruptRecordError when it cannot be one. */
export function bodyLength(head: Buffer, position: number): number {
  const length = head.length >= FRAME_TAIL_BYTES ? head.readUInt32BE(0) : 0;
  if (length < FIXED_BODY_BYTES || length > MAX_BODY_BYTES) throw new CorruptRecordError(position);
  return length;
}

/** Decodes a whole frame; throws CorruptRecordError when it is cut short or its bytes were changed. */
export function decodeFrame(frame: Buffer, position: number): LogRecord {
  const length = bodyLength(frame, position);
  if (frame.length < FRAME_HEAD_BYTES + length + FRAME_TAIL_BYTES) throw new CorruptRecordError(position);
  const body = frame.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + length);
  const sound =
    frame.readUInt32BE(4) === crc32(body) && frame.readUInt32BE(FRAME_HEAD_BYTES + length) === length;
  if (!sound) throw new CorruptRecordError(position);
  return new LogRecord(body, position);
}
