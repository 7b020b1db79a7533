// Resolves session cookies: better-auth names the person of the session, the membership gives that person's rights in
// the active organization.
import { rolePermissions } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { cookieValue } from '../http/cookies.js';
import { roleNamed } from '../organizations/roles.js';
import type { Auth, AuthSession } from './better-auth.js';
import { FreshCache } from './fresh-cache.js';
import type { SessionIdentity } from './identity.js';

/** A live session, with or without an active organization. */
export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly activeOrganizationId: string | null;
  /** The e-mail address is verified, or counts as it. */
  readonly verified: boolean;
  readonly hasSecondFactor: boolean;
  /** Any organization of this person requires a second factor that is not set up. */
  readonly secondFactorMissing: boolean;
  /** Undefined while no organization is active, or the person does not belong to it any more. */
  readonly identity: SessionIdentity | undefined;
  readonly expiresAt: number;
}

interface Standing {
  /** The role in the active organization. */
  readonly role: string | null;
  readonly requiredHere: boolean;
  readonly requiredSomewhere: boolean;
}

const findStanding = {
  name: 'gateway_find_standing',
  text: `select max(m.role) filter (where m."organizationId" = $2) as role,
                coalesce(bool_or(o."secondFactorRequired") filter (where o.id = $2), false) as "requiredHere",
                coalesce(bool_or(o."secondFactorRequired"), false) as "requiredSomewhere"
           from member m join organization o on o.id = m."organizationId"
          where m."userId" = $1`,
};

const toIdentity = (
  { userId, activeOrganizationId, hasSecondFactor }: AuthSession,
  { role: membership, requiredHere }: Standing,
  verified: boolean,
): SessionIdentity | undefined => {
  const role = membership === null ? undefined : roleNamed(membership);
  if (role === undefined || activeOrganizationId === null) return undefined;
  const permissions = [...rolePermissions[role]];
  return {
    kind: 'session',
    userId,
    verified,
    secondFactorMissing: requiredHere && !hasSecondFactor,
    caller: {
      organizationId: activeOrganizationId,
      actor: { type: 'user', id: userId },
      role,
      permissions,
    },
    permissions: new Set(permissions),
  };
};

export interface SessionsOptions {
  readonly auth: Auth;
  readonly db: Tx;
  readonly clock: Clock;
  /** False where every address counts as verified. */
  readonly verificationRequired: boolean;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #known = new FreshCache<SignedIn>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** A name for the session in a Cookie header that does not give the session away; undefined when there is none. */
  handleOf(cookieHeader: string | undefined): string | undefined {
    const value =
      cookieHeader === undefined ? undefined : cookieValue(cookieHeader, this.#options.auth.cookieName);
    return value === undefined || value === '' ? undefined : sha256(value);
  }

  /**
   * The live session in a Cookie header, undefined when it holds none.
   * @throws AppError SERVICE_UNAVAILABLE when it cannot be found out
   */
  async signedIn(cookieHeader: string, handle: string): Promise<SignedIn | undefined> {
    const session = await this.#known.get(handle, () => this.#find(cookieHeader));
    return session === undefined || session.expiresAt <= this.#options.clock.now().getTime()
      ? undefined
      : session;
  }

  forget(handle: string): void {
    this.#known.delete(handle);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async #find(cookieHeader: string): Promise<SignedIn | undefined> {
    const session = await this.#session(cookieHeader);
    if (session === null) return undefined;
    const { userId, email, activeOrganizationId, hasSecondFactor } = session;
    const standing = await this.#standing(userId, activeOrganizationId);
    const verified = session.emailVerified || !this.#options.verificationRequired;
    return {
      userId,
      email,
      activeOrganizationId,
      verified,
      hasSecondFactor,
      secondFactorMissing: standing.requiredSomewhere && !hasSecondFactor,
      identity: toIdentity(session, standing, verified),
      expiresAt: session.expiresAt.getTime(),
    };
  }

  async #session(cookieHeader: string): ReturnType<Auth['session']> {
    try {
      return await this.#options.auth.session(cookieHeader);
    } catch (cause) {
      // better-auth answers a cookie that is wrong with null; it throws only when its tables cannot be read
      throw new AppError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 1 });
    }
  }

  async #standing(userId: string, organizationId: string | null): Promise<Standing> {
    const { rows } = await this.#options.db.query<Standing>(findStanding, [userId, organizationId]);
    return rows[0] ?? { role: null, requiredHere: false, requiredSomewhere: false };
  }
}
