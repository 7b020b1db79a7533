// The headers that let a web page of another origin use presigned URLs.
import type { RequestHandler } from 'express';
import { S3Error } from './s3-error.js';

const methods = ['GET', 'HEAD', 'PUT'];

/** Answers preflights, and tells browsers that a page may read the answer. `*` is any origin. */
export const cors =
  (origins: readonly string[]): RequestHandler =>
  ({ method, headers }, response, next) => {
    const { origin } = headers;
    const asked = headers['access-control-request-method'];
    const allowed = origin !== undefined && origins.some((one) => one === '*' || one === origin);
    response.setHeader('vary', 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method');
    if (allowed) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', 'ETag, x-amz-request-id');
    }
    if (method !== 'OPTIONS') {
      next();
      return;
    }
    if (!allowed || asked === undefined || !methods.includes(asked))
      throw new S3Error('AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
    response.setHeader('access-control-allow-methods', methods.join(', '));
    response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
    response.setHeader('access-control-max-age', '3000');
    response.end();
  };
