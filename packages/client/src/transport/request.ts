// One operation and its parts as one HTTP request.
import { packageVersion } from '../generated/version.js';
import type { ClientOptions, Parts } from '../method/options.js';
import type { Operation } from './operation.js';

const pathOf = ({ id, path }: Operation, params: Parts['params'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty segment would be the path of another operation.
    if (value === undefined || value === null || value === '') throw new TypeError(`${id} needs ${name}`);
    return encodeURIComponent(String(value));
  });

const queryOf = (query: Parts['query'] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

// A browser names itself, and asks another origin for its leave before any header that it does not know.
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

const credentialsOf = ({ apiKey, bearer, cookie, internalKey }: ClientOptions): Record<string, string> => ({
  ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  ...(internalKey === undefined ? {} : { 'x-internal-key': internalKey }),
  ...(cookie === undefined ? {} : { cookie }),
});

// A session counts only together with the origin that it belongs to. A browser says itself which page asks.
const originOf = ({ baseUrl, cookie }: ClientOptions, { isBare }: Operation): Record<string, string> =>
  !isBrowser && (cookie !== undefined || isBare) ? { origin: new URL(baseUrl).origin } : {};

const acceptOf = ({ isStream, isText }: Operation): string => {
  if (isText) return 'text/csv';
  return isStream ? 'text/event-stream' : 'application/json';
};

export interface HttpRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/**
 * @param extra headers of this request alone
 * @throws TypeError for a path parameter that is missing or empty
 */
export const requestTo = (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  extra: Readonly<Record<string, string>>,
): HttpRequest => ({
  url: `${options.baseUrl}${pathOf(row, parts.params)}${queryOf(parts.query)}`,
  init: {
    method: row.method,
    ...(options.session === true ? { credentials: 'include' as const } : {}),
    headers: {
      accept: acceptOf(row),
      ...(isBrowser ? {} : { 'user-agent': `parlance-client/${packageVersion}` }),
      ...originOf(options, row),
      ...options.headers,
      ...credentialsOf(options),
      ...(row.hasBody ? { 'content-type': 'application/json' } : {}),
      ...extra,
    },
    ...(row.hasBody ? { body: JSON.stringify(parts.body ?? {}) } : {}),
  },
});
