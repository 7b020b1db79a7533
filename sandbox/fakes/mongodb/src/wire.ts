// The MongoDB wire protocol: splits a byte stream into messages, reads OP_MSG and legacy OP_QUERY, writes replies.
import { type Document, deserialize, Long, serialize } from 'bson';
import { DECODE } from './store.js';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The maxMessageSizeBytes that hello announces. */
export const MAX_MESSAGE_BYTES = 48_000_000;

/** One command as a client sent it. */
export interface Request {
  readonly id: number;
  readonly legacy: boolean;
  /** False for a fire-and-forget write (`w: 0`). */
  readonly wantsReply: boolean;
  /** The command; document sequences are merged in under their names. */
  readonly body: Document;
  /** The bytes of the documents that came as sequences, by name. */
  readonly raw: ReadonlyMap<string, Buffer[]>;
}

/** A reply whose documents are already BSON: the bytes go out as they are stored. */
export class CursorReply {
  constructor(
    readonly ns: string,
    readonly field: 'firstBatch' | 'nextBatch',
    readonly batch: Buffer[],
    readonly cursorId: Long,
  ) {}
}

/** Takes chunks of a stream and gives out whole messages. */
export class MessageSplitter {
  private chunks: Buffer[] = [];
  private length = 0;

  /** The messages completed by this chunk; throws RangeError on a length no client sends. */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    const messages: Buffer[] = [];
    for (;;) {
      const size = this.nextSize();
      if (size === undefined || size > this.length) return messages;
      const all = this.chunks.length === 1 ? (this.chunks[0] ?? chunk) : Buffer.concat(this.chunks);
      messages.push(all.subarray(0, size));
      this.chunks = all.length > size ? [all.subarray(size)] : [];
      this.length = all.length - size;
    }
  }

  private nextSize(): number | undefined {
    if (this.length < 16) return undefined;
    if ((this.chunks[0]?.length ?? 0) < 4) this.chunks = [Buffer.concat(this.chunks)];
    const size = this.chunks[0]?.readInt32LE(0) ?? 0;
    if (size < 16 || size > MAX_MESSAGE_BYTES + 16_384) throw new RangeError(`message of ${size} bytes`);
    return size;
  }
}

/** Decodes a message; throws for an opcode other than OP_MSG and OP_QUERY, or for broken BSON. */
export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  if (opcode === OP_QUERY) return readQuery(id, message);
  if (opcode !== OP_MSG) throw new RangeError(`unsupported opcode ${opcode}`);
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Document = {};
  const raw = new Map<string, Buffer[]>();
  for (let at = 20; at < end; ) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > end) throw new RangeError('broken section');
    if (kind === 0) body = deserialize(message.subarray(at, at + size), DECODE);
    else readSequence(message.subarray(at, at + size), raw);
    at += size;
  }
  for (const [name, documents] of raw) body[name] = documents.map((bytes) => deserialize(bytes, DECODE));
  return { id, legacy: false, wantsReply: (flags & MORE_TO_COME) === 0, body, raw };
}

function readQuery(id: number, message: Buffer): Request {
  const nameEnd = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, nameEnd);
  const at = nameEnd + 9;
  const body = deserialize(message.subarray(at, at + message.readInt32LE(at)), DECODE);
  const [db = 'admin'] = namespace.split('.');
  return { id, legacy: true, wantsReply: true, body: { ...body, $db: db }, raw: new Map() };
}

function readSequence(section: Buffer, into: Map<string, Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new RangeError('broken document sequence');
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  into.set(section.toString('utf8', 4, nameEnd), documents);
}

/** The bytes of a reply message. */
export function writeReply(request: Request, reply: Document | CursorReply): Buffer {
  const body =
    reply instanceof CursorReply ? cursorDocument(reply) : serialize(reply, { ignoreUndefined: true });
  const head = Buffer.alloc(request.legacy ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  // An OP_REPLY says that it carries one document; an OP_MSG that its one section is a body (kind 0).
  if (request.legacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

function cursorDocument({ ns, field, batch, cursorId }: CursorReply): Buffer {
  const items = batch.map((raw, i) => Buffer.concat([element(0x03, String(i)), raw]));
  const cursor = joined([element(0x04, field), joined(items), fields({ id: cursorId, ns })]);
  return joined([element(0x03, 'cursor'), cursor, fields({ ok: 1 })]);
}

function element(type: number, name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(type)}${name}\0`);
}

/** The elements of a document without its length and end. */
function fields(doc: Document): Buffer {
  return Buffer.from(serialize(doc)).subarray(4, -1);
}

function joined(elements: Buffer[]): Buffer {
  const size = elements.reduce((sum, part) => sum + part.length, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(size);
  return Buffer.concat([head, ...elements, Buffer.alloc(1)], size);
}
