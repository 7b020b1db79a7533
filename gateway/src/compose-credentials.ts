// Composes who may call the gateway: keys, sessions, tokens, sign-ups and memberships.
import { Egress } from '@parlance/egress';
import { systemClock, systemIds } from '@parlance/observability';
import { startOutboxRelay } from '@parlance/postgres';
import { CallTokens, type RpcClient } from '@parlance/rpc';
import { AccessControl } from './auth/access.js';
import { AccessTokens } from './auth/access-tokens.js';
import { accountDeletion } from './auth/account-deletion.js';
import { ApiKeyCommands } from './auth/api-key-commands.js';
import { ApiKeys } from './auth/api-keys.js';
import { authHandlers } from './auth/auth-handlers.js';
import { authRoutes } from './auth/auth-routes.js';
import { GuessGuard } from './auth/guess-guard.js';
import { issuerKeys } from './auth/issuer-keys.js';
import { KnownDevices } from './auth/known-devices.js';
import { LastUsed } from './auth/last-used.js';
import { AuthMembers } from './auth/members.js';
import { MembershipNews } from './auth/membership-news.js';
import { Organizations } from './auth/organizations.js';
import { resetPassword } from './auth/password-resets.js';
import { Revocations } from './auth/revocations.js';
import { Sessions } from './auth/sessions.js';
import { derivedSetupCode } from './auth/setup-code.js';
import { SignUpGate } from './auth/sign-up-gate.js';
import { type GatewayEngines, ownSecret } from './engines.js';
import { originGuard } from './http/origins.js';
import { Idempotency } from './idempotency/idempotency.js';
import { Guesses } from './limits/guesses.js';
import { assertAllowed, RateLimits } from './limits/rate-limits.js';
import { visitorIds } from './limits/visitor-ids.js';
import { Owners } from './organizations/owners.js';
import { OrganizationRemovals } from './organizations/removals.js';
import { tenantServicesOver } from './organizations/tenant-services.js';

/** Beyond the time that all services together take to answer: for the deletion itself. */
const removalMarginMs = 10_000;

/** The gateway's messages to the services leave through its outbox. */
const startOrganizations = ({ env, store, nats, logger, teardown }: GatewayEngines, rpc: RpcClient) => {
  const { db } = store;
  const relay = startOutboxRelay({ db, nats, logger });
  teardown.own(relay);
  const removals = new OrganizationRemovals({
    ...{ db, logger, ids: systemIds, clock: systemClock },
    services: tenantServicesOver({ rpc }),
    leaseMs: env.RPC_TIMEOUT_MS + removalMarginMs,
  });
  const takingBack = removals.start();
  teardown.own(takingBack);
  return removals;
};

const startAccessTokens = ({ env, publicUrl, store, teardown }: GatewayEngines): AccessTokens | undefined => {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_JWKS_URL: jwksUrl } = env;
  if (issuer === undefined) return undefined;
  const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
  teardown.add('egress', () => egress.close());
  return new AccessTokens({
    ...{ issuer, db: store.db, clock: systemClock },
    audience: `${publicUrl}/mcp`,
    keys: issuerKeys({ issuer, jwksUrl, egress }),
    verificationRequired: env.EMAIL_VERIFICATION === 'required',
  });
};

export const startCredentials = (engines: GatewayEngines, rpc: RpcClient, idempotency: Idempotency) => {
  const { env, trustedOrigins, store, nats, logger, teardown, publicUrl } = engines;
  const { db, auth, outageSince } = store;
  const lastUsed = new LastUsed(db, systemClock, logger);
  teardown.own(lastUsed);
  const keys = new ApiKeys(store.keys, systemClock, lastUsed);
  const verificationRequired = env.EMAIL_VERIFICATION === 'required';
  const sessions = new Sessions({ auth, db, clock: systemClock, verificationRequired });
  const revocations = new Revocations({
    ...{ nats, keys, sessions, logger },
    changed: () => void engines.liveStreams.recheck(),
  });
  teardown.own(revocations);
  const limits = new RateLimits(env, db);
  const signUpGate = new SignUpGate({
    db,
    setting: env.SIGN_UP,
    setupCode: env.SETUP_CODE?.reveal() ?? derivedSetupCode(env.AUTH_SECRET.reveal()),
    countWrongCode: async (address) => assertAllowed(await limits.count('auth', [`setup code|${address}`])),
  });
  const internalKey = env.INTERNAL_API_KEY.reveal();
  const guardOrigin = originGuard(trustedOrigins);
  const devices = new KnownDevices({ secret: env.AUTH_SECRET.reveal(), publicUrl, clock: systemClock });
  const access = new AccessControl({
    ...{ keys, sessions, limits, guardOrigin, internalKey, publicUrl },
    accessTokens: startAccessTokens(engines),
    callTokens: new CallTokens(env),
    visitorId: visitorIds(ownSecret(env)),
  });
  const removals = startOrganizations(engines, rpc);
  return {
    access,
    limits,
    signUpGate,
    authRoutes: authRoutes({
      auth,
      outageSince,
      limits,
      sessions,
      revocations,
      access,
      members: new AuthMembers(db),
      news: new MembershipNews({ db, clock: systemClock, ids: systemIds, logger }),
      handlers: authHandlers({
        auth,
        gate: signUpGate,
        organizations: new Organizations(db),
        owners: new Owners(db),
        beginnings: store.beginnings,
        ids: systemIds,
        removals,
        revocations,
        store: store.keys,
        keys: new ApiKeyCommands(store.keys, systemClock),
        resetPassword: resetPassword(db, devices),
        deleteAccount: accountDeletion({
          auth,
          db,
          removals,
          keys: store.keys,
          publicUrl,
          ids: systemIds,
        }),
      }),
      guessGuard: new GuessGuard({
        guesses: new Guesses(limits),
        devices,
      }),
      guardOrigin,
      idempotency,
      publicUrl,
    }),
  };
};
