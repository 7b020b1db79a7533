// From a row of the contract and its parts to one HTTP request, and from the answer back to data.
import { isStreaming, type Operation, type StreamingRow } from '@parlance/contracts';
import { toApiError } from './api-error.js';
import { eventsOf, Silence } from './event-stream.js';

export interface ClientOptions {
  /** Where the interface is, with its version, such as http://127.0.0.1:8080/api/v1. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** For programs outside a browser that signed in; a browser sends its cookie by itself. */
  readonly cookie?: string;
  /** For the voice runtime and its tests. */
  readonly internalKey?: string;
  /** Sent with every request; for programs that pass on the credentials and the id of a request they serve. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one request may take; 30 s unless said. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Makes a repeated POST harmless: the platform answers the first one's result. 1 to 255 printable characters. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The envelope of an answer, and what its headers say. */
export interface ApiAnswer<D> {
  readonly data: D;
  readonly message: string;
  /** Give it back as `cursor` to get the next page; absent on the last one. */
  readonly nextCursor?: string;
  readonly status: number;
  readonly requestId: string;
  /** This is the stored answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** The parts of any request. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const pathOf = (row: Operation, params: Parts['params'] = {}): string =>
  row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty segment would be the path of another operation.
    if (value === undefined || value === null || value === '') throw new TypeError(`${row.id} needs ${name}`);
    return encodeURIComponent(String(value));
  });

const queryOf = (query: Parts['query'] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
};

const credentialsOf = (options: ClientOptions): Record<string, string> => {
  const { apiKey, cookie, internalKey, baseUrl, headers } = options;
  return {
    ...headers,
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(internalKey === undefined ? {} : { 'x-internal-key': internalKey }),
    // A cookie counts only together with the origin that it belongs to.
    ...(cookie === undefined ? {} : { cookie, origin: new URL(baseUrl).origin }),
  };
};

const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's page; the status says enough
  }
};

interface SuccessBody {
  readonly data?: unknown;
  readonly message: string;
  readonly nextCursor?: string;
}
const isSuccess = (body: unknown): body is SuccessBody =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === true;

const requestTo = (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  { idempotencyKey }: CallOptions,
): { readonly url: string; readonly init: RequestInit } => ({
  url: `${options.baseUrl}${pathOf(row, parts.params)}${queryOf(parts.query)}`,
  init: {
    method: row.method,
    headers: {
      accept: isStreaming(row) ? 'text/event-stream' : 'application/json',
      ...credentialsOf(options),
      ...(row.body ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(row.body ? { body: JSON.stringify(parts.body ?? {}) } : {}),
  },
});

/** The time that one request may take, in milliseconds. */
const patienceOf = ({ timeoutMs = 30_000 }: ClientOptions): number => timeoutMs;

/**
 * Sends a request whose answer is a stream, and resolves when it begins. The time limit counts until then, and between
 * two signs of life of the platform.
 * @throws ApiError when the platform refuses; whatever `fetch` throws when it is not reached
 */
export const open = async (
  options: ClientOptions,
  row: StreamingRow,
  parts: Parts,
  call: CallOptions,
): Promise<AsyncIterable<unknown>> => {
  const silence = new Silence(patienceOf(options));
  const { url, init } = requestTo(options, row, parts, call);
  const signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal;
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, { ...init, signal });
    if (!response.ok || response.body === null) throw toApiError(response, await readJson(response));
    return eventsOf(response.body, silence);
  } catch (error) {
    silence.stop();
    throw error;
  }
};

/** Sends one request. @throws ApiError when the platform refuses; whatever `fetch` throws when it is not reached */
export const send = async (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  call: CallOptions,
): Promise<ApiAnswer<unknown>> => {
  const timeout = AbortSignal.timeout(patienceOf(options));
  const request = options.fetch ?? globalThis.fetch;
  const { url, init } = requestTo(options, row, parts, call);
  const response = await request(url, {
    ...init,
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  });
  const body = await readJson(response);
  if (!response.ok || !isSuccess(body)) throw toApiError(response, body);
  return {
    data: body.data,
    message: body.message,
    ...(body.nextCursor === undefined ? {} : { nextCursor: body.nextCursor }),
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    replayed: response.headers.get('idempotent-replayed') === 'true',
  };
};
