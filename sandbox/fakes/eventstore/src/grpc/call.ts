// One gRPC call on Node's own HTTP/2. In both directions messages have a length in front of them, and the trailers have
// a status. No general gRPC library stands here, because many answers have to leave in one write.
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { ANYBODY, type Caller } from './caller.js';
import { GrpcError, STATUS } from './status.js';

/** A compression flag and the length. */
const PREFIX_BYTES = 5;
/** As in EventStoreDB: larger than the largest append, so that an append can be refused by name. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Sent messages are gathered until they have this size, or until the event loop's turn ends. */
const CHUNK_BYTES = 64 * 1024;
/** With more than this waiting for the client, `send` asks for patience. */
const MAX_WAITING_BYTES = 2 * CHUNK_BYTES;

const HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc+proto',
};

export class Call {
  /** The client has cancelled or lost the call, or it is finished: nothing that is sent will arrive. */
  closed = false;
  /** The account that the server has recognised. */
  caller: Caller = ANYBODY;
  private outgoing: Uint8Array[] = [];
  private outgoingBytes = 0;
  private flushPlanned = false;
  private full = false;
  private muted = false;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly connection: Socket | undefined,
    private readonly headers: IncomingHttpHeaders,
  ) {
    stream.on('drain', () => {
      this.full = false;
      this.wake();
    });
    stream.on('close', () => {
      this.closed = true;
      this.wake();
    });
    // `closed` reports that a client is gone; the error of its connection is of no use.
    stream.on('error', () => undefined);
  }

  /** Name of the method, with its service. */
  get path(): string {
    return String(this.headers[':path']);
  }
  /** The name and password that the client has sent. */
  get authorization(): string | undefined {
    return this.headers.authorization;
  }
  /** The client wants the leader of a cluster to answer, and no other node. */
  get requiresLeader(): boolean {
    return this.headers['requires-leader'] === 'true';
  }
  /** Where the client has found this server. */
  get address(): { readonly host: string; readonly port: number } {
    const { hostname, port } = new URL(`http://${this.headers[':authority']}`);
    return { host: hostname, port: Number(port) };
  }

  /** Hands over every message of the client, and resolves when there will be no more; rejects when it was cut short. */
  each(take: (message: Buffer) => void): Promise<void> {
    const incoming = new MessageReader();
    return new Promise((resolve, reject) => {
      const cancelled = (): void => reject(new GrpcError(STATUS.CANCELLED, 'the client cancelled the call'));
      if (this.closed) cancelled();
      this.stream.on('data', (chunk: Buffer) => {
        try {
          for (const message of incoming.read(chunk)) take(message);
        } catch (error) {
          reject(error);
        }
      });
      this.stream.on('end', resolve);
      this.stream.on('close', cancelled);
    });
  }

  /** The one message of a call that has one. */
  async request(): Promise<Buffer> {
    let request: Buffer | undefined;
    await this.each((message) => {
      request = message;
    });
    if (request === undefined) throw new GrpcError(STATUS.INTERNAL, 'a request message is missing');
    return request;
  }

  /** Makes the client wait before it sends more. */
  pause(): void {
    this.stream.pause();
  }
  resume(): void {
    this.stream.resume();
  }

  /** Sends one message; false asks to wait for `drained()` before the next. */
  send(message: Uint8Array): boolean {
    if (this.closed) return false;
    if (this.muted) return true;
    this.outgoing.push(message);
    this.outgoingBytes += PREFIX_BYTES + message.length;
    if (this.outgoingBytes >= CHUNK_BYTES) this.flush();
    else if (!this.flushPlanned) {
      this.flushPlanned = true;
      setImmediate(() => {
        this.flushPlanned = false;
        this.flush();
      });
    }
    return !this.full;
  }

  /** Resolves when the client has room again, or is gone. */
  drained(): Promise<void> {
    return this.until(() => !this.full);
  }

  /** Like `drained`, but resolves with true as soon as `givenUp` holds; that is asked at each `wake()`. */
  async drainedUnless(givenUp: () => boolean): Promise<boolean> {
    let isGivenUp = false;
    await this.until(() => {
      if (!this.full) return true;
      isGivenUp = givenUp();
      return isGivenUp;
    });
    return isGivenUp && !this.closed;
  }

  /** Resolves when `condition` holds or the call is closed; it is looked at again after each `wake()`. */
  async until(condition: () => boolean): Promise<void> {
    while (!this.closed && !condition()) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  /** Makes every pending `until` look at its condition again. */
  readonly wake = (): void => {
    const { waiting } = this;
    this.waiting = [];
    for (const look of waiting) look();
  };

  /** Loses every message that is sent from now on. */
  mute(): void {
    this.muted = true;
  }

  /** Ends the client's connection, with every call on it; returns an error that says so. */
  breakConnection({ reset }: { readonly reset: boolean }): GrpcError {
    this.closed = true;
    if (reset) this.connection?.resetAndDestroy();
    else this.connection?.destroy();
    return new GrpcError(STATUS.CANCELLED, 'the connection was broken');
  }

  /** Ends the call with a status, after everything that was sent. */
  finish(error?: GrpcError): void {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    const status = error?.trailers ?? { 'grpc-status': STATUS.OK };
    if (this.stream.headersSent) {
      this.stream.on('wantTrailers', () => this.stream.sendTrailers(status));
      this.stream.end();
    } else this.stream.respond({ ...HEADERS, ...status }, { endStream: true });
    // Messages that the client may still be sending would otherwise hold the call open.
    this.stream.resume();
    this.wake();
  }

  private flush(): void {
    if (this.closed || this.outgoing.length === 0) return;
    const chunk = Buffer.allocUnsafe(this.outgoingBytes);
    let at = 0;
    for (const message of this.outgoing) {
      chunk[at] = 0;
      chunk.writeUInt32BE(message.length, at + 1);
      chunk.set(message, at + PREFIX_BYTES);
      at += PREFIX_BYTES + message.length;
    }
    this.outgoing = [];
    this.outgoingBytes = 0;
    if (!this.stream.headersSent) this.stream.respond(HEADERS, { waitForTrailers: true });
    const roomLeft = this.stream.write(chunk);
    this.full = !roomLeft && this.stream.writableLength > MAX_WAITING_BYTES;
  }
}

/** Cuts messages out of the bytes as they arrive. */
class MessageReader {
  private parts: Buffer[] = [];
  private length = 0;
  private wanted = PREFIX_BYTES;

  *read(chunk: Buffer): Generator<Buffer> {
    this.parts.push(chunk);
    this.length += chunk.length;
    if (this.length < this.wanted) return;
    const bytes = this.parts.length === 1 ? chunk : Buffer.concat(this.parts);
    let at = 0;
    for (;;) {
      this.wanted = PREFIX_BYTES;
      if (bytes.length - at >= PREFIX_BYTES) this.wanted += messageLength(bytes, at);
      if (bytes.length - at < this.wanted) break;
      yield bytes.subarray(at + PREFIX_BYTES, at + this.wanted);
      at += this.wanted;
    }
    const rest = bytes.subarray(at);
    this.parts = [rest];
    this.length = rest.length;
  }
}

function messageLength(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0) throw new GrpcError(STATUS.UNIMPLEMENTED, 'compressed messages are not implemented');
  const length = bytes.readUInt32BE(at + 1);
  if (length <= MAX_MESSAGE_BYTES) return length;
  throw new GrpcError(
    STATUS.RESOURCE_EXHAUSTED,
    `a message of ${length} bytes is larger than ${MAX_MESSAGE_BYTES}`,
  );
}
