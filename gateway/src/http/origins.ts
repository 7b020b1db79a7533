// The trusted origins. CORS opens to the configured ones only, by exact comparison; other origins get no CORS header at
// all. A change that rides on a cookie must come from one of them.
import { AppError } from '@parlance/errors';
import type { Request, RequestHandler, Response } from 'express';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The origins of one address: itself, and on a loopback address its other names. */
export const originsOf = (url: string): readonly string[] => {
  const { protocol, hostname, port, origin } = new URL(url);
  if (!loopback.has(hostname)) return [origin];
  return [...loopback].map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`);
};

const exposed =
  'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed, X-Concurrency-Limit, X-Concurrency-Remaining';

const answerPreflight = (response: Response): void => {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Content-Type, X-Api-Key, X-Request-Id, Idempotency-Key',
  );
  response.setHeader('Access-Control-Max-Age', '600');
  response.statusCode = 204;
  response.end();
};

/** CORS for the console's origins. */
export const cors = (consoleOrigins: readonly string[]): RequestHandler => {
  const allowed = new Set(consoleOrigins);
  return (request, response, next) => {
    if (allowed.size > 0) response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      answerPreflight(response);
    else next();
  };
};

/** Throws ORIGIN_NOT_ALLOWED unless the request reads only, or demonstrably comes from a page of ours. */
export type OriginGuard = (request: Request) => void;

/**
 * Guards requests with a cookie against pages of other sites: the browser sends the cookie there too, but tells the
 * origin. A request without an origin is refused as well; API keys are for programs.
 */
export const originGuard = (trusted: readonly string[]): OriginGuard => {
  const ours = new Set(trusted);
  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const { origin } = request.headers;
    const fine =
      origin === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : ours.has(origin);
    if (!fine) throw new AppError('ORIGIN_NOT_ALLOWED');
  };
};
