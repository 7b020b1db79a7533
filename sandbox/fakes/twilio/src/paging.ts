// Lists a page at a time, in the two shapes that Twilio has. One is that of its first API, one that of every later API.
import type { Request } from 'express';
import type { Parameters } from './parameters.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly number: number;
  readonly size: number;
  readonly start: number;
  readonly nextToken: string | undefined;
}

const largest = 1_000;

/** A token names the last item of a page, so that numbers bought meanwhile shift nothing. */
const pageOf = <T extends { readonly sid: string }>(all: readonly T[], parameters: Parameters): Page<T> => {
  const size = Math.min(Math.max(parameters.integer('PageSize', 50), 1), largest);
  const number = parameters.integer('Page', 0);
  const token = parameters.text('PageToken');
  const seen = token === undefined ? -1 : all.findIndex(({ sid }) => token === `PA${sid}`);
  const start = seen >= 0 ? seen + 1 : number * size;
  const items = all.slice(start, start + size);
  const last = items.at(-1);
  const nextToken = last && start + size < all.length ? `PA${last.sid}` : undefined;
  return { items, number, size, start, nextToken };
};

const address = (request: Request, number: number, size: number, token?: string): string => {
  const [path = '', query] = request.originalUrl.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('PageSize', String(size));
  parameters.set('Page', String(number));
  parameters.delete('PageToken');
  if (token) parameters.set('PageToken', token);
  return `${path}?${parameters}`;
};

/** The shape of `/2010-04-01`. */
export const listByUri = <T extends { readonly sid: string }>(
  request: Request,
  parameters: Parameters,
  key: string,
  all: readonly T[],
  json: (item: T) => object,
): object => {
  const { items, number, size, start, nextToken } = pageOf(all, parameters);
  return {
    [key]: items.map(json),
    page: number,
    page_size: size,
    start,
    end: start + Math.max(items.length - 1, 0),
    uri: request.originalUrl,
    first_page_uri: address(request, 0, size),
    next_page_uri: nextToken ? address(request, number + 1, size, nextToken) : null,
    previous_page_uri: number > 0 ? address(request, number - 1, size) : null,
  };
};

/** The shape of `/v1`, with whole addresses. */
export const listByMeta = <T extends { readonly sid: string }>(
  request: Request,
  parameters: Parameters,
  key: string,
  all: readonly T[],
  json: (item: T) => object,
): object => {
  const { items, number, size, nextToken } = pageOf(all, parameters);
  const origin = `http://${request.headers.host ?? ''}`;
  return {
    [key]: items.map(json),
    meta: {
      key,
      page: number,
      page_size: size,
      url: origin + request.originalUrl,
      first_page_url: origin + address(request, 0, size),
      next_page_url: nextToken ? origin + address(request, number + 1, size, nextToken) : null,
      previous_page_url: number > 0 ? origin + address(request, number - 1, size) : null,
    },
  };
};
