// CORS for pages of other sites that show a widget. Each widget has a list of its own, compared exactly, and no
// credentials are let through. The service judges the origin again; the decision here only lets the browser show the
// answer to the page.
import { admitsOrigin, serviceRequests, uuid } from '@parlance/contracts';
import { platformCaller, type RpcClient } from '@parlance/rpc';
import type { Request, RequestHandler, Response } from 'express';
import { FreshCache } from '../auth/fresh-cache.js';
import { clientAddress } from '../limits/client-address.js';
import { assertAllowed, type RateLimits } from '../limits/rate-limits.js';

export interface VisitorCorsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly limits: Pick<RateLimits, 'count'>;
}

interface Listed {
  readonly allowedOrigins: readonly string[];
}

const exposed = 'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const answerPreflight = (response: Response): void => {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-End-Token, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', '600');
  response.statusCode = 204;
  response.end();
};

/** A change of a list may be noticed so much later. */
const listFreshMs = 4_000;

/** The lists of widgets, remembered for a few seconds. A widget that admits no page looks like an unknown one. */
const listsOver = ({ rpc }: VisitorCorsOptions) => {
  const known = new FreshCache<Listed>({ freshMs: listFreshMs });
  return async (widgetId: string, requestId: string): Promise<readonly string[]> => {
    const listed = await known.get(widgetId, async () => {
      const caller = platformCaller('gateway', '');
      const { data } = await rpc.call(
        serviceRequests.widgetsOrigins,
        { body: { widgetId } },
        { caller, requestId },
      );
      return data.allowedOrigins.length === 0 ? undefined : data;
    });
    return listed?.allowedOrigins ?? [];
  };
};

/** For the path of one widget, of which the parameter `widgetId` is the id. */
export const visitorCors = (options: VisitorCorsOptions): RequestHandler => {
  const { limits } = options;
  const listOf = listsOver(options);
  return async (request, response, next) => {
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    const widgetId = uuid.safeParse(request.params.widgetId).data;
    if (origin === undefined || widgetId === undefined) return next();
    // Lookups are counted, so that invented widgets do not pass a flood on to the service.
    const state = await limits.count('publicConfig', [`cors:${clientAddress(request)}`]);
    if (isPreflight(request)) assertAllowed(state);
    // While the service is away the route itself says so.
    const list = state.allowed ? await listOf(widgetId, response.locals.requestId).catch(() => []) : [];
    if (!admitsOrigin(list, origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    return isPreflight(request) ? answerPreflight(response) : next();
  };
};
