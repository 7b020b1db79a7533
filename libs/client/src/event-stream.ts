// The events of a streamed answer, as they arrive. The event `error` ends the stream, and is thrown.
import { StreamFailure } from '@parlance/contracts';
import { errorCodes, isErrorCode } from '@parlance/errors';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './api-error.js';

/** Ends a request on which the platform was silent for too long. The platform gives a sign of life every 15 seconds. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #longestMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    const reason = new DOMException('The platform was silent for too long.', 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#longestMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

const failureIn = (data: unknown): ApiError => {
  const { code, message, requestId } = StreamFailure.parse(data);
  const known = isErrorCode(code) ? code : 'INTERNAL_ERROR';
  return new ApiError({
    ...{ code: known, message, requestId, details: undefined, retryAfterSeconds: undefined },
    status: errorCodes[known].status,
  });
};

const eventIn = ({ event = 'message', data }: EventSourceMessage): unknown => {
  const parsed: unknown = JSON.parse(data);
  if (event === 'error') throw failureIn(parsed);
  return { event, data: parsed };
};

/** @throws ApiError for the event `error`; whatever the body throws when the connection breaks */
export async function* eventsOf(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<unknown> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      silence.broken();
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of arrived.splice(0)) yield eventIn(message);
    }
  } finally {
    silence.stop();
    // A reader that leaves early lets the platform stop its work.
    await reader.cancel().catch(() => undefined);
  }
}
