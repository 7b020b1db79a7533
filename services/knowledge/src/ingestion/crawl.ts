// Finds the pages of a source in links and sitemaps.
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';

/** The address that identifies a page: without its fragment, and without parameters that only follow visitors. */
export const pageAddress = (url: string): string => {
  const address = new URL(url);
  address.hash = '';
  for (const name of [...address.searchParams.keys()])
    if (/^(utm_|gclid$|fbclid$|mc_)/.test(name)) address.searchParams.delete(name);
  return address.href;
};

/** Endings of paths that a crawl skips. The type of any other file is found in its content. */
const noPage =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|mp[34]|webm|woff2?|ttf|exe|dmg|rss|atom)$/i;

/** Links of a page that a crawl of its site follows. */
export const linksToFollow = (site: string, links: readonly string[]): string[] => {
  const { origin } = new URL(site);
  const followed = links
    .filter((link) => URL.canParse(link) && new URL(link).origin === origin)
    .filter((link) => !noPage.test(new URL(link).pathname));
  return [...new Set(followed.map(pageAddress))];
};

const sitemapBytes = 50 * 1_048_576;
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export interface Sitemap {
  /** Other sitemaps. */
  readonly sitemaps: readonly string[];
  readonly pages: readonly string[];
}

/** The parser resolves no entities, so that no entity can make the text grow. */
const parser = new XMLParser({
  ignoreAttributes: true,
  processEntities: false,
  isArray: (name) => name === 'url' || name === 'sitemap',
});

const locationsIn = (list: unknown, base: string): string[] =>
  (Array.isArray(list) ? list : [])
    .map((entry: unknown) =>
      typeof entry === 'object' && entry !== null && 'loc' in entry ? String(entry.loc) : '',
    )
    .map((location) => location.trim().replaceAll('&amp;', '&'))
    .filter((location) => URL.canParse(location, base))
    .map((location) => pageAddress(new URL(location, base).href));

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** Returns undefined for bytes that are no sitemap. */
export const parseSitemap = (bytes: Buffer, base: string): Sitemap | undefined => {
  try {
    const text = (isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: sitemapBytes }) : bytes).toString();
    if (!/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 4_096))) return undefined;
    const found: unknown = parser.parse(text);
    return {
      sitemaps: locationsIn(partOf(partOf(found, 'sitemapindex'), 'sitemap'), base),
      pages: locationsIn(partOf(partOf(found, 'urlset'), 'url'), base),
    };
  } catch {
    return undefined;
  }
};
