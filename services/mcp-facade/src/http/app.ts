// The checks that a request passes before the protocol sees it: request id, host and origin, credential, body.

import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import { AppError, validationError } from '@parlance/errors';
import { bodyReader, defaultBodyLimit, readJson, requestContext } from '@parlance/http';
import { withTokens } from '@parlance/json';
import type { Ids, Logger } from '@parlance/observability';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { tools } from '../fold/tools.js';
import type { Gateway } from '../gateway/gateway.js';
import { sessionKey } from '../protocol/mcp-server.js';
import { Session } from '../protocol/session.js';
import { refuse } from './refusals.js';
import { requireScopes, scopes } from './scopes.js';
import { withNumbers } from './with-numbers.js';

/** Room for the envelope of the protocol around the largest arguments. */
const envelopeBytes = 16 * 1_024;
const bodyLimit =
  envelopeBytes + Math.max(...[...tools.values()].map(({ row }) => row.bodyLimitBytes ?? defaultBodyLimit));

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const metadataPath = '/.well-known/oauth-protected-resource';

export interface AppOptions {
  readonly logger: Logger;
  readonly ids: Ids;
  readonly gateway: Gateway;
  readonly handler: McpHttpHandler;
  /** The address at which people reach the gateway, which passes requests on to here. */
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  /** The authorization server where tokens can be had. */
  readonly issuer: string | undefined;
  readonly isReady: () => Promise<boolean>;
}

const hasCredential = ({ headers }: Request): boolean =>
  headers['x-api-key'] !== undefined || headers.authorization !== undefined;

/** Nothing of the protocol happens for a stranger, and no session stands for a credential. */
const sessionOf = async (request: Request, gateway: Gateway, requestId: string): Promise<Session> => {
  if (!hasCredential(request)) throw new AppError('UNAUTHENTICATED');
  const headers = { ...request.headers, 'x-request-id': requestId };
  return new Session(await gateway.callerOf(headers), gateway.as(headers), requestId);
};

const authInfoOf = (session: Session): AuthInfo => {
  const { actor, permissions } = session.caller;
  return {
    token: '',
    clientId: `${actor.type}:${actor.id}`,
    scopes: permissions,
    extra: { [sessionKey]: session },
  };
};

const refuseBatch = (body: unknown): void => {
  if (Array.isArray(body))
    throw validationError([{ path: 'body', code: 'batch', message: 'send one message at a time' }]);
};

export const createApp = ({ gateway, handler, publicUrl, ...options }: AppOptions): Express => {
  const resource = `${publicUrl}/mcp`;
  const read = bodyReader(bodyLimit);
  const answer = toNodeHandler(withNumbers(handler), {
    onerror: (err) => options.logger.warn({ err }, 'request failed'),
  });

  const serveMcp: RequestHandler = async (request, response) => {
    response.locals.route = 'mcp';
    response.setHeader('Cache-Control', 'no-store');
    const session = await sessionOf(request, gateway, response.locals.requestId);
    response.locals.organizationId = session.caller.organizationId;
    const body = request.method === 'POST' ? await readJson(read, request, response) : undefined;
    if (request.method === 'POST' && body === undefined) throw new AppError('MALFORMED_JSON');
    refuseBatch(body);
    requireScopes(session.caller, body);
    await answer(Object.assign(request, { auth: authInfoOf(session) }), response, withTokens(body));
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext(options));
  app.get('/health', async (_request, response) => {
    response.sendStatus((await options.isReady()) ? 200 : 503);
  });
  const host = new URL(publicUrl).hostname;
  app.use(hostHeaderValidation([host, ...loopback]));
  app.use(originValidation([host, ...loopback, ...options.allowedOrigins]));
  app.get([metadataPath, `${metadataPath}/mcp`], (_request, response) => {
    response.json({
      resource,
      resource_name: 'Parlance',
      bearer_methods_supported: ['header'],
      ...(options.issuer === undefined
        ? {}
        : { authorization_servers: [options.issuer], scopes_supported: scopes }),
      resource_documentation: `${publicUrl}/api/v1/docs`,
    });
  });
  app.all('/mcp', serveMcp);
  app.use(() => {
    throw new AppError('NOT_FOUND');
  });
  app.use(refuse({ logger: options.logger, metadataUrl: `${publicUrl}${metadataPath}/mcp` }));
  return app;
};
