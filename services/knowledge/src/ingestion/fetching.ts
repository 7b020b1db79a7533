// Requests for pages. Each one obeys the rules for addresses and robots.txt, waits for its turn at the host, and has
// limits of time and size.
import { type Egress, EgressFailure, type EgressResponse } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import robots from 'robots-parser';
import { limits } from '../reading/limits.js';
import { Refused, TryLater } from './job-failures.js';
import { type Politeness, waitForTurn } from './politeness.js';

export const userAgent = 'Parlance/1 (knowledge)';
/** The name of this crawler in robots.txt. */
const robotName = 'Parlance';
const timeoutMs = 30_000;
const maxRedirects = 5;
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

/** The module itself is the function, but its types do not say so. */
const robotsParser = robots as unknown as typeof robots.default;

type Robots = Pick<ReturnType<typeof robotsParser>, 'isAllowed' | 'getCrawlDelay' | 'getSitemaps'>;

const openHouse: Robots = {
  isAllowed: () => true,
  getCrawlDelay: () => undefined,
  getSitemaps: () => [],
};

/** Turns a failed request into a failure of the page. */
const failureOf = (error: unknown): Error => {
  if (error instanceof AppError && error.code === 'URL_NOT_ALLOWED')
    return new Refused('URL_NOT_ALLOWED', 'The address, or one that it leads to, is not allowed.');
  if (!(error instanceof EgressFailure)) return error instanceof Error ? error : new Error(String(error));
  if (error.reason === 'too_large')
    return new Refused('TOO_LARGE', `The answer is larger than ${limits.fileBytes / 1_048_576} MiB.`);
  return new TryLater('FETCH_FAILED', `The page could not be fetched: ${error.reason.replaceAll('_', ' ')}.`);
};

const refuseStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const message = `The server answered with status ${status}.`;
  const isPassing = status >= 500 || status === 408 || status === 425 || status === 429;
  if (isPassing) throw new TryLater('FETCH_FAILED', message);
  throw new Refused('FETCH_FAILED', message);
};

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
  async fetch(url: string, known: Known | undefined, signal: AbortSignal): Promise<Fetched> {
    const robots = await this.#robotsOf(url, signal);
    if (robots.isAllowed(url, robotName) === false)
      throw new Refused('ROBOTS_REFUSED', 'The robots.txt of the site does not allow this page.');
    const answer = await this.#ask(url, signal, {
      headers: {
        accept:
          'text/html, application/xhtml+xml, application/pdf, text/markdown, text/plain, text/csv, */*;q=0.5',
        ...(known?.etag ? { 'if-none-match': known.etag } : {}),
        ...(known?.last_modified ? { 'if-modified-since': known.last_modified } : {}),
      },
      crawlDelaySeconds: robots.getCrawlDelay(robotName) ?? 0,
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
  async sitemapsOf(url: string, signal: AbortSignal): Promise<string[]> {
    return (await this.#robotsOf(url, signal)).getSitemaps();
  }

  /** A site without robots.txt allows every page. While its server fails, a site gets no request for a page. */
  async #robotsOf(url: string, signal: AbortSignal): Promise<Robots> {
    const { origin } = new URL(url);
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    const address = `${origin}/robots.txt`;
    const { status, body } = await this.#ask(address, signal, { maxBytes: robotsBytes, whenLarger: 'cut' });
    if (status >= 500 || status === 429)
      throw new TryLater('FETCH_FAILED', `The robots.txt of the site answered with status ${status}.`);
    const robots = status >= 200 && status < 300 ? robotsParser(address, body.toString()) : openHouse;
    this.#robots.set(origin, robots);
    return robots;
  }

  async #ask(
    url: string,
    signal: AbortSignal,
    options: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly crawlDelaySeconds?: number;
      readonly maxBytes?: number;
      readonly whenLarger?: 'cut';
    },
  ): Promise<EgressResponse> {
    const { crawlDelaySeconds, ...rest } = options;
    try {
      // The check comes before the wait, because a refused address needs no turn at its host.
      this.#egress.rules.check(url);
      await waitForTurn(this.#politeness, url, crawlDelaySeconds);
      return await this.#egress.fetch(url, {
        ...{ timeoutMs, maxRedirects, maxBytes: limits.fileBytes, signal },
        ...rest,
      });
    } catch (error) {
      throw failureOf(error);
    }
  }
}
