// The HTTP of the protocol's client, through the guarded egress client. It adds the credentials and meters every
// stream. It ends the streams of an exchange with the exchange, and tells the exchange of a stream that broke off.
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { asFailure, type Egress, type OpenResponse } from '@parlance/egress';
import { numbersForTokens } from '@parlance/json';
import { type Answers, type Request, requestIn } from './answers.js';
import type { Authorization, Credentials } from './authorization.js';
import { currentExchange, type Exchange } from './conversation.js';
import { McpFailure } from './failures.js';
import { callLimits, meter, standingLimits } from './meter.js';
import { rewriter } from './rewritten-body.js';

export interface GuardedFetchOptions {
  readonly egress: Pick<Egress, 'open'>;
  /** The only origin that gets the connection's credentials. */
  readonly origin: string;
  readonly authorization: Authorization;
  readonly answers: Answers;
  /** Headers that the connection has besides its credentials. */
  readonly onCredentials: (credentials: Credentials) => void;
  /** The standing stream of the session has ended. */
  readonly onStandingEnd: (failure: unknown) => void;
}

interface Sending {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The request of the protocol in the body. */
  readonly message: Request | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A request is for an answer of the protocol, for the stream that stays open, or for nothing but its status. */
type Purpose = 'answer' | 'standing' | 'note';

/** The place of a request in its exchange. */
interface Place {
  readonly purpose: Purpose;
  readonly exchange: Exchange | undefined;
  /** Its place among the requests of the exchange. */
  readonly request: number | undefined;
}

const methods: readonly string[] = ['GET', 'POST', 'DELETE'];
const headTimeoutMs = 10_000;
const noteTimeoutMs = 5_000;
const withoutBody = new Set([101, 103, 204, 205, 304]);
const startsWithId = /(?:^|\n)id:/;

const asSending = (url: string | URL, init: RequestInit = {}): Sending => {
  const method = init.method ?? 'GET';
  if (!methods.includes(method)) throw new TypeError(`unexpected method ${method}`);
  if (init.body !== undefined && init.body !== null && typeof init.body !== 'string') {
    throw new TypeError('unexpected body');
  }
  return {
    url: String(url),
    method: method as Sending['method'], // one of the three above
    headers: new Headers(init.headers),
    body: typeof init.body === 'string' ? numbersForTokens(init.body) : undefined,
    message: method === 'POST' ? requestIn(init.body ?? undefined) : undefined,
    signal: init.signal ?? undefined,
  };
};

/** The request of the present protocol that is answered by the stream of notifications. */
const listening = 'subscriptions/listen';

const purposeOf = ({ method, headers, message }: Sending): Purpose => {
  if (method === 'GET') return headers.has('last-event-id') ? 'answer' : 'standing';
  if (message === undefined) return 'note';
  return message.method === listening ? 'standing' : 'answer';
};

const isElsewhere = ({ status, headers }: OpenResponse, url: string): boolean => {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return false;
  return URL.parse(location, url)?.origin !== new URL(url).origin;
};

const open = (
  { egress }: GuardedFetchOptions,
  sending: Sending,
  { headers: credentials }: Credentials,
  { purpose, exchange }: Place,
): Promise<OpenResponse> => {
  const signals = [sending.signal, purpose === 'answer' ? exchange?.signal : undefined];
  const { method, url, body } = sending;
  return egress.open(url, {
    method,
    headers: { ...Object.fromEntries(sending.headers), ...credentials },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
    headTimeoutMs:
      purpose === 'answer'
        ? (exchange?.leftMs ?? headTimeoutMs)
        : purpose === 'note'
          ? noteTimeoutMs
          : headTimeoutMs,
  });
};

/** The body as the client reads it: metered, watched for an end that came too early, and rewritten. */
const watched = (
  { onStandingEnd, answers }: GuardedFetchOptions,
  { body, headers }: OpenResponse,
  { purpose, exchange, request }: Place,
): Readable => {
  let canBeResumed = false;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const limited = meter(
    purpose === 'standing' ? standingLimits : (exchange?.limits ?? callLimits),
    (chunk) => {
      canBeResumed ||= isStream && startsWithId.test(chunk.toString('latin1'));
    },
  );
  const failed = (error: unknown): void => {
    const failure = asFailure(error);
    if (purpose === 'standing') onStandingEnd(failure);
    else exchange?.noteFailure(failure);
    if (purpose !== 'standing' && !canBeResumed) exchange?.answerLost(failure, request);
  };
  body.once('error', (error) => limited.destroy(error));
  limited.once('error', (error) => {
    body.destroy();
    failed(error);
  });
  limited.once('close', () => body.destroy());
  limited.once('end', () => {
    if (purpose === 'standing') onStandingEnd(new McpFailure('unreachable'));
    else if (isStream && !canBeResumed) exchange?.answerLost(undefined, request);
  });
  body.pipe(limited);
  const rewritten =
    purpose === 'note' ? undefined : rewriter(headers['content-type'], (text) => answers.forClient(text));
  if (rewritten === undefined) return limited;
  limited.once('error', (error) => rewritten.destroy(error));
  rewritten.once('close', () => limited.destroy());
  return limited.pipe(rewritten);
};

/** A `fetch` for one session. */
export const guardedFetch =
  (options: GuardedFetchOptions): FetchLike =>
  async (url, init) => {
    const sending = asSending(url, init);
    const exchange = currentExchange();
    const purpose = purposeOf(sending);
    const place = { purpose, exchange, request: exchange?.begin() };
    const { message } = sending;
    if (message !== undefined && exchange !== undefined) options.answers.expect(message, exchange);
    try {
      if (new URL(sending.url).origin !== options.origin) throw new McpFailure('redirected');
      const credentials = await options.authorization.credentials();
      options.onCredentials(credentials);
      let answer = await open(options, sending, credentials, place);
      if (answer.status === 401) {
        answer.body.on('error', () => undefined).destroy();
        if (!(await options.authorization.renew(answer.headers['www-authenticate'], credentials))) {
          throw new McpFailure('auth_required');
        }
        const renewed = await options.authorization.credentials();
        options.onCredentials(renewed);
        answer = await open(options, sending, renewed, place);
        if (answer.status === 401) throw new McpFailure('auth_required');
      }
      if (isElsewhere(answer, sending.url)) exchange?.noteFailure(new McpFailure('redirected'));
      const { status, headers } = answer;
      const { 'www-authenticate': challenge } = headers;
      if (status === 403 && challenge !== undefined) {
        answer.body.on('error', () => undefined).destroy();
        await options.authorization.renew(challenge, credentials);
        throw new McpFailure('auth_required');
      }
      if (!withoutBody.has(status)) {
        const body = Readable.toWeb(watched(options, answer, place)) as ReadableStream<Uint8Array>; // Node's own type of it
        return new Response(body, { status, headers });
      }
      answer.body.on('error', () => undefined).destroy();
      return new Response(null, { status, headers });
    } catch (error) {
      if (purpose !== 'note') exchange?.noteFailure(error);
      throw error;
    }
  };
