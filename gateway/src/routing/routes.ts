// The contract as one request handler: the one place that mounts operations.
import type { Operation } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import type { Request, RequestHandler } from 'express';
import { PathTree } from './path-tree.js';
import { RouteHandler, type RouteOptions } from './route-handler.js';

/** The operations of one path. */
interface Methods {
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** The value of the header Allow. */
  readonly allowed: string;
}

const methodsOf = (rows: readonly Operation[], options: RouteOptions): Methods => {
  const handlers = new Map(rows.map((row) => [row.method as string, new RouteHandler(row, options).handle]));
  const get = handlers.get('GET');
  // Node sends no body with the answer to HEAD.
  if (get !== undefined) handlers.set('HEAD', get);
  const methods = rows.map(({ method }) => method);
  return { handlers, allowed: (get === undefined ? methods : ['HEAD', ...methods]).join(', ') };
};

/** @throws AppError VALIDATION_ERROR */
const decoded = (params: Readonly<Record<string, string>>): Request['params'] => {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)] as const),
    );
  } catch {
    throw validationError([
      { path: 'path', code: 'invalid_encoding', message: 'is not valid percent-encoding' },
    ]);
  }
};

/** Falls through for paths that the contract does not have. */
export const contractRouter = (operations: readonly Operation[], options: RouteOptions): RequestHandler => {
  const tree = new PathTree<Methods>();
  for (const path of new Set(operations.map((row) => row.path)))
    tree.add(
      path,
      methodsOf(
        operations.filter((row) => row.path === path),
        options,
      ),
    );
  return (request, response, next) => {
    const found = tree.find(request.path);
    if (found === undefined) return next();
    const { handlers, allowed } = found.value;
    const handle = handlers.get(request.method);
    if (handle === undefined) {
      response.setHeader('Allow', allowed);
      throw new AppError('METHOD_NOT_ALLOWED');
    }
    request.params = decoded(found.params);
    return handle(request, response, next);
  };
};
