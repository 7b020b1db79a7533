// Resolves session cookies: better-auth says whose session it is, the membership says what that person may do in the
// active organization.
import { rolePermissions } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/persistence';
import type { Auth } from './better-auth.js';
import { FreshCache } from './fresh-cache.js';
import type { SessionIdentity } from './identity.js';
import { strongestRole } from './roles.js';

interface LiveSession {
  readonly userId: string;
  /** Undefined while no organization is active, or the person does not belong to it any more. */
  readonly identity: SessionIdentity | undefined;
  readonly expiresAt: number;
}

const findRole = {
  name: 'gateway_find_role',
  text: 'select role from member where "userId" = $1 and "organizationId" = $2',
};

const toIdentity = (
  userId: string,
  organizationId: string,
  membership: string,
): SessionIdentity | undefined => {
  const role = strongestRole(membership);
  if (role === undefined) return undefined;
  const permissions = [...rolePermissions[role]];
  return {
    kind: 'session',
    userId,
    caller: { organizationId, actor: { type: 'user', id: userId }, role, permissions },
    permissions: new Set(permissions),
  };
};

/** The value of one cookie out of a Cookie header. */
const cookieValue = (header: string, name: string): string | undefined => {
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return undefined;
};

export class Sessions {
  readonly #auth: Auth;
  readonly #db: Tx;
  readonly #clock: Clock;
  readonly #known = new FreshCache<LiveSession>();

  constructor(auth: Auth, db: Tx, clock: Clock) {
    this.#auth = auth;
    this.#db = db;
    this.#clock = clock;
  }

  /** A name for the session in a Cookie header that does not give the session away; undefined when there is none. */
  handleOf(cookieHeader: string | undefined): string | undefined {
    const value = cookieHeader === undefined ? undefined : cookieValue(cookieHeader, this.#auth.cookieName);
    return value === undefined || value === '' ? undefined : sha256(value);
  }

  /**
   * Who a Cookie header stands for; undefined when it holds no live session.
   * @throws AppError NO_ACTIVE_ORGANIZATION, or SERVICE_UNAVAILABLE when it cannot be found out
   */
  async identify(cookieHeader: string, handle: string): Promise<SessionIdentity | undefined> {
    const session = await this.#known.get(handle, () => this.#find(cookieHeader));
    if (session === undefined || session.expiresAt <= this.#clock.now().getTime()) return undefined;
    if (session.identity === undefined) throw new AppError('NO_ACTIVE_ORGANIZATION');
    return session.identity;
  }

  forget(handle: string): void {
    this.#known.delete(handle);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async #find(cookieHeader: string): Promise<LiveSession | undefined> {
    const session = await this.#session(cookieHeader);
    if (session === null) return undefined;
    const { userId, activeOrganizationId } = session;
    const role = activeOrganizationId === null ? undefined : await this.#role(userId, activeOrganizationId);
    return {
      userId,
      identity:
        role === undefined || activeOrganizationId === null
          ? undefined
          : toIdentity(userId, activeOrganizationId, role),
      expiresAt: session.expiresAt.getTime(),
    };
  }

  async #session(cookieHeader: string): ReturnType<Auth['session']> {
    try {
      return await this.#auth.session(cookieHeader);
    } catch (cause) {
      // better-auth answers a cookie that is wrong with null; it throws only when its tables cannot be read
      throw new AppError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 1 });
    }
  }

  async #role(userId: string, organizationId: string): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ role: string }>(findRole, [userId, organizationId]);
    return rows[0]?.role;
  }
}
