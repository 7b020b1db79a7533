// GET /widget.js and its siblings, which pages of every site load. They are public and the same for everybody; the
// origin of each visitor's request decides about the use of a widget.
import { type Request, type Response, Router } from 'express';
import { setDataHeaders } from '../http/security-headers.js';
import { sendFile } from '../http/static-file.js';
import type { EarlierVersions } from './earlier-versions.js';
import type { WidgetFile, WidgetFiles } from './files.js';

const script = 'widget.js';
/** Pages get a new version within five minutes; a versioned file never changes. */
const caching = {
  latest: 'public, max-age=300, must-revalidate',
  versioned: 'public, max-age=31536000, immutable',
};

const setHeaders = (response: Response, cache: keyof typeof caching): void => {
  setDataHeaders(response);
  response.setHeader('Cache-Control', caching[cache]);
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Timing-Allow-Origin', '*');
};

const send = (request: Request, response: Response, file: WidgetFile, cache: keyof typeof caching): void => {
  setHeaders(response, cache);
  sendFile(request, response, file);
};

/** The addresses and hashes that a page needs to pin this version. */
const listOf = ({ version, byPath }: WidgetFiles): unknown => ({
  version,
  files: [...byPath.values()].map(({ path, integrity }) => ({
    path: `/widget/${version}/${path}`,
    integrity,
  })),
});

export interface WidgetFilesOptions {
  /** The files that this gateway was built with. */
  readonly own: () => WidgetFiles;
  readonly earlier: Pick<EarlierVersions, 'find'>;
}

/** To be mounted at the root. */
export const widgetFiles = ({ own, earlier }: WidgetFilesOptions): Router => {
  const router = Router({ caseSensitive: true });
  router.use((_request, response, next) => {
    response.locals.route = 'widget files';
    next();
  });
  router.get('/widget.js', (request, response, next) => {
    const file = own().byPath.get(script);
    if (file === undefined) next();
    else send(request, response, file, 'latest');
  });
  router.get('/widget/latest.json', (_request, response) => {
    setHeaders(response, 'latest');
    response.json(listOf(own()));
  });
  router.get('/widget/:version/*path', async (request, response, next) => {
    const { version, byPath } = own();
    const path = [request.params.path].flat().join('/');
    const asked = request.params.version;
    const file = asked === version ? byPath.get(path) : await earlier.find(asked, path);
    if (file === undefined) next();
    else send(request, response, file, 'versioned');
  });
  return router;
};
