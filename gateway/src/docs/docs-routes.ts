// GET /docs.json and a page to read and try it: swagger-ui, served from its package, nothing from elsewhere.
import { operations } from '@parlance/contracts';
import { type RequestHandler, Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { sendJson } from '../http/answer.js';
import { pageHeaders } from '../http/security-headers.js';
import { buildOpenApi } from './openapi.js';

/** Built at the first request: starting must not wait for it. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const serveDocument = (publicUrl: string): RequestHandler => {
  const text = once(() => JSON.stringify(buildOpenApi(operations, publicUrl)));
  return (_request, response) => {
    response.locals.route = 'docs.json';
    sendJson(response, 200, text());
  };
};

const page = (documentUrl: string): Router => {
  const router = Router();
  router.use(pageHeaders, (_request, response, next) => {
    response.locals.route = 'docs';
    next();
  });
  const options = {
    swaggerOptions: {
      url: documentUrl,
      validatorUrl: null,
      docExpansion: 'none',
      persistAuthorization: false,
    },
    customSiteTitle: 'Parlance API',
  };
  router.use(swaggerUi.serveFiles(undefined, options), swaggerUi.setup(undefined, options));
  return router;
};

/** To be mounted at the base path. */
export const docsRoutes = (basePath: string, publicUrl: string): Router => {
  const router = Router({ caseSensitive: true });
  router.get('/docs.json', serveDocument(publicUrl));
  router.use('/docs', page(`${basePath}/docs.json`));
  return router;
};
