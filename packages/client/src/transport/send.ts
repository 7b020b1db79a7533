// Asks one operation, and reads its answer.

import type { ApiAnswer, CallOptions, ClientOptions, Parts } from '../method/options.js';
import { apiErrorOf } from './api-error.js';
import { endOf, withAttempts } from './attempts.js';
import type { Operation } from './operation.js';
import { isRepeatable, patienceOf } from './patience.js';
import { requestTo } from './request.js';

/** The JSON of an answer; undefined for a body without JSON, such as the page of a proxy. */
export const jsonOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface SuccessBody {
  readonly data?: unknown;
  readonly message: string;
  readonly nextCursor?: string;
}
const isSuccess = (body: unknown): body is SuccessBody =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === true;

/** Name and value of each cookie that the answer sets; undefined where there is none or none may be seen. */
const cookieOf = ({ headers }: Response): string | undefined => {
  const lines = headers.getSetCookie?.() ?? [];
  return lines.length === 0 ? undefined : lines.map((line) => line.split(';')[0]).join('; ');
};

const aboutOf = (response: Response): Omit<ApiAnswer<unknown>, 'data' | 'message'> => {
  const cookie = cookieOf(response);
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    replayed: response.headers.get('idempotent-replayed') === 'true',
    ...(cookie === undefined ? {} : { cookie }),
  };
};

const answerOf = async (row: Operation, response: Response): Promise<ApiAnswer<unknown>> => {
  const body = await jsonOf(response);
  if (row.isBare && response.ok && body !== undefined)
    return { data: body, message: '', ...aboutOf(response) };
  if (row.isBare || !response.ok || !isSuccess(body)) throw apiErrorOf(response, body);
  const { data, message, nextCursor } = body;
  return { data, message, ...(nextCursor === undefined ? {} : { nextCursor }), ...aboutOf(response) };
};

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** The same key for every attempt of a request; none where the operation takes none or no repetition is wanted. */
const keyFor = (row: Operation, given: string | undefined, retries: number): Record<string, string> => {
  if (given !== undefined) return { 'idempotency-key': given };
  return row.takesIdempotencyKey && retries > 0 ? { 'idempotency-key': randomKey() } : {};
};

/**
 * Sends one request, and repeats it where that is safe and can help.
 * @throws ApiError when the platform refuses; TimeoutError; the error of `fetch` when the platform is not reached
 */
export const send = async (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  call: CallOptions,
): Promise<ApiAnswer<unknown>> => {
  const wanted = patienceOf(options, call);
  const patience = isRepeatable(row) ? wanted : { ...wanted, retries: 0 };
  const { url, init } = requestTo(options, row, parts, keyFor(row, call.idempotencyKey, patience.retries));
  const ended = endOf(patience, call.signal);
  const request = options.fetch ?? globalThis.fetch;
  return withAttempts(patience, ended, async () => {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(patience.timeoutMs)]);
    return answerOf(row, await request(url, { ...init, signal }));
  });
};
