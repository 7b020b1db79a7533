// Reads a sitemap, or an index of sitemaps. It runs only in the process for reading (child.ts). A sitemap of the largest
// size takes many seconds and hundreds of megabytes.
import { gunzipSync } from 'node:zlib';
import { decodeLoosely } from '@parlance/charsets';
import { XMLParser } from 'fast-xml-parser';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

export interface Sitemap {
  /** The absolute addresses of other sitemaps. */
  readonly sitemaps: readonly string[];
  /** The absolute addresses of pages. */
  readonly pages: readonly string[];
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const unpacked = (bytes: Uint8Array): Buffer => {
  if (!isGzip(bytes)) return Buffer.from(bytes);
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.sitemapBytes });
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new ReadFailure('TOO_LARGE', 'The sitemap is larger than 50 MiB once it is unpacked.', { cause })
      : new ReadFailure('PARSE_FAILED', 'The sitemap is broken and cannot be unpacked.', { cause });
  }
};

/** The parser resolves no entities, so that no entity can make the text grow. */
const parser = new XMLParser({
  ignoreAttributes: true,
  processEntities: false,
  removeNSPrefix: true,
  isArray: (name) => name === 'url' || name === 'sitemap',
});

const parsed = (text: string): unknown => {
  try {
    return parser.parse(text);
  } catch (cause) {
    throw new ReadFailure('PARSE_FAILED', 'The sitemap is broken and cannot be read.', { cause });
  }
};

const locationsIn = (list: unknown, base: string): string[] =>
  (Array.isArray(list) ? list : [])
    .map((entry: unknown) =>
      typeof entry === 'object' && entry !== null && 'loc' in entry ? String(entry.loc) : '',
    )
    .map((location) => location.trim().replaceAll('&amp;', '&'))
    .flatMap((location) => (location === '' ? [] : (URL.parse(location, base)?.href ?? [])));

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** @throws ReadFailure */
export const readSitemap = (bytes: Uint8Array, base: string): Sitemap => {
  const text = decodeLoosely(unpacked(bytes));
  if (!/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 4_096)))
    throw new ReadFailure('PARSE_FAILED', 'No sitemap was found at this address.');
  const found = parsed(text);
  return {
    sitemaps: locationsIn(partOf(partOf(found, 'sitemapindex'), 'sitemap'), base),
    pages: locationsIn(partOf(partOf(found, 'urlset'), 'url'), base),
  };
};
