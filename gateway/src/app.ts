// The order of the middleware: a request passes it from top to bottom of this file.
import { mcpCallbackPath, mcpClientDocumentPath, type Operation, operations } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { requestContext } from '@parlance/http';
import type { Ids, Logger } from '@parlance/observability';
import express, { type Express, type RequestHandler, Router } from 'express';
import { authPath } from './auth/better-auth.js';
import { securityEventOf } from './auth/security-events.js';
import { type ConsoleFilesOptions, consoleFiles } from './console-files/routes.js';
import { docsRoutes } from './docs/docs-routes.js';
import { accountPages } from './http/account-pages.js';
import { errorResponse } from './http/error-response.js';
import { cors } from './http/origins.js';
import type { AddressVouchers } from './mcp/address-vouchers.js';
import type { McpProxy } from './mcp/mcp-proxy.js';
import type { RouteOptions } from './routing/route-handler.js';
import { contractRouter } from './routing/routes.js';
import { visitorCors } from './visitors/visitor-cors.js';
import { type WidgetFilesOptions, widgetFiles } from './widget-files/routes.js';

export const basePath = '/api/v1';
/** Here each widget says which pages may read answers; the console's origins mean nothing. */
const visitorPath = `${basePath}/public/widgets/:widgetId`;

export interface AppOptions {
  readonly logger: Logger;
  readonly ids: Ids;
  /** Scheme, host and port under which people reach the gateway. */
  readonly publicUrl: string;
  readonly consoleOrigins: readonly string[];
  readonly trustProxyHops: number;
  readonly servesInternal: boolean;
  readonly authRoutes: RequestHandler;
  readonly liveKitHook: RequestHandler;
  readonly uploadDoor: RequestHandler;
  readonly mcpLoginHook: RequestHandler;
  readonly mcpClientDocument: RequestHandler;
  readonly vouchers: AddressVouchers;
  /** Serves /widget-demo, or falls through. */
  readonly widgetDemo: RequestHandler;
  readonly widgetFiles: WidgetFilesOptions;
  /** Absent where the console is off; its paths then answer 404. */
  readonly console: ConsoleFilesOptions | undefined;
  /** Absent where no facade runs; its paths then answer 404. */
  readonly mcp: McpProxy | undefined;
  readonly routes: RouteOptions;
}

const plainApp = (): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  return app;
};

const notFound: RequestHandler = () => {
  throw new AppError('NOT_FOUND');
};

const takesInternalKey = ({ auth }: Operation): boolean =>
  auth.kind === 'internal' || (auth.kind === 'call' && auth.withInternalKey === true);

// The contract comes first, because most requests are for its operations.
const api = ({ authRoutes, publicUrl, routes, servesInternal }: AppOptions): Router => {
  const served: readonly Operation[] = operations;
  const router = Router({ caseSensitive: true });
  router.use(
    contractRouter(servesInternal ? served : served.filter((row) => !takesInternalKey(row)), routes),
  );
  router.use(authPath.slice(basePath.length), authRoutes);
  router.use(docsRoutes(basePath, publicUrl));
  return router;
};

const isOfRuntime = ({ auth }: Operation): boolean => auth.kind === 'internal' || auth.kind === 'call';

/** The routes of the voice runtime, with the internal key or the token of a call, and no other route. */
export const createRuntimeApp = ({
  logger,
  ids,
  routes,
}: Pick<AppOptions, 'logger' | 'ids' | 'routes'>): Express => {
  const app = plainApp();
  app.use(requestContext({ logger, ids, securityEventOf }));
  app.use(basePath, contractRouter(operations.filter(isOfRuntime), routes));
  app.use(notFound);
  app.use(errorResponse(logger));
  return app;
};

const isForVisitors = (path: string): boolean => path.startsWith('/public/');

export const createApp = (options: AppOptions): Express => {
  const app = plainApp();
  app.set('trust proxy', options.trustProxyHops);
  const { logger, ids } = options;
  app.use(requestContext({ logger, ids, securityEventOf }));
  app.use(options.vouchers.middleware);
  const forConsole = cors(options.consoleOrigins);
  app.use(visitorPath, visitorCors(options.routes));
  app.use(basePath, (request, response, next) =>
    isForVisitors(request.path) ? next() : forConsole(request, response, next),
  );
  app.use(basePath, api(options));
  app.post('/hooks/livekit', options.liveKitHook);
  app.put('/uploads/:service/:ticket', options.uploadDoor);
  app.get(mcpCallbackPath, options.mcpLoginHook);
  app.get(mcpClientDocumentPath, options.mcpClientDocument);
  if (options.mcp !== undefined) app.use(options.mcp.routes);
  const console = options.console && consoleFiles(options.console);
  app.use('/account', accountPages(console?.page));
  app.use('/widget-demo', options.widgetDemo);
  app.use(widgetFiles(options.widgetFiles));
  if (console !== undefined) app.use(console.routes);
  app.use(notFound);
  app.use(errorResponse(options.logger));
  return app;
};
