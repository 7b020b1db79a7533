// Sends a built file that is kept in memory, compressed beforehand.
import { extname } from 'node:path';
import type { Request, Response } from 'express';

export const encodings = { br: '.br', gzip: '.gz', identity: '' } as const;
export type Encoding = keyof typeof encodings;

export interface StaticFile {
  /** Names the contents: a file with the same one has the same contents. */
  readonly integrity: string;
  readonly contentType: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export const contentTypeOf = (path: string): string =>
  contentTypes[extname(path)] ?? 'application/octet-stream';

const encodingFor = (request: Request): Encoding => {
  const accepted = request.acceptsEncodings();
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity';
};

/** Proxies that compress make an ETag a weak one. */
const has = ({ headers }: Request, etag: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);

/** Sends the file, or 304 to a browser that has it. The caller has set the headers about security and caching. */
export const sendFile = (
  request: Request,
  response: Response,
  { integrity, contentType, bodies }: StaticFile,
): void => {
  const encoding = encodingFor(request);
  response.setHeader('Vary', 'Accept-Encoding');
  const etag = `"${integrity}-${encoding}"`;
  response.setHeader('ETag', etag);
  if (has(request, etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', bodies[encoding].length);
  response.end(bodies[encoding]);
};
