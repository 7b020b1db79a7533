// The first pages of a job: one page, or the pages of a sitemap.
import { ReadFailure } from '../reading/read-failure.js';
import type { Reader } from '../reading/reader.js';
import type { Sitemap } from '../reading/sitemap.js';
import { pageAddress } from './crawl.js';
import type { Fetcher } from './fetching.js';
import { Refused } from './job-failures.js';
import type { Job } from './queue.js';

/** The most sitemaps of one source: a sitemap index may name another index without end. */
const mostSitemaps = 50;

export interface ListingParts {
  readonly fetcher: Fetcher;
  readonly reader: Pick<Reader, 'readSitemap'>;
  readonly signal: AbortSignal;
}

type Failure = Refused | ReadFailure;

/** Resolves with the failure of a sitemap that another try would not help. @throws TryLater, HostBusy */
const loadSitemap = async (
  { fetcher, reader, signal }: ListingParts,
  url: string,
): Promise<Sitemap | Failure> => {
  try {
    const { body, url: base } = await fetcher.fetch(url, { signal });
    return await reader.readSitemap({ bytes: body, base });
  } catch (error) {
    if (error instanceof Refused || error instanceof ReadFailure) return error;
    throw error;
  }
};

const isFailure = (found: Sitemap | Failure): found is Failure => found instanceof Error;

/** Pages of the site, in the order of its sitemaps. A sitemap that cannot be had does not spoil the others. */
const sitemapPages = async (parts: ListingParts, url: string, most: number): Promise<string[]> => {
  const { origin, pathname } = new URL(url);
  const isSitemap = /\.xml(?:\.gz)?$/i.test(pathname);
  const named = isSitemap ? [url] : await parts.fetcher.sitemapsOf(url, parts.signal);
  const queue = named.length > 0 ? [...named] : [`${origin}/sitemap.xml`];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let isFound = false;
  let failure: Failure | undefined;
  for (let next = queue.shift(); next !== undefined && pages.size < most; next = queue.shift()) {
    if (seen.has(next) || seen.size >= mostSitemaps) continue;
    seen.add(next);
    const sitemap = await loadSitemap(parts, next);
    if (isFailure(sitemap)) {
      failure ??= sitemap;
      continue;
    }
    isFound = true;
    queue.push(...sitemap.sitemaps.slice(0, mostSitemaps));
    // A sitemap speaks for its own site only.
    for (const page of sitemap.pages) if (new URL(page).origin === origin) pages.add(pageAddress(page));
  }
  if (pages.size === 0 && failure !== undefined) throw failure;
  if (!isFound) throw new Refused('PARSE_FAILED', 'No sitemap was found at this address.');
  if (pages.size === 0) throw new Refused('TOO_SMALL', 'The sitemap names no page of this site.');
  return [...pages].slice(0, most);
};

/** @throws Refused, ReadFailure, TryLater, HostBusy */
export const firstPages = async (
  parts: ListingParts,
  { source }: Job,
): Promise<readonly (string | null)[]> => {
  if (source.url === null) return [null];
  const address = pageAddress(source.url);
  if (source.crawl_mode !== 'sitemap') return [address];
  return sitemapPages(parts, address, source.max_pages ?? 1);
};
