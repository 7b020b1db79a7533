// The one way out to addresses that customers choose: webhooks, tools, knowledge sources, MCP servers. Every hop is
// judged, every request has a budget of time and of bytes.
import type { Readable } from 'node:stream';
import { context } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { type Dispatcher, request } from 'undici';
import { type BoundedBody, readBody } from './bounded-body.js';
import { asFailure, EgressFailure } from './failures.js';
import { guardedAgent } from './guarded-agent.js';
import { dnsResolve, type Resolve } from './resolve.js';
import { UrlRules, type UrlRulesOptions } from './url-rules.js';

export interface EgressOptions extends UrlRulesOptions {
  /** Longest wait for a connection (3 s). */
  readonly connectTimeoutMs?: number;
  /** The resolver of names; DNS by default. */
  readonly resolve?: Resolve;
  /** The header User-Agent of the requests. */
  readonly userAgent?: string;
}

export interface EgressRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The time limit of the whole request, redirects and the last byte included (10 s). */
  readonly timeoutMs?: number;
  /** Bytes of the answer at most, before and after decompression (1 MiB). */
  readonly maxBytes?: number;
  /** The treatment of a larger answer; it fails by default. */
  readonly whenLarger?: 'fail' | 'cut';
  /** Redirects that are followed; none unless said, and then a redirect is the answer. */
  readonly maxRedirects?: number;
  /**
   * Any header of the request may hold a credential: another origin that a redirect leads to gets none of them, not even those that
   * are harmless by their names.
   */
  readonly isCredentialed?: boolean;
  readonly signal?: AbortSignal;
}

/** A request whose answer is read while it comes in. */
export interface EgressOpening extends Pick<EgressRequest, 'method' | 'headers' | 'body'> {
  /** The time limit of the connection and the head of the answer (10 s); the reader of the body bounds the rest. */
  readonly headTimeoutMs?: number;
  /** Ends the request, and its body, at any time. */
  readonly signal?: AbortSignal;
}

/** An answer whose body is still on its way. Its reader consumes or destroys the body, and counts its bytes. */
export interface OpenResponse {
  readonly status: number;
  /** Names in lower case; several values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface EgressResponse {
  readonly status: number;
  /** Names in lower case; several values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body went on; only where that was asked for. */
  readonly isCut: boolean;
  /** The URL of the last request, after redirects. */
  readonly url: string;
}

interface Hop {
  readonly url: URL;
  readonly method: NonNullable<EgressRequest['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 1_048_576;
const redirects = new Set([301, 302, 303, 307, 308]);
/** All headers that another origin gets; any other header may be a credential under any name. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const without = (
  headers: Readonly<Record<string, string>>,
  isDropped: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name.toLowerCase())));

/**
 * The next hop; a POST that is sent elsewhere becomes a GET, unless the status says to repeat it.
 * @param elsewhere the headers that another origin gets
 */
const nextHop = (hop: Hop, url: URL, status: number, elsewhere: Hop['headers']): Hop => {
  const headers = url.origin === hop.url.origin ? hop.headers : elsewhere;
  const repeats = status === 307 || status === 308 || hop.method === 'GET' || hop.method === 'HEAD';
  if (repeats) return { ...hop, url, headers };
  const bodiless = without(headers, (name) => name.startsWith('content-'));
  return { url, method: 'GET', headers: bodiless, body: undefined };
};

export class Egress {
  readonly rules: UrlRules;
  readonly #agent: Dispatcher;
  readonly #userAgent: string;

  /** @throws Error for a range in `deny` that is none */
  constructor(options: EgressOptions = {}) {
    this.rules = new UrlRules(options);
    this.#userAgent = options.userAgent ?? 'Parlance/1';
    this.#agent = guardedAgent({
      rules: this.rules,
      resolve: options.resolve ?? dnsResolve(),
      connectTimeoutMs: options.connectTimeoutMs ?? 3_000,
    });
  }

  /**
   * Sends a request and reads its answer of any status.
   * @throws AppError URL_NOT_ALLOWED when the URL, a redirect, or an address behind one of them is refused;
   *   EgressFailure for every other failure
   */
  async fetch(url: string, options: EgressRequest = {}): Promise<EgressResponse> {
    const { timeoutMs = defaultTimeoutMs } = options;
    const budget = new AbortController();
    const timer = setTimeout(() => budget.abort(new EgressFailure('timeout')), timeoutMs);
    const giveUp = (): void => budget.abort(new EgressFailure('aborted'));
    if (options.signal?.aborted === true) giveUp();
    options.signal?.addEventListener('abort', giveUp);
    try {
      return await this.#follow(this.rules.check(url), options, budget.signal);
    } catch (error) {
      throw budget.signal.aborted ? asFailure(budget.signal.reason) : asFailure(error);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', giveUp);
    }
  }

  /**
   * Sends a request and resolves with the head of its answer. A redirect is not followed: it is the answer. The body comes
   * as it was sent, because the request asks for no compression.
   * @throws AppError URL_NOT_ALLOWED; EgressFailure for everything else that goes wrong
   */
  async open(url: string, options: EgressOpening = {}): Promise<OpenResponse> {
    const { method = 'GET', headers = {}, body, headTimeoutMs = defaultTimeoutMs, signal } = options;
    const budget = new AbortController();
    const timer = setTimeout(() => budget.abort(new EgressFailure('timeout')), headTimeoutMs);
    const giveUp = (): void => budget.abort(new EgressFailure('aborted'));
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp);
    try {
      const own = { 'user-agent': this.#userAgent, 'accept-encoding': 'identity' };
      const hop = { url: this.rules.check(url), method, headers: { ...headers, ...own }, body };
      const answer = await this.#send(hop, budget.signal);
      answer.body.once('close', () => signal?.removeEventListener('abort', giveUp));
      return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body };
    } catch (error) {
      signal?.removeEventListener('abort', giveUp);
      throw budget.signal.aborted ? asFailure(budget.signal.reason) : asFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #follow(url: URL, options: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { method = 'GET', headers = {}, body, maxRedirects = 0 } = options;
    const own = { 'user-agent': this.#userAgent, 'accept-encoding': 'gzip, deflate, br' };
    const elsewhere =
      options.isCredentialed === true
        ? own
        : without({ ...own, ...headers }, (name) => !harmlessHeaders.has(name));
    let hop: Hop = { url, method, headers: { ...own, ...headers }, body };
    for (let followed = 0; ; followed += 1) {
      const answer = await this.#send(hop, signal);
      const to = redirects.has(answer.statusCode) ? flat(answer.headers).location : undefined;
      if (maxRedirects === 0 || to === undefined) return this.#read(hop, answer, options);
      // Somebody else's words, of which nothing is wanted.
      answer.body.on('error', () => undefined).destroy();
      if (followed >= maxRedirects) throw new EgressFailure('too_many_redirects');
      const target = URL.parse(to, hop.url.href);
      if (target === null) throw new EgressFailure('bad_response');
      hop = nextHop(hop, this.rules.check(target.href), answer.statusCode, elsewhere);
    }
  }

  #send({ url, method, headers, body }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    // Traces tell others nothing, and keep no URL, which may hold a key.
    return context.with(suppressTracing(context.active()), () =>
      request(url, { dispatcher: this.#agent, method, headers, body: body ?? null, signal }),
    );
  }

  async #read(hop: Hop, answer: Dispatcher.ResponseData, options: EgressRequest): Promise<EgressResponse> {
    const headers = flat(answer.headers);
    const { maxBytes = defaultMaxBytes, whenLarger = 'fail' } = options;
    const encoding = hop.method === 'HEAD' ? '' : (headers['content-encoding'] ?? '');
    const { bytes, isCut }: BoundedBody = await readBody(answer.body, encoding, { maxBytes, whenLarger });
    return { status: answer.statusCode, headers, body: bytes, isCut, url: hop.url.href };
  }
}
