// The door at /auth/*: a list of exact paths. A request is compared with the rows as it stands, and checked against its
// row. The gateway answers it, or better-auth behind the gateway.

import { type AuthOperation, type AuthOperationId, authBodyLimit, authOperations } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { bodyReader, inputParser, readJson } from '@parlance/http';
import type { Tx } from '@parlance/postgres';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendJson } from '../http/answer.js';
import type { OriginGuard } from '../http/origins.js';
import { type Idempotency, parseIdempotencyKey } from '../idempotency/idempotency.js';
import type { StoredAnswer } from '../idempotency/idempotency-store.js';
import { clientAddress } from '../limits/client-address.js';
import { setLimitHeaders } from '../limits/limit-headers.js';
import { assertAllowed, type LimitName, type RateLimits } from '../limits/rate-limits.js';
import type { AccessControl } from './access.js';
import type { AuthHandlers, AuthRequest } from './auth-handlers.js';
import { type Auth, authPath } from './better-auth.js';
import {
  type AuthInput,
  readAnswer,
  sendAnswer,
  sendShown,
  shownJson,
  toWebRequest,
  withOutagesTold,
} from './better-auth-exchange.js';
import type { GuessGuard } from './guess-guard.js';
import type { AuthMembers } from './members.js';
import type { MembershipNews } from './membership-news.js';
import type { Revocations } from './revocations.js';
import type { Sessions, SignedIn } from './sessions.js';

export interface AuthRoutesOptions {
  readonly auth: Auth;
  /** The failure of the database under better-auth since then (epoch milliseconds), if there was one. */
  readonly outageSince: (at: number) => AppError | undefined;
  readonly limits: RateLimits;
  readonly sessions: Sessions;
  readonly revocations: Revocations;
  readonly access: AccessControl;
  readonly members: AuthMembers;
  readonly news: MembershipNews;
  /** Rows that the gateway answers itself; better-auth answers the others. */
  readonly handlers: AuthHandlers;
  readonly guessGuard: GuessGuard;
  readonly guardOrigin: OriginGuard;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly input: AuthInput;
  readonly signedIn: SignedIn | undefined;
  readonly keepShown?: AuthRequest['keepShown'];
}

class AuthDoor {
  readonly #row: AuthOperation & { readonly id: AuthOperationId };
  readonly #options: AuthRoutesOptions;
  readonly #read = bodyReader(authBodyLimit);
  readonly #parse: ReturnType<typeof inputParser>;

  constructor(row: AuthOperation & { readonly id: AuthOperationId }, options: AuthRoutesOptions) {
    this.#row = row;
    this.#options = options;
    this.#parse = inputParser(row);
  }

  async handle(request: Request, response: Response): Promise<void> {
    response.locals.route = this.#row.id;
    await this.#count(response, 'read', `ip:${clientAddress(request)}`);
    const signedIn = await this.#admit(request);
    if (signedIn !== undefined) response.locals.actor = `user:${signedIn.userId}`;
    const input = await this.#input(request, response);
    await this.#refuseForeign(input, signedIn);
    const key =
      this.#row.idempotent === true ? parseIdempotencyKey(request.headers['idempotency-key']) : undefined;
    if (key !== undefined && signedIn !== undefined)
      return this.#once(key, { request, response, input, signedIn });
    await this.#work({ request, response, input, signedIn }, async (answer) => {
      if (answer instanceof globalThis.Response) await sendAnswer(this.#row, response, answer);
      else sendShown(this.#row, response, answer);
    });
  }

  /** Does what the row does, and gives its answer on. */
  async #work<T>(exchange: Exchange, giveOn: (answer: unknown) => Promise<T>): Promise<T> {
    const { request, response, input, signedIn, keepShown } = exchange;
    const { guessGuard, outageSince, news } = this.#options;
    const attempt = await guessGuard.admit(this.#row, request, input, signedIn);
    return withOutagesTold(outageSince, async () => {
      const answer = await this.#answer(request, input, signedIn, keepShown);
      const isForeign = answer instanceof globalThis.Response;
      if (!isForeign || answer.ok) {
        await attempt.succeeded(response);
        this.#forget(request, input);
        if (isForeign) await news.tell(this.#row, answer);
      }
      return giveOn(answer);
    });
  }

  // A new organization becomes the active one of the session, so the records of a person are not those of an organization.
  async #once(key: string, exchange: Exchange & { readonly signedIn: SignedIn }): Promise<void> {
    const { response, input, signedIn } = exchange;
    const organizationId = this.#row.who === 'ownerOrAdmin' ? (signedIn.activeOrganizationId ?? '') : '';
    const { answer, replayed } = await this.#options.idempotency.once({
      id: { organizationId, route: this.#row.id, key },
      input,
      isConfidential: true,
      sealedFor: signedIn.userId,
      requestId: response.locals.requestId,
      work: (_, keep) => {
        const keepShown = (tx: Tx, shown: unknown) => keep(tx, this.#stored(shown));
        return this.#work({ ...exchange, keepShown }, async (given) => {
          const isForeign = given instanceof globalThis.Response;
          return this.#stored(isForeign ? await readAnswer(this.#row, response, given) : given);
        });
      },
    });
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    sendJson(response, answer.status, answer.body);
  }

  #stored(shown: unknown): StoredAnswer {
    return { status: 200, body: shownJson(this.#row, shown) };
  }

  // A key is no person: where a person is needed, a request with a key is refused, even with a cookie.
  async #admit(request: Request): Promise<SignedIn | undefined> {
    const { access, sessions, guardOrigin } = this.#options;
    const { who } = this.#row;
    if (who === 'anybody') {
      if (sessions.handleOf(request.headers.cookie) !== undefined) guardOrigin(request);
      return undefined;
    }
    if (request.headers['x-api-key'] !== undefined) throw new AppError('OWNER_SESSION_REQUIRED');
    if (who === 'ownerOrAdmin') await access.requireOwnerOrAdmin(request);
    const signedIn = await access.requirePerson(request);
    if (who === 'ownerOrAdmin' && signedIn.identity?.secondFactorMissing === true)
      throw new AppError('SECOND_FACTOR_REQUIRED');
    if (this.#row.secondFactor === true && signedIn.secondFactorMissing)
      throw new AppError('SECOND_FACTOR_REQUIRED');
    if (this.#row.verified === true && !signedIn.verified) throw new AppError('EMAIL_NOT_VERIFIED');
    return signedIn;
  }

  async #input(request: Request, response: Response): Promise<AuthInput> {
    const body = this.#row.method === 'POST' ? await readJson(this.#read, request, response) : undefined;
    const query = request.url.includes('?') ? request.query : {};
    return this.#parse({ params: {}, query, body });
  }

  // Rights are those in the active organization, so a row for owners and admins acts on that organization alone.
  async #refuseForeign({ query, body }: AuthInput, signedIn: SignedIn | undefined): Promise<void> {
    if (this.#row.who !== 'ownerOrAdmin') return;
    const organizationId = signedIn?.identity?.caller.organizationId ?? '';
    const named = fieldOf(query, 'organizationId') ?? fieldOf(body, 'organizationId');
    if (named !== undefined && named !== organizationId) throw new AppError('NOT_FOUND');
    const { owned } = this.#row;
    const id = owned === undefined ? undefined : fieldOf(body, owned.field);
    if (owned === undefined || id === undefined || id.includes('@')) return;
    if (!(await this.#options.members.has(organizationId, owned.model, id))) throw new AppError('NOT_FOUND');
  }

  /** better-auth's answer, or the value that the gateway's own handler shows. */
  #answer(
    request: Request,
    input: AuthInput,
    signedIn: SignedIn | undefined,
    keepShown: AuthRequest['keepShown'] = async () => undefined,
  ): Promise<unknown> {
    const { handlers, auth, publicUrl } = this.#options;
    const askBetterAuth = () => auth.handle(toWebRequest(this.#row, request, input, publicUrl));
    const handler = handlers[this.#row.id] ?? askBetterAuth;
    return handler({ request, signedIn, input, askBetterAuth, keepShown });
  }

  #forget(request: Request, { body }: AuthInput): void {
    const { forgets } = this.#row;
    const { sessions, revocations } = this.#options;
    const handle = sessions.handleOf(request.headers.cookie);
    if (forgets === 'everything') revocations.announce({ kind: 'all' });
    if (forgets === 'key') revocations.announce({ kind: 'key', keyId: fieldOf(body, 'keyId') ?? '' });
    if (forgets === 'session' && handle !== undefined) revocations.announce({ kind: 'session', handle });
  }

  async #count(response: Response, name: LimitName, subject: string): Promise<void> {
    const state = await this.#options.limits.count(name, [subject]);
    setLimitHeaders(response, state);
    assertAllowed(state);
  }
}

const fieldOf = (part: object, field: string): string | undefined => {
  const value: unknown = Object.entries(part).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : undefined;
};

type Doors = ReadonlyMap<string, ReadonlyMap<string, AuthDoor>>;

const doorsOf = (options: AuthRoutesOptions): Doors => {
  const doors = new Map<string, Map<string, AuthDoor>>();
  for (const row of authOperations) {
    const methods = doors.get(row.path) ?? new Map<string, AuthDoor>();
    methods.set(row.method, new AuthDoor(row, options));
    doors.set(row.path, methods);
  }
  return doors;
};

/** The path as it came in, up to the query: no decoding, no dots resolved, no slashes joined. */
const rawPath = (request: Request): string => request.originalUrl.split('?', 1)[0] ?? '';

/** To be mounted at authPath. */
export const authRoutes = (options: AuthRoutesOptions): Router => {
  const doors = doorsOf(options);
  const handle: RequestHandler = async (request, response) => {
    const path = rawPath(request);
    const methods = path.startsWith(authPath) ? doors.get(path.slice(authPath.length)) : undefined;
    if (methods === undefined) throw new AppError('NOT_FOUND');
    const door = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (door === undefined) {
      response.setHeader(
        'Allow',
        [...methods.keys()].flatMap((m) => (m === 'GET' ? ['HEAD', m] : m)).join(', '),
      );
      throw new AppError('METHOD_NOT_ALLOWED');
    }
    await door.handle(request, response);
  };
  const router = Router({ caseSensitive: true });
  router.use(handle);
  return router;
};
