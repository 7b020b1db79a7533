// Bearer tokens of the control endpoints, compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two secrets are the same; takes as long for any two. */
export const sameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret));

/** Lets a request pass that carries the token, and answers 401 to any other. */
export const bearerGuard =
  (token: string): RequestHandler =>
  (request, response, next) => {
    if (sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) next();
    else response.status(401).json({ error: 'the control token is needed as bearer token' });
  };
