// The reader's side of a streamed answer. It ends with an error when the service fails, falls silent, or a frame is lost.
import type { ServiceName } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Msg, MsgHdrs, NatsConnection, Subscription } from 'nats';
import { newInbox } from '../wire/connect.js';
import { decodeReply, isMarkedReply, parseData } from '../wire/reply.js';
import { NoReplyError } from '../wire/request-mux.js';
import { beatMs, type Frame, type Opening, silenceMs, type Word, windowFrames } from './frames.js';
import type { SentEvent } from './send-stream.js';

export interface StreamRequest {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
  /** The longest wait for the first reply. */
  readonly timeoutMs: number;
}

/** A streamed answer, to be read once. A reader that stops early calls `cancel`, or leaves the loop over the events. */
export interface EventStream<E = SentEvent> extends AsyncIterable<E> {
  /** Tells the service to stop. */
  cancel(): void;
}

const noRespondersCode = 503;
/** A reader tells its position after so many frames. */
const toldEvery = windowFrames / 2;

const gone = (what: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: new Error(what) });

export class EventReader implements EventStream {
  readonly #nats: NatsConnection;
  /** The subject of the answer. */
  readonly reply: string;
  readonly #waiting: SentEvent[] = [];
  #subscription: Subscription | undefined;
  #opened: (result: Opening | AppError | NoReplyError) => void = () => undefined;
  #control: string | undefined;
  #takesEnvelopes = false;
  #beats: NodeJS.Timeout | undefined;
  #heardAt = Date.now();
  #received = 0;
  #read = 0;
  #over: { readonly error?: AppError } | undefined;
  #wake: () => void = () => undefined;

  /** @param service the one that sends the stream */
  constructor(nats: NatsConnection, service: ServiceName) {
    this.#nats = nats;
    this.reply = newInbox(nats, service);
  }

  /** True once the service has said in its first reply that it takes envelopes. */
  get takesEnvelopes(): boolean {
    return this.#takesEnvelopes;
  }

  /** @throws AppError the service's refusal; NoReplyError */
  async open({ subject, payload, headers, timeoutMs }: StreamRequest): Promise<this> {
    const opened = new Promise<Opening | AppError | NoReplyError>((resolve) => {
      this.#opened = resolve;
    });
    const timer = setTimeout(() => this.#opened(new NoReplyError('timeout')), timeoutMs);
    try {
      this.#subscription = this.#nats.subscribe(this.reply, {
        callback: (error, message) =>
          error === null ? this.#receive(message) : this.#end(gone(error.message)),
      });
      this.#nats.publish(subject, payload, { reply: this.reply, headers });
      const result = await opened;
      if (result instanceof Error) throw result;
      // A short answer may have arrived whole with its opening.
      if (this.#over === undefined) this.#beats = setInterval(() => this.#beat(), beatMs);
      return this;
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  cancel(): void {
    if (this.#over !== undefined) return;
    this.#tell({ gone: true });
    this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SentEvent> {
    try {
      for (;;) {
        const event = this.#waiting.shift();
        if (event !== undefined) {
          this.#read += 1;
          if (this.#read % toldEvery === 0) this.#tell({ read: this.#read });
          yield event;
        } else if (this.#over !== undefined) {
          if (this.#over.error !== undefined) throw this.#over.error;
          return;
        } else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      this.cancel();
    }
  }

  #receive(message: Msg): void {
    this.#heardAt = Date.now();
    if (this.#control === undefined) this.#opened(this.#openingIn(message));
    else this.#take(message.json<Frame>());
  }

  /** Frames may follow in the same moment, so the control subject is noted at once. */
  #openingIn(message: Msg): Opening | AppError | NoReplyError {
    if (message.data.length === 0 && message.headers?.code === noRespondersCode)
      return new NoReplyError('noResponders');
    this.#takesEnvelopes = isMarkedReply(message.data);
    const reply = decodeReply(message.data);
    if ('error' in reply) return AppError.fromWire(reply.error);
    // The first reply of `sendStream`.
    const opening = parseData(reply.json) as Opening;
    this.#control = opening.control;
    return opening;
  }

  #take(frame: Frame): void {
    if ('beat' in frame || this.#over !== undefined) return;
    this.#received += 1;
    if (frame.seq !== this.#received) this.#end(gone('a frame of a stream was lost'));
    else if ('error' in frame) this.#end(AppError.fromWire(frame.error));
    else if ('end' in frame) this.#end();
    else {
      this.#waiting.push({ event: frame.event, data: frame.data });
      this.#wake();
    }
  }

  #tell(word: Word): void {
    if (this.#control === undefined || this.#nats.isClosed()) return;
    this.#nats.publish(this.#control, JSON.stringify(word));
  }

  #beat(): void {
    const isSilent = this.#nats.isClosed() || Date.now() - this.#heardAt > silenceMs;
    if (!isSilent) this.#tell({ read: this.#read });
    else this.#end(gone('the service of a stream is silent'));
  }

  /** Events that arrived before are still read. */
  #end(error?: AppError): void {
    this.#over ??= error === undefined ? {} : { error };
    clearInterval(this.#beats);
    this.#subscription?.unsubscribe();
    this.#wake();
  }
}
