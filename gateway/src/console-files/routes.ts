// The console: one page for all of its addresses, and files with names that change with their contents. The browser
// makes the page anew from its address. So an unknown address gets the page, too, and the page says so.
import { type Request, type RequestHandler, Router } from 'express';
import { setConsoleHeaders } from '../http/security-headers.js';
import { sendFile } from '../http/static-file.js';
import type { ConsoleFiles } from './files.js';
import type { KeptAssets } from './kept-assets.js';

const assetsPath = '/console-assets/';

/** First segments of addresses that programs ask; a mistake there is answered for programs. */
const ofPrograms: ReadonlySet<string> = new Set([
  'api',
  'console-assets',
  'hooks',
  'mcp',
  'public',
  'widget',
  'widget.js',
  '.well-known',
]);

const isForPeople = (request: Request): boolean => {
  const [, first = ''] = request.path.split('/');
  return !ofPrograms.has(first) && request.accepts(['json', 'html']) === 'html';
};

export interface ConsoleFilesOptions {
  /** Origins beside our own that the console may ask: where uploads go, and the media server. */
  readonly connectOrigins: readonly string[];
  /** The files that this gateway was built with. */
  readonly own: () => ConsoleFiles;
  /** The files of all releases. */
  readonly kept: Pick<KeptAssets, 'find'>;
}

/** To be mounted at the root, behind everything that has an address of its own. */
export const consoleFiles = ({
  connectOrigins,
  own,
  kept,
}: ConsoleFilesOptions): { readonly page: RequestHandler; readonly routes: Router } => {
  const setHeaders = setConsoleHeaders(connectOrigins);

  const page: RequestHandler = (request, response) => {
    response.locals.route = 'console';
    const { page: file } = own();
    setHeaders(response);
    // The page names the files of its release: a browser that kept it would ask for files that are forgotten.
    response.setHeader('Cache-Control', 'no-store');
    sendFile(request, response, file);
  };

  const routes = Router({ caseSensitive: true });
  routes.get(`${assetsPath}*path`, async (request, response, next) => {
    const file = own().assets.get(request.path) ?? (await kept.find(request.path));
    if (file === undefined) {
      next();
      return;
    }
    response.locals.route = 'console files';
    setHeaders(response);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    sendFile(request, response, file);
  });
  routes.get('/*path', (request, response, next) => {
    if (isForPeople(request)) page(request, response, next);
    else next();
  });
  routes.get('/', page);
  return { page, routes };
};
