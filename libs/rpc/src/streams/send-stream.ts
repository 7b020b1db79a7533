// The service's side of a streamed answer. It sends the events of a handler one by one, no faster than they are read. It
// stops the handler when the reader is gone.

import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { readers } from '@parlance/messaging';
import type { Msg, NatsConnection } from 'nats';
import { newInbox } from '../wire/connect.js';
import { encodeReply, type Outcome } from '../wire/reply.js';
import { beatMs, type Frame, type Opening, silenceMs, type Word, windowFrames } from './frames.js';

/** One event as a handler yields it. */
export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
  /** The id by which a reader takes the stream up again; absent where that is not possible. */
  readonly id?: string;
}

export interface StreamToSend {
  readonly nats: NatsConnection;
  readonly events: AsyncIterable<SentEvent>;
  /** The signal of this controller stops the handler. An AppError as the reason is told to the reader. */
  readonly stop: AbortController;
  /** Epoch milliseconds; 0: the stream may last for ever. */
  readonly deadline: number;
  /** Writes the first reply, `encodeReply` unless given. */
  readonly encode?: (outcome: Outcome) => string;
  /** The error that the reader is told for one that the handler threw. */
  readonly toAppError: (error: unknown) => AppError;
}

/** The reason of a stop because the reader is gone. */
const readerGone = new Error('the reader is gone');
/** The time in which a stopped handler may store its remaining work, in milliseconds. */
const farewellMs = 5_000;

/** True for the result of a handler that answers a stream. */
export const isEventStream = (result: unknown): result is AsyncIterable<SentEvent> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

class Sender {
  readonly #stream: StreamToSend;
  readonly #request: Msg;
  readonly #control: string;
  readonly #stopped: Promise<'stopped'>;
  #sent = 0;
  #read = 0;
  #heardAt = Date.now();
  #mayGoOn: () => void = () => undefined;

  constructor(request: Msg, stream: StreamToSend) {
    this.#request = request;
    this.#stream = stream;
    this.#control = newInbox(stream.nats, readers);
    const { signal } = stream.stop;
    this.#stopped = new Promise((resolve) => {
      if (signal.aborted) resolve('stopped');
      else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
  }

  async send(): Promise<AppError | undefined> {
    const { nats, stop, deadline, encode = encodeReply } = this.#stream;
    const hearing = nats.subscribe(this.#control, { callback: (_, word) => this.#hear(word) });
    const beats = setInterval(() => this.#beat(), beatMs);
    const end =
      deadline === 0
        ? undefined
        : setTimeout(() => stop.abort(new AppError('UPSTREAM_TIMEOUT')), Math.max(0, deadline - Date.now()));
    try {
      this.#request.respond(encode({ data: { control: this.#control } satisfies Opening }));
      return await this.#events();
    } finally {
      clearInterval(beats);
      clearTimeout(end);
      hearing.unsubscribe();
    }
  }

  async #events(): Promise<AppError | undefined> {
    const { signal } = this.#stream.stop;
    const events = this.#stream.events[Symbol.asyncIterator]();
    try {
      while (!signal.aborted) {
        const next = await Promise.race([events.next(), this.#stopped]);
        if (next === 'stopped' || signal.aborted) break;
        if (next.done === true) {
          this.#publish({ seq: this.#number(), end: true });
          return undefined;
        }
        this.#publish({ seq: this.#number(), ...next.value });
        await this.#room();
      }
    } catch (error) {
      if (!signal.aborted) return this.#fail(this.#stream.toAppError(error));
    }
    const reason: unknown = signal.reason;
    const failure = reason instanceof AppError ? this.#fail(reason) : undefined;
    await this.#farewell(events);
    return failure;
  }

  /** A generator that waits for something ends when that settles, and its `finally` runs then. */
  async #farewell(events: AsyncIterator<SentEvent>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, farewellMs);
    });
    await Promise.race([Promise.resolve(events.return?.()).catch(() => undefined), limit]);
    clearTimeout(timer);
  }

  #fail(error: AppError): AppError {
    try {
      this.#publish({ seq: this.#number(), error: error.toWire() });
    } catch {
      // The connection is closed, and the reader notices the silence.
    }
    return error;
  }

  #number(): number {
    this.#sent += 1;
    return this.#sent;
  }

  #publish(frame: Frame): void {
    this.#stream.nats.publish(this.#request.reply ?? '', stringifyJson(frame));
  }

  /** Resolves when another frame may be sent, or the stream is stopped. */
  async #room(): Promise<void> {
    while (this.#sent - this.#read >= windowFrames && !this.#stream.stop.signal.aborted) {
      const read = new Promise<void>((resolve) => {
        this.#mayGoOn = resolve;
      });
      await Promise.race([read, this.#stopped]);
    }
  }

  #hear(message: Msg): void {
    // Only readers know the subject, and they write with `EventReader`.
    const word = message.json<Word>();
    this.#heardAt = Date.now();
    if ('gone' in word) this.#stream.stop.abort(readerGone);
    else {
      this.#read = Math.max(this.#read, word.read);
      this.#mayGoOn();
    }
  }

  #beat(): void {
    const { nats, stop } = this.#stream;
    if (Date.now() - this.#heardAt > silenceMs || nats.isClosed()) stop.abort(readerGone);
    else this.#publish({ beat: true });
  }
}

/**
 * Sends a stream to the sender of the request. @returns the error that ended it; undefined when it was sent or the
 * reader is gone
 */
export const sendStream = (request: Msg, stream: StreamToSend): Promise<AppError | undefined> =>
  new Sender(request, stream).send();
