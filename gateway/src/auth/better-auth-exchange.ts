// One request to better-auth and its answer. The request is built from validated input and a few headers, never from
// the raw request. Only the fields that the row names leave.

import { type AuthOperation } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { isUniqueViolation } from '@parlance/postgres';
import type { Request, Response } from 'express';
import { sendJson } from '../http/answer.js';
import { Page, sendPage } from '../http/page.js';
import { setDataHeaders } from '../http/security-headers.js';
import { fromBetterAuth } from './auth-errors.js';
import { authPath, clientAddressHeader } from './better-auth.js';

/** Passed on to better-auth; everything else in a request is the gateway's business. */
const passedHeaders = ['cookie', 'origin', 'referer', 'user-agent'];
// Browsers send these together. Node's fetch sends one of them alone, which better-auth would take for a browser that
// hides its origin.
const browserHeaders = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

export interface AuthInput {
  readonly query: object;
  readonly body: object;
}

/** The request that better-auth gets for a row. */
export const toWebRequest = (
  row: AuthOperation,
  request: Request,
  input: AuthInput,
  publicUrl: string,
): globalThis.Request => {
  const url = new URL(`${publicUrl}${authPath}${row.path}`);
  for (const [name, value] of Object.entries(input.query)) url.searchParams.set(name, String(value));
  const headers = new Headers({ [clientAddressHeader]: request.ip ?? '' });
  const isBrowser = request.headers['sec-fetch-site'] !== undefined;
  for (const name of isBrowser ? [...passedHeaders, ...browserHeaders] : passedHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (row.method === 'GET') return new globalThis.Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new globalThis.Request(url, { method: row.method, headers, body: JSON.stringify(input.body) });
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
};

// better-auth's cookies come first, because a client looks for the session's cookie.
const passCookies = (response: Response, answer: globalThis.Response): void => {
  const own = response.getHeader('Set-Cookie');
  response.removeHeader('Set-Cookie');
  for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  if (typeof own === 'string' || Array.isArray(own)) response.append('Set-Cookie', own);
};

/** The named fields of an answer. An answer that does not fit its row is a bug of the platform, not the caller's. */
export const shownJson = (row: AuthOperation, answer: unknown): string => {
  const shown = row.answer.safeParse(answer);
  if (!shown.success) {
    const misfits = shown.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
    throw new Error(`the answer of ${row.id} does not fit its row: ${misfits.slice(0, 10).join(', ')}`);
  }
  return JSON.stringify(shown.data);
};

/** Sends a page of the gateway, or the named fields of an answer. */
export const sendShown = (row: AuthOperation, response: Response, answer: unknown): void => {
  if (answer instanceof Page) {
    sendPage(response, answer.content);
    return;
  }
  sendJson(response, 200, shownJson(row, answer));
};

const sendRedirect = (response: Response, status: number, location: string): void => {
  response.statusCode = status;
  setDataHeaders(response);
  response.setHeader('Location', location);
  response.end();
};

/**
 * Reads better-auth's answer, and sets its cookies.
 * @throws AppError for a refusal; an Error for an unexpected answer of better-auth
 */
export const readAnswer = async (
  row: AuthOperation,
  response: Response,
  answer: globalThis.Response,
): Promise<unknown> => {
  if (answer.status >= 500) throw new Error(`better-auth answered ${answer.status} to ${row.id}`);
  passCookies(response, answer);
  const body = parsed(await answer.text());
  if (!answer.ok) throw fromBetterAuth(answer.status, body);
  return body;
};

/**
 * Sends better-auth's answer on, cookies included.
 * @throws AppError for a refusal; an Error for an unexpected answer of better-auth
 */
export const sendAnswer = async (
  row: AuthOperation,
  response: Response,
  answer: globalThis.Response,
): Promise<void> => {
  const location = answer.headers.get('location');
  const isRedirect = answer.status >= 300 && answer.status < 400 && location !== null;
  if (isRedirect) {
    passCookies(response, answer);
    sendRedirect(response, answer.status, location);
    return;
  }
  sendShown(row, response, await readAnswer(row, response, answer));
};

/**
 * To better-auth, a database that is away looks like a bug. Its pool tells the two apart. For a name, better-auth first looks
 * whether it is free, and takes it in a second step. So the database refuses the second of two requests at the same moment.
 */
export const withOutagesTold = async <T>(
  outageSince: (at: number) => AppError | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  const startedAt = Date.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isUniqueViolation(error)) throw new AppError('NAME_TAKEN', { cause: error });
    throw outageSince(startedAt) ?? new AppError('INTERNAL_ERROR', { cause: error });
  }
};
