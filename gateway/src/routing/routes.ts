// The contract as an Express router: the one place that mounts operations.
import type { Operation } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RequestHandler, Router } from 'express';
import { RouteHandler, type RouteOptions } from './route-handler.js';

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * Orders paths: at the first difference, a fixed segment comes before a parameter. So /calls/live is not the call with
 * the id "live".
 */
export const byPrecedence = (left: string, right: string): number => {
  const [lefts, rights] = [left.split('/'), right.split('/')];
  for (const [index, segment] of lefts.entries()) {
    const other = rights[index];
    if (other === undefined) return 1;
    if (isParameter(segment) !== isParameter(other)) return isParameter(segment) ? 1 : -1;
    if (segment !== other) return segment < other ? -1 : 1;
  }
  return lefts.length - rights.length;
};

/** Express writes `{param}` as `:param`. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const methodNotAllowed =
  (methods: readonly string[]): RequestHandler =>
  (_request, response) => {
    response.setHeader('Allow', methods.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED');
  };

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

export const contractRouter = (operations: readonly Operation[], options: RouteOptions): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const paths = [...new Set(operations.map(({ path }) => path))].sort(byPrecedence);
  for (const path of paths) {
    const rows = operations.filter((row) => row.path === path);
    const route = router.route(expressPath(path));
    for (const row of rows) route[verbs[row.method]](new RouteHandler(row, options).handle);
    const methods = rows.map(({ method }) => method);
    route.all(methodNotAllowed(methods.includes('GET') ? ['HEAD', ...methods] : methods));
  }
  return router;
};
