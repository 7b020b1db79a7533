// The first pages of a job: one page, or the pages of a sitemap.
import { pageAddress, parseSitemap } from './crawl.js';
import type { Fetcher } from './fetching.js';
import { Refused } from './job-failures.js';
import type { Job } from './queue.js';

/** The most sitemaps of one source: a sitemap index may name another index without end. */
const mostSitemaps = 50;

const sitemapPages = async (
  fetcher: Fetcher,
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<string[]> => {
  const { origin } = new URL(url);
  const isSitemap = /\.xml(?:\.gz)?$/i.test(new URL(url).pathname);
  const named = isSitemap ? [url] : await fetcher.sitemapsOf(url, signal);
  const queue = named.length > 0 ? [...named] : [`${origin}/sitemap.xml`];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let isFound = false;
  for (let next = queue.shift(); next !== undefined && pages.size < most; next = queue.shift()) {
    if (seen.has(next) || seen.size >= mostSitemaps) continue;
    seen.add(next);
    const { body, url: base } = await fetcher.fetch(next, undefined, signal);
    const sitemap = parseSitemap(body, base);
    if (sitemap === undefined) continue;
    isFound = true;
    queue.push(...sitemap.sitemaps);
    // A sitemap speaks for its own site only.
    for (const page of sitemap.pages) if (new URL(page).origin === origin) pages.add(page);
  }
  if (!isFound) throw new Refused('PARSE_FAILED', 'No sitemap was found at this address.');
  if (pages.size === 0) throw new Refused('TOO_SMALL', 'The sitemap names no page of this site.');
  return [...pages].slice(0, most);
};

/** @throws Refused, TryLater, HostBusy */
export const firstPages = async (
  fetcher: Fetcher,
  { source }: Job,
  signal: AbortSignal,
): Promise<readonly (string | null)[]> => {
  if (source.url === null) return [null];
  const address = pageAddress(source.url);
  if (source.crawl_mode !== 'sitemap') return [address];
  return sitemapPages(fetcher, address, source.max_pages ?? 1, signal);
};
