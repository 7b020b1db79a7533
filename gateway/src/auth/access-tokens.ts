// Access tokens of an authorization server that the operator trusts (OAuth 2.1), for MCP clients whose person signs in
// there. A token stands for a member of an organization. Its permissions are those of the member, within its scopes. In
// every other respect it is treated like an API key: it is never the session of an owner or admin. A token is issued for the
// MCP endpoint, and the gateway takes it from there alone.
import { type Permission, rolePermissions } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { roleNamed } from '../organizations/roles.js';
import { effectivePermissions } from './api-key-format.js';
import { FreshCache } from './fresh-cache.js';
import type { TokenIdentity } from './identity.js';

/** Signatures with a private key only: a key that everybody can read must not sign a token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The largest error of the authorization server's clock, in seconds. */
const clockToleranceSeconds = 5;

const Claims = z.object({
  exp: z.number(),
  email: z.string().min(3).max(320),
  email_verified: z.literal(true),
  organization_id: z.string().max(64).optional(),
  scope: z.string().max(8_192).optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
  acr: z.string().max(256).optional(),
  amr: z.array(z.string().max(64)).max(32).optional(),
});
type Claims = z.output<typeof Claims>;

interface Membership {
  readonly userId: string;
  readonly organizationId: string;
  readonly role: string;
  readonly secondFactorRequired: boolean;
}

const findMemberships = {
  name: 'gateway_find_memberships',
  text: `select u.id as "userId", m."organizationId" as "organizationId", m.role,
                coalesce(o."secondFactorRequired", false) as "secondFactorRequired"
           from "user" u join member m on m."userId" = u.id join organization o on o.id = m."organizationId"
          where lower(u.email) = lower($1) and (u."emailVerified" or not $2::boolean)
          limit 1000`,
};

interface LiveToken {
  readonly identity: TokenIdentity;
  readonly expiresAt: number;
}

export interface AccessTokensOptions {
  readonly issuer: string;
  /** The resource that tokens have to be for: the public address of the MCP endpoint. */
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
  readonly db: Tx;
  readonly clock: Clock;
  /**
   * Accounts count by their address only once it is verified here, too: otherwise a stranger could register it first.
   */
  readonly verificationRequired: boolean;
}

const scopesOf = ({ scope = '', scp = [] }: Claims): readonly string[] => [
  ...scope.split(' '),
  ...(typeof scp === 'string' ? scp.split(' ') : scp),
];

/** Authentication with several factors, by the values of RFC 8176 (amr) and of OpenID's phishing-resistant profiles (acr). */
const hadSecondFactor = ({ acr, amr = [] }: Claims): boolean =>
  amr.includes('mfa') || acr === 'phr' || acr === 'phrh';

const chosen = (memberships: readonly Membership[], wanted: string | undefined): Membership => {
  const [first, ...others] =
    wanted === undefined
      ? memberships
      : memberships.filter(({ organizationId }) => organizationId === wanted);
  if (first === undefined || others.length > 0) throw new AppError('NO_ACTIVE_ORGANIZATION');
  return first;
};

const identityOf = (
  { userId, organizationId, role, secondFactorRequired }: Membership,
  claims: Claims,
): TokenIdentity => {
  const name = roleNamed(role);
  const held: readonly Permission[] = name === undefined ? [] : rolePermissions[name];
  const permissions = effectivePermissions(scopesOf(claims)).filter((permission) =>
    held.includes(permission),
  );
  return {
    kind: 'token',
    caller: { organizationId, actor: { type: 'user', id: userId }, role: 'key', permissions },
    permissions: new Set(permissions),
    ofRole: new Set(held),
    secondFactorMissing: secondFactorRequired && !hadSecondFactor(claims),
  };
};

export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #known = new FreshCache<LiveToken>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /**
   * The identity behind a token; undefined when the token opens nothing, for any reason.
   * @throws AppError NO_ACTIVE_ORGANIZATION when the token names an organization without this person, or when it names none
   *   of several. SERVICE_UNAVAILABLE when the identity cannot be looked up
   */
  async identify(token: string): Promise<TokenIdentity | undefined> {
    const found = await this.#known.get(sha256(token), () => this.#find(token));
    return found === undefined || found.expiresAt <= this.#options.clock.now().getTime()
      ? undefined
      : found.identity;
  }

  async #find(token: string): Promise<LiveToken | undefined> {
    const claims = Claims.safeParse(await this.#verified(token));
    if (!claims.success) return undefined;
    const { email, organization_id, exp } = claims.data;
    const { db, verificationRequired } = this.#options;
    const { rows } = await db.query<Membership>(findMemberships, [email, verificationRequired]);
    if (rows.length === 0) return undefined;
    return { identity: identityOf(chosen(rows, organization_id), claims.data), expiresAt: exp * 1_000 };
  }

  async #verified(token: string): Promise<JWTPayload | undefined> {
    const { issuer, audience, keys, clock } = this.#options;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms, clockTolerance: clockToleranceSeconds },
        requiredClaims: ['exp', 'sub'],
        currentDate: clock.now(),
      });
      return payload;
    } catch (cause) {
      // The keys could not be read: nothing is known about the token.
      if (!(cause instanceof errors.JOSEError) || cause instanceof errors.JWKSTimeout)
        throw new AppError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 1 });
      return undefined;
    }
  }
}
