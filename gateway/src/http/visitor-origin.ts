// The origin of a visitor's page. Browsers leave the header Origin out of a GET of the page's own origin. They say so in
// Sec-Fetch-Site, which no script of a page can set (Fetch Metadata).
import type { Request } from 'express';

/** Longer than any that a widget may list. */
const longestOrigin = 300;

/**
 * Null for a request that tells no origin. A page of the gateway itself counts as its public origin, which the list of the
 * widget still has to name.
 */
export const visitorOrigin = ({ headers }: Pick<Request, 'headers'>, publicOrigin: string): string | null => {
  const { origin } = headers;
  if (origin !== undefined) return origin.length <= longestOrigin ? origin : null;
  return headers['sec-fetch-site'] === 'same-origin' ? publicOrigin : null;
};
