// /auth/*: better-auth's own routes behind the gateway's guards. Bodies, origins and limits are checked here, and what
// changes a credential is announced to every gateway.
import { AppError } from '@parlance/errors';
import { type Response as ExpressResponse, type Request, type RequestHandler, Router } from 'express';
import { sendJson } from '../http/answer.js';
import { bodyReader, readJson } from '../http/body.js';
import type { OriginGuard } from '../http/origins.js';
import { setDataHeaders } from '../http/security-headers.js';
import { clientAddress } from '../limits/client-address.js';
import { setLimitHeaders } from '../limits/limit-headers.js';
import { assertAllowed, type LimitName, type RateLimits } from '../limits/rate-limits.js';
import type { RequireSession } from './access.js';
import { createApiKey, parseKeyChange } from './api-key-requests.js';
import { type Auth, authPath, clientAddressHeader } from './better-auth.js';
import type { Revocation, Revocations } from './revocations.js';
import type { Sessions } from './sessions.js';
import type { SignUpGate } from './sign-up-gate.js';

const bodyLimit = 64 * 1_024;

export interface AuthRoutesOptions {
  readonly auth: Auth;
  /** How the database failed better-auth since then (epoch milliseconds), if it did. */
  readonly outageSince: (at: number) => AppError | undefined;
  readonly limits: RateLimits;
  readonly sessions: Sessions;
  readonly signUpGate: SignUpGate;
  readonly revocations: Revocations;
  readonly requireSession: RequireSession;
  readonly guardOrigin: OriginGuard;
  readonly publicUrl: string;
}

/** Routes that check or set a password: what guessing would go through. */
const guardsPassword = (path: string): boolean =>
  /^\/(sign-in|sign-up|request-password-reset|reset-password|change-password|verify-password|set-password)(\/|$)/.test(
    path,
  );

/** Passed on to better-auth; everything else in a request is the gateway's business. */
const passedHeaders = ['cookie', 'origin', 'referer', 'user-agent'];
// Browsers send these together. Node's fetch sends one of them alone, which better-auth would take for a browser that
// hides its origin.
const browserHeaders = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

const toWebRequest = (request: Request, url: string, body: unknown): globalThis.Request => {
  const headers = new Headers({ [clientAddressHeader]: request.ip ?? '' });
  const isBrowser = request.headers['sec-fetch-site'] !== undefined;
  for (const name of isBrowser ? [...passedHeaders, ...browserHeaders] : passedHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (body === undefined) return new globalThis.Request(url, { method: request.method, headers });
  headers.set('content-type', 'application/json');
  return new globalThis.Request(url, { method: request.method, headers, body: JSON.stringify(body) });
};

const sendWebResponse = async (response: ExpressResponse, answer: globalThis.Response): Promise<void> => {
  response.statusCode = answer.status;
  setDataHeaders(response);
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  response.end(Buffer.from(await answer.arrayBuffer()));
};

/** Account that a sign-in is about, so that guessing one account is limited apart from the others. */
const accountOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string'
    ? body.email.toLowerCase().slice(0, 128)
    : '';

/** What to forget after a change; a read changes nothing. */
const revocationAfter = (
  path: string,
  body: unknown,
  sessionHandle: string | undefined,
): Revocation | undefined => {
  if (path.startsWith('/sign-in') || path.startsWith('/sign-up')) return undefined;
  if (path === '/api-key/update' || path === '/api-key/delete') {
    const keyId =
      typeof body === 'object' && body !== null && 'keyId' in body ? String(body.keyId) : undefined;
    return keyId === undefined ? undefined : { kind: 'key', keyId };
  }
  if (path === '/sign-out' || path === '/organization/set-active')
    return sessionHandle === undefined ? undefined : { kind: 'session', handle: sessionHandle };
  // members, roles, passwords, other sessions, whole organizations: rare, and never worth being clever about
  return { kind: 'all' };
};

class AuthRoutes {
  readonly #options: AuthRoutesOptions;
  readonly #read = bodyReader(bodyLimit);

  constructor(options: AuthRoutesOptions) {
    this.#options = options;
  }

  readonly handle: RequestHandler = async (request, response) => {
    const { path } = request;
    response.locals.route = `auth${path.split('/').slice(0, 3).join('.')}`;
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.setHeader('Allow', 'GET, POST');
      throw new AppError('METHOD_NOT_ALLOWED');
    }
    const { sessions, guardOrigin } = this.#options;
    if (sessions.handleOf(request.headers.cookie) !== undefined) guardOrigin(request);
    const body = request.method === 'POST' ? await readJson(this.#read, request, response) : undefined;
    await this.#limit(request, response, body);
    if (request.method === 'POST' && path === '/api-key/create')
      await this.#createKey(request, response, body);
    else if (request.method === 'POST' && path === '/sign-up/email')
      await this.#signUp(request, response, body);
    else await this.#pass(request, response, body);
  };

  async #createKey(request: Request, response: ExpressResponse, body: unknown): Promise<void> {
    if (request.headers['x-api-key'] !== undefined) throw new AppError('OWNER_SESSION_REQUIRED');
    const maker = await this.#options.requireSession(request);
    const created = await this.#withOutagesTold(() => createApiKey(this.#options.auth, maker, body));
    sendJson(response, 200, JSON.stringify(created));
  }

  async #signUp(request: Request, response: ExpressResponse, body: unknown): Promise<void> {
    const { auth, signUpGate } = this.#options;
    const code = request.headers['x-setup-code'];
    const attempt = {
      email: accountOf(body),
      code: typeof code === 'string' ? code : undefined,
      address: clientAddress(request),
    };
    const answer = await signUpGate.admit(attempt, (as) => {
      const signUp = () => this.#askBetterAuth(request, body);
      return as === 'first' ? auth.makingVerified(signUp) : signUp();
    });
    await sendWebResponse(response, answer);
  }

  async #pass(request: Request, response: ExpressResponse, body: unknown): Promise<void> {
    const { path } = request;
    if (path === '/api-key/update') parseKeyChange(body);
    const answer = await this.#askBetterAuth(request, body);
    if (answer.ok && request.method === 'POST') {
      const handle = this.#options.sessions.handleOf(request.headers.cookie);
      const revocation = revocationAfter(path, body, handle);
      if (revocation !== undefined) this.#options.revocations.announce(revocation);
    }
    if (answer.status === 401 && guardsPassword(path))
      await this.#count(response, 'failedAuth', clientAddress(request));
    await sendWebResponse(response, answer);
  }

  async #askBetterAuth(request: Request, body: unknown): Promise<globalThis.Response> {
    const { auth, publicUrl } = this.#options;
    const url = `${publicUrl}${authPath}${request.url}`;
    return this.#withOutagesTold(async () => {
      const answer = await auth.handle(toWebRequest(request, url, body));
      if (answer.status === 404 && (answer.body === null || answer.headers.get('content-type') === null))
        throw new AppError('NOT_FOUND');
      if (answer.status >= 500) throw new Error(`better-auth answered ${answer.status}`);
      return answer;
    });
  }

  // better-auth does not tell a database that is away from a bug.
  async #withOutagesTold<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = Date.now();
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw this.#options.outageSince(startedAt) ?? new AppError('INTERNAL_ERROR', { cause: error });
    }
  }

  async #limit(request: Request, response: ExpressResponse, body: unknown): Promise<void> {
    const address = clientAddress(request);
    await this.#count(response, 'read', `ip:${address}`);
    if (request.method !== 'POST' || !guardsPassword(request.path)) return;
    assertAllowed(await this.#options.limits.state('failedAuth', address));
    await this.#count(response, 'auth', `${address}|${accountOf(body)}`);
  }

  async #count(response: ExpressResponse, name: LimitName, subject: string): Promise<void> {
    const state = await this.#options.limits.count(name, [subject]);
    setLimitHeaders(response, state);
    assertAllowed(state);
  }
}

/** To be mounted at authPath. */
export const authRoutes = (options: AuthRoutesOptions): Router => {
  const router = Router({ caseSensitive: true });
  router.use(new AuthRoutes(options).handle);
  return router;
};
