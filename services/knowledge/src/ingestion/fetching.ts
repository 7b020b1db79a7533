// Requests for pages. Each one obeys the rules for addresses and robots.txt, and waits for its turn at the host. It has
// limits of time and size.
import { decodeLoosely } from '@parlance/charsets';
import { type Egress, EgressFailure, type EgressResponse, type FailureReason } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { limits } from '../reading/limits.js';
import { Refused, TryLater } from './job-failures.js';
import { type Politeness, waitForTurn } from './politeness.js';
import { openHouse, type Robots, robotsOf } from './robots.js';

export const userAgent = 'Parlance/1 (knowledge)';
const timeoutMs = 30_000;
/** The limit for a page with all of its redirects, so that the lease of the job lasts longer. */
const wholeTimeoutMs = 60_000;
const mostRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const robotsBytes = 512_000;

export interface Fetched {
  readonly status: 'new' | 'unchanged';
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The address after redirects. */
  readonly url: string;
}

export interface Known {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** A name without an address is more often misspelt than away for a moment. */
const mostTriesOfName = 3;

const sentences: Readonly<Record<FailureReason, (host: string) => string>> = {
  unresolved: (host) => `The name ${host} has no address. Check the address of the source.`,
  unreachable: (host) => `The server ${host} cannot be reached.`,
  tls: (host) => `The certificate of ${host} is not valid for this name, or nobody trusted has signed it.`,
  timeout: (host) => `The server ${host} did not answer in time.`,
  too_large: (host) => `The answer of ${host} is larger than ${limits.fileBytes / 1_048_576} MiB.`,
  bad_response: (host) => `The answer of ${host} is no valid HTTP.`,
  too_many_redirects: (host) => `The server ${host} redirects without end.`,
  aborted: (host) => `The request to ${host} was broken off.`,
};

const notFetched = (reason: FailureReason, url: string): TryLater =>
  new TryLater(
    'FETCH_FAILED',
    sentences[reason](new URL(url).hostname),
    reason === 'unresolved' ? { mostTries: mostTriesOfName } : {},
  );

/** Turns a failed request into a failure of the page. */
const failureOf = (error: unknown, url: string): Error => {
  if (error instanceof AppError && error.code === 'URL_NOT_ALLOWED')
    return new Refused('URL_NOT_ALLOWED', 'The address, or one that it leads to, is not allowed.');
  if (!(error instanceof EgressFailure)) return error instanceof Error ? error : new Error(String(error));
  if (error.reason === 'too_large')
    return new Refused('TOO_LARGE', sentences.too_large(new URL(url).hostname));
  return notFetched(error.reason, url);
};

const refuseStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const message = `The server answered with status ${status}.`;
  const isPassing = status >= 500 || status === 408 || status === 425 || status === 429;
  if (isPassing) throw new TryLater('FETCH_FAILED', message);
  throw new Refused('FETCH_FAILED', message);
};

/** The address that an answer leads to; undefined for an answer that is no redirect. */
const targetOf = ({ status, headers: { location }, url }: EgressResponse): string | undefined => {
  if (!redirects.has(status) || location === undefined) return undefined;
  const target = URL.parse(location, url);
  if (target === null) throw notFetched('bad_response', url);
  return target.href;
};

interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  readonly whenLarger?: 'cut';
}

/** Gives the request for each address, redirects included, and the pause that the host wants before it. */
type Permit = (url: string) => Promise<Request & { readonly crawlDelaySeconds?: number }>;

const accept =
  'text/html, application/xhtml+xml, application/pdf, text/markdown, text/plain, text/csv, */*;q=0.5';

export interface PageRequest {
  readonly signal: AbortSignal;
  /** The page as the served generation knows it. */
  readonly known?: Known | undefined;
  /** A redirect to another host than this one is refused. */
  readonly host?: string | undefined;
}

/** Fetches pages for one turn of a job. It keeps the robots.txt of each site until the turn ends. */
export class Fetcher {
  readonly #egress: Egress;
  readonly #politeness: Politeness;
  readonly #robots = new Map<string, Robots>();

  constructor(egress: Egress, politeness: Politeness) {
    this.#egress = egress;
    this.#politeness = politeness;
  }

  /** @throws Refused, TryLater, HostBusy */
  async fetch(url: string, { signal, known, host }: PageRequest): Promise<Fetched> {
    const { origin } = new URL(url);
    const answer = await this.#follow(url, signal, async (at) => {
      if (host !== undefined && new URL(at).host !== host)
        throw new Refused('FETCH_FAILED', 'The page leads to another site.');
      const robots = await this.#robotsOf(at, signal);
      robots.check(at);
      // Another site may have the same mark for another content.
      const marks = new URL(at).origin === origin ? known : undefined;
      return {
        headers: {
          accept,
          ...(marks?.etag ? { 'if-none-match': marks.etag } : {}),
          ...(marks?.last_modified ? { 'if-modified-since': marks.last_modified } : {}),
        },
        crawlDelaySeconds: robots.crawlDelaySeconds,
      };
    });
    const isUnchanged = answer.status === 304 && known !== undefined;
    if (!isUnchanged) refuseStatus(answer.status);
    return {
      status: isUnchanged ? 'unchanged' : 'new',
      body: answer.body,
      contentType: answer.headers['content-type'],
      etag: answer.headers.etag ?? null,
      lastModified: answer.headers['last-modified'] ?? null,
      url: answer.url,
    };
  }

  /** The sitemaps that robots.txt names. @throws TryLater */
  async sitemapsOf(url: string, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#robotsOf(url, signal)).sitemaps;
  }

  /** While its server fails, a site gets no request for a page. */
  async #robotsOf(url: string, signal: AbortSignal): Promise<Robots> {
    const { origin } = new URL(url);
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    // The check comes first, because an address that is refused has no robots.txt to ask for.
    this.#check(url);
    const address = `${origin}/robots.txt`;
    const limit = { maxBytes: robotsBytes, whenLarger: 'cut' } as const;
    const { status, body } = await this.#follow(address, signal, async () => limit);
    if (status >= 500 || status === 429)
      throw new TryLater('FETCH_FAILED', `The robots.txt of the site answered with status ${status}.`);
    const robots = status >= 200 && status < 300 ? robotsOf(address, decodeLoosely(body)) : openHouse;
    this.#robots.set(origin, robots);
    return robots;
  }

  #check(url: string): void {
    try {
      this.#egress.rules.check(url);
    } catch (error) {
      throw failureOf(error, url);
    }
  }

  /** Sends the request. Each redirect is a request of its own, with its own permit and its own turn at its host. */
  async #follow(url: string, signal: AbortSignal, permit: Permit): Promise<EgressResponse> {
    const until = Date.now() + wholeTimeoutMs;
    let at = url;
    for (let followed = 0; followed <= mostRedirects; followed += 1) {
      this.#check(at);
      const { crawlDelaySeconds, ...request } = await permit(at);
      await waitForTurn(this.#politeness, at, crawlDelaySeconds);
      const leftMs = until - Date.now();
      if (leftMs <= 0) throw notFetched('timeout', at);
      const answer = await this.#ask(at, Math.min(timeoutMs, leftMs), signal, request);
      const target = targetOf(answer);
      if (target === undefined) return answer;
      at = target;
    }
    throw notFetched('too_many_redirects', at);
  }

  async #ask(url: string, timeout: number, signal: AbortSignal, request: Request): Promise<EgressResponse> {
    try {
      return await this.#egress.fetch(url, {
        ...{ timeoutMs: timeout, maxBytes: limits.fileBytes, signal },
        ...request,
      });
    } catch (error) {
      throw failureOf(error, url);
    }
  }
}
