// Streamed answers: server-sent events as they arrive.

import type { CallOptions, ClientOptions, Parts } from '../method/options.js';
import { apiErrorOf, apiErrorOfStream } from './api-error.js';
import { EventText, type Message } from './event-text.js';
import { isRead, type Operation } from './operation.js';
import { delayBefore, mayPass, type Patience, patienceOf, pause } from './patience.js';
import { type HttpRequest, requestTo } from './request.js';
import { jsonOf } from './send.js';
import { Silence } from './silence.js';

interface ReadEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

const eventOf = ({ event = 'message', data, id }: Message): ReadEvent => {
  const parsed: unknown = JSON.parse(data);
  if (event === 'error') throw apiErrorOfStream(parsed);
  return { event, data: parsed, ...(id === undefined ? {} : { id }) };
};

/**
 * @param beat told of the id of each sign of life that has one, in its place between the events
 * @throws ApiError for the event `error`; the error of the body when the connection breaks
 */
async function* eventsOf({ body, silence }: Opened, beat: (id: string) => void): AsyncGenerator<ReadEvent> {
  const text = new EventText();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      silence.start();
      const { done, value } = await reader.read();
      silence.stop();
      if (done) return;
      for (const arrived of text.take(decoder.decode(value, { stream: true }))) {
        if ('beat' in arrived) beat(arrived.beat);
        else yield eventOf(arrived);
      }
    }
  } finally {
    silence.stop();
    // A reader that leaves early lets the platform stop its work.
    await reader.cancel().catch(() => undefined);
  }
}

export interface Opened {
  readonly body: ReadableStream<Uint8Array>;
  readonly silence: Silence;
}

/** Sends a request whose answer is read as it arrives. @throws ApiError; the error of `fetch` */
export const openBody = async (
  options: ClientOptions,
  { url, init }: HttpRequest,
  { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<Opened> => {
  const silence = new Silence(timeoutMs);
  try {
    const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
    const response = await (options.fetch ?? globalThis.fetch)(url, { ...init, signal: either });
    if (!response.ok || response.body === null) throw apiErrorOf(response, await jsonOf(response));
    return { body: response.body, silence };
  } finally {
    silence.stop();
  }
};

/** One connection of a stream, and further ones where the stream may be taken up again. */
class Stream {
  readonly #options: ClientOptions;
  readonly #row: Operation;
  readonly #parts: Parts;
  readonly #call: CallOptions;
  readonly #patience: Patience;
  #lastEventId: string | undefined;

  constructor(options: ClientOptions, row: Operation, parts: Parts, call: CallOptions) {
    this.#options = options;
    this.#row = row;
    this.#parts = parts;
    this.#call = call;
    this.#patience = patienceOf(options, call);
  }

  /** Resolves when the stream begins. @throws ApiError; the error of `fetch` */
  async open(): Promise<AsyncGenerator<ReadEvent>> {
    const { signal } = this.#call;
    const { timeoutMs } = this.#patience;
    const resumed = this.#lastEventId === undefined ? {} : { 'last-event-id': this.#lastEventId };
    const request = requestTo(this.#options, this.#row, this.#parts, resumed);
    const opened = await openBody(this.#options, request, { signal, timeoutMs });
    return eventsOf(opened, (id) => {
      this.#lastEventId = id;
    });
  }

  /**
   * The events of the first connection, and of those that follow it. A stream that is only read is taken up again after the
   * last event or sign of life that arrived. Each event gives the client its full number of tries again.
   */
  async *events(first: AsyncGenerator<ReadEvent>): AsyncGenerator<ReadEvent> {
    const retries = isRead(this.#row) ? this.#patience.retries : 0;
    let connection: AsyncGenerator<ReadEvent> | undefined = first;
    for (let repetition = 1; ; repetition += 1) {
      let failure: unknown = new TypeError('The stream ended before its reader did.');
      try {
        connection ??= await this.open();
        for await (const event of connection) {
          repetition = 1;
          this.#lastEventId = event.id ?? this.#lastEventId;
          yield event;
        }
        if (retries === 0) return;
      } catch (error) {
        failure = error;
      }
      connection = undefined;
      await this.#wait(repetition, retries, failure);
    }
  }

  async #wait(repetition: number, retries: number, failure: unknown): Promise<void> {
    const signal = this.#call.signal ?? new AbortController().signal;
    if (signal.aborted || repetition > retries || !mayPass(failure)) throw failure;
    const asked = Reflect.get(Object(failure), 'retryAfterSeconds');
    await pause(delayBefore(repetition, this.#patience, asked, Math.random()), signal);
  }
}

/**
 * Sends a request whose answer is a stream, and resolves when it begins. A stream may last for any time; `timeoutMs` is the
 * longest silence.
 * @throws ApiError when the platform refuses; the error of `fetch` when the platform is not reached
 */
export const open = async (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  call: CallOptions,
): Promise<AsyncIterable<unknown>> => {
  const stream = new Stream(options, row, parts, call);
  return stream.events(await stream.open());
};
