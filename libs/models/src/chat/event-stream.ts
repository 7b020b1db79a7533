// The fetch of the OpenAI client: guarded, bounded, and for event streams alone.
import type { Readable } from 'node:stream';
import { type Egress, EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import type { ChatFailure } from './events.js';

/** A failure below the protocol. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  constructor(readonly reason: ChatFailure) {
    super(`the request failed: ${reason}`);
  }
}

const reasons: Readonly<Partial<Record<EgressFailure['reason'], ChatFailure>>> = {
  timeout: 'timeout',
  too_large: 'tooLarge',
  bad_response: 'invalidResponse',
};

const asTransportFailure = (error: unknown): TransportFailure => {
  if (error instanceof TransportFailure) return error;
  if (error instanceof AppError) return new TransportFailure('notAllowed');
  const reason = error instanceof EgressFailure ? reasons[error.reason] : undefined;
  return new TransportFailure(reason ?? 'unreachable');
};

/** The rest of a stream after its last event is a few bytes. */
const restMs = 1_000;

/** Reads the rest of a body, so that its connection can serve the next request. */
const release = (body: Readable): void => {
  if (body.destroyed) return;
  const timer = setTimeout(() => body.destroy(), restMs).unref();
  body
    .on('error', () => undefined)
    .once('close', () => clearTimeout(timer))
    .resume();
};

async function* bounded(body: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        body.destroy();
        throw new TransportFailure('tooLarge');
      }
      yield chunk;
    }
  } finally {
    release(body);
  }
}

export interface EventStreamOptions {
  readonly egress: Pick<Egress, 'open'>;
  readonly maxBytes: number;
  /** Of the head of the answer; the caller bounds the rest through the signal of the request. */
  readonly headTimeoutMs: number;
  /** Called with each failure below the protocol, because the client replaces it by an error of its own. */
  readonly onFailure: (failure: TransportFailure) => void;
}

/** A `fetch` for the client. An answer with status 200 that is no event stream fails. */
export const eventStreamFetch =
  ({ egress, maxBytes, headTimeoutMs, onFailure }: EventStreamOptions) =>
  async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { method, headers, body, signal } = init;
    const failed = (error: unknown): TransportFailure => {
      const failure = asTransportFailure(error);
      onFailure(failure);
      return failure;
    };
    try {
      const answer = await egress.open(String(url), {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' ? { body } : {}),
        ...(signal ? { signal } : {}),
        headTimeoutMs,
      });
      const type = answer.headers['content-type'] ?? '';
      if (answer.status === 200 && !type.startsWith('text/event-stream')) {
        answer.body.on('error', () => undefined).destroy();
        throw new TransportFailure('invalidResponse');
      }
      const chunks = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* bounded(answer.body, maxBytes);
        } catch (error) {
          throw failed(error);
        }
      };
      return new Response(ReadableStream.from(chunks()), {
        status: answer.status,
        headers: { ...answer.headers },
      });
    } catch (error) {
      throw failed(error);
    }
  };
