// The id under which a request can be found again, the context that its log lines carry, and its one access line.
import { currentContext, type Ids, type Logger, runWithContext } from '@parlance/observability';
import type { RequestHandler, Response } from 'express';
import { measureRequest } from './request-metrics.js';

declare global {
  namespace Express {
    /** The known facts of the request so far; also the context of its log lines. */
    interface Locals {
      requestId: string;
      /** Id of the operation; absent while no route has matched. */
      route?: string;
      organizationId?: string;
      actor?: string;
    }
  }
}

// Long enough to be unique, short and plain enough to go into headers, logs and other people's tickets unescaped.
const acceptable = /^[A-Za-z0-9._:-]{8,128}$/;

/** Unique without asking for randomness each time: the tail of one uuid, and a count. */
const requestIds = (ids: Ids): (() => string) => {
  const process = ids.next().replaceAll('-', '').slice(-16);
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
};

export interface RequestContextOptions {
  readonly logger: Logger;
  readonly ids: Ids;
  /** The event that a request was, for those who watch over the platform; undefined for most. */
  readonly securityEventOf?: (route: string, status: number) => string | undefined;
}

// The path may hold phone numbers and the query anything, so the line names the operation instead.
const logWhenDone = (
  { logger, securityEventOf }: RequestContextOptions,
  method: string,
  response: Response,
): void => {
  const startedAt = performance.now();
  response.once('close', () => {
    const { requestId, route = 'none', organizationId, actor } = response.locals;
    const securityEvent = securityEventOf?.(route, response.statusCode);
    logger.info(
      {
        // the context of the listener is that of the socket, not of the request
        ...(currentContext()?.requestId === requestId ? {} : { requestId }),
        method,
        route,
        status: response.statusCode,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(organizationId === undefined ? {} : { organizationId }),
        ...(actor === undefined ? {} : { actor }),
        ...(securityEvent === undefined ? {} : { securityEvent }),
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request answered',
    );
  });
};

/** First in the chain: everything after it can rely on `response.locals.requestId`. */
export const requestContext = (options: RequestContextOptions): RequestHandler => {
  const { logger, ids } = options;
  const logsRequests = logger.isLevelEnabled('info');
  const nextId = requestIds(ids);
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && acceptable.test(given) ? given : nextId();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    measureRequest(request.method, response);
    if (logsRequests) logWhenDone(options, request.method, response);
    runWithContext(response.locals, next);
  };
};
