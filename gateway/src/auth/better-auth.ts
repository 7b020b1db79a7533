// The one file that knows better-auth. Users, sessions, organizations and API keys live in better-auth's tables, in the
// schema of the gateway's own database role.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { apiKey } from '@better-auth/api-key';
import { getCurrentAdapter } from '@better-auth/core/context';
import type { Secret } from '@parlance/config';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getMigrations } from 'better-auth/db/migration';
import { organization } from 'better-auth/plugins/organization';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Pool } from 'pg';
import { offerSeconds } from '../mail/mail-outbox.js';
import type { OrganizationBeginnings } from '../organizations/beginnings.js';
import { accessControl, organizationRoles, roleNamed } from '../organizations/roles.js';
import type { AuthAdapter } from './auth-adapter.js';
import { AuthMails, mailOutboxModel } from './auth-mails.js';
import type { SecondFactorGuesses } from './second-factor-guesses.js';
import { codesOpenOnce, type TakeCode } from './tried-codes.js';

/** Tells better-auth the address of the client; the gateway drops a header of this name from a client. */
export const clientAddressHeader = 'x-parlance-client-address';
export const authPath = '/api/v1/auth';
const cookiePrefix = 'parlance';
const days = 86_400;

export interface AuthOptions {
  readonly pool: Pool;
  readonly secret: Secret;
  readonly publicUrl: string;
  readonly trustedOrigins: readonly string[];
  /** False where every address counts as verified. */
  readonly verificationRequired: boolean;
  /** Takes a code of a second factor for the first request that tries it. */
  readonly takeCode: TakeCode;
  readonly beginnings: Pick<OrganizationBeginnings, 'begin' | 'withdraw'>;
  readonly guesses: SecondFactorGuesses;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly clock: Clock;
}

type CreateOrganization = (user: { readonly id: string }) => Promise<string>;

// A user without any organization could do nothing, so each gets one of their own. It is made with the first session
// rather than with the user: the same transaction. A sign-up that broke off in between mends itself at sign-in.
const personalOrganizations =
  ({ ids, clock, beginnings }: AuthOptions, adapterOf: () => Promise<AuthAdapter>): CreateOrganization =>
  async ({ id: userId }) => {
    const adapter = await adapterOf();
    const where = [{ field: 'userId', value: userId }];
    const [membership] = await adapter.findMany<{ organizationId: string }>({
      model: 'member',
      where,
      limit: 1,
    });
    if (membership !== undefined) return membership.organizationId;
    const user = await adapter.findOne<{ name: string }>({
      model: 'user',
      where: [{ field: 'id', value: userId }],
    });
    const id = ids.next();
    // The account of the operator is not committed yet.
    if (verifiedFromTheStart.getStore() !== true) await beginnings.begin(id, userId);
    const createdAt = clock.now();
    const name = user?.name.trim() ? `${user.name.trim()}'s organization` : 'My organization';
    try {
      await adapter.create({
        model: 'organization',
        data: { id, name, slug: `o-${id}`, createdAt },
        forceAllowId: true,
      });
      const member = { id: ids.next(), organizationId: id, userId, role: 'owner', createdAt };
      await adapter.create({ model: 'member', data: member, forceAllowId: true });
    } catch (error) {
      await beginnings.withdraw(id);
      throw error;
    }
    return id;
  };

// Failed sign-ins and bad origins are errors to better-auth and everyday life to the gateway. Strangers must not be
// able to fill the log. The caller throws and logs real failures.
const quietLogger = (logger: Logger): NonNullable<BetterAuthOptions['logger']> => ({
  level: 'warn',
  log: (level, message) => logger.debug({ level, pii: { message } }, 'better-auth says'),
});

/** The id of the organization that is being made. */
const newOrganization = new AsyncLocalStorage<string>();

/** Set while the account that is being made counts as verified. */
const verifiedFromTheStart = new AsyncLocalStorage<true>();

const plugins = ({ verificationRequired }: AuthOptions, mails: AuthMails) => [
  organization({
    ac: accessControl,
    roles: organizationRoles,
    creatorRole: 'owner',
    organizationLimit: 20,
    invitationExpiresIn: offerSeconds.invitation,
    // A second invitation takes the place of the first, so an invitation without a written mail can be made again.
    cancelPendingInvitationsOnReInvite: true,
    requireEmailVerificationOnInvitation: verificationRequired,
    sendInvitationEmail: mails.invitation,
    organizationHooks: {
      // The door takes one role of the platform; this check holds for an invitation from any other source.
      beforeAcceptInvitation: async ({ invitation }) => {
        if (roleNamed(invitation.role) === undefined)
          throw new APIError('BAD_REQUEST', { code: 'ROLE_NOT_FOUND' });
      },
    },
    schema: {
      organization: {
        additionalFields: {
          secondFactorRequired: { type: 'boolean', required: false, defaultValue: false, input: false },
        },
      },
    },
    // The gateway deletes organizations itself, after it has asked the services for anything that is left of them
    // (organizations/removals.ts).
    disableOrganizationDeletion: true,
  }),
  // Its lock is read before a code is judged, so that challenges side by side pass it; `guesses` counts before.
  twoFactor({ issuer: 'Parlance', accountLockout: { enabled: false } }),
  mailOutboxModel,
  // The plugin keeps the table of keys and nothing else: none of its routes has a row. Each of them deletes all expired
  // keys, and an owner could not read any more why a key stopped (api-key-store.ts).
  apiKey({ configId: 'default', references: 'organization', enableSessionForAPIKeys: false }),
];

const optionsFor = (options: AuthOptions, personalOrganization: CreateOrganization, mails: AuthMails) =>
  ({
    appName: 'Parlance',
    baseURL: options.publicUrl,
    basePath: authPath,
    secret: options.secret.reveal(),
    database: options.pool,
    telemetry: { enabled: false },
    trustedOrigins: [...options.trustedOrigins],
    logger: quietLogger(options.logger),
    onAPIError: { throw: true },
    disabledPaths: ['/error'],
    // The gateway's own limits hold for these routes too, and are shared between gateways.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      // The answer to a sign-up is then the same for an address that has an account already.
      autoSignIn: !options.verificationRequired,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: offerSeconds.password_reset,
      sendResetPassword: mails.passwordReset,
      onPasswordReset: ({ user }) => options.guesses.forget(user.id),
      onExistingUserSignUp: mails.signUpAgain,
    },
    emailVerification: {
      sendOnSignUp: options.verificationRequired,
      expiresIn: offerSeconds.verification,
      sendVerificationEmail: mails.verification,
    },
    session: { expiresIn: 7 * days, updateAge: days, cookieCache: { enabled: false } },
    advanced: {
      cookiePrefix,
      // Both are off by default where NODE_ENV is test; a check that tests cannot see is not tested.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: {
        generateId: ({ model }: { model: string }) => {
          if (model === 'invitation') return randomUUID();
          return (model === 'organization' ? newOrganization.getStore() : undefined) ?? options.ids.next();
        },
        validateSchema: false,
      },
    },
    hooks: { before: codesOpenOnce(options) },
    databaseHooks: {
      user: {
        create: {
          before: async (user: Record<string, unknown>) => ({
            data: { ...user, ...(verifiedFromTheStart.getStore() ? { emailVerified: true } : {}) },
          }),
        },
      },
      session: {
        create: {
          // A session that takes the place of another one works on in its organization.
          before: async (session: { userId: string; activeOrganizationId?: unknown }) => ({
            data: {
              ...session,
              activeOrganizationId:
                session.activeOrganizationId ?? (await personalOrganization({ id: session.userId })),
            },
          }),
        },
      },
    },
    plugins: plugins(options, mails),
  }) satisfies BetterAuthOptions;

/** A session as the gateway needs it. */
export interface AuthSession {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly hasSecondFactor: boolean;
  readonly expiresAt: Date;
  readonly activeOrganizationId: string | null;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** The gateway's interface to better-auth. */
export interface Auth {
  /** Name of the session cookie. */
  readonly cookieName: string;
  /** Takes the session cookie from a browser. */
  readonly endedCookie: string;
  /** True when this is the password of the account; false for an account without one. */
  hasPassword(userId: string, password: string): Promise<boolean>;
  /** Creates and extends better-auth's tables in the role's schema. */
  migrate(): Promise<void>;
  /** Does the work with every account that it makes verified. */
  makingVerified<T>(work: () => Promise<T>): Promise<T>;
  /** Does the work, in which an organization gets this id. */
  makingOrganization<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** better-auth's own routes. @throws errors that are no answer to the caller, such as an unreachable database */
  handle(request: Request): Promise<Response>;
  /** The session behind a cookie header; never writes, never extends the session. */
  session(cookie: string): Promise<AuthSession | null>;
  /** Signs a person up with a verified address, or gives an existing user this password. */
  ensureUser(person: Person): Promise<{ readonly userId: string }>;
  /** The organization of a user; makes one if there is none. */
  organizationOf(userId: string): Promise<string>;
}

const activeOrganization = (session: object): string | null =>
  'activeOrganizationId' in session && typeof session.activeOrganizationId === 'string'
    ? session.activeOrganizationId
    : null;

export const createAuth = (options: AuthOptions): Auth => {
  const adapter = async (): Promise<AuthAdapter> => getCurrentAdapter((await auth.$context).adapter);
  const personalOrganization = personalOrganizations(options, adapter);
  const mails = new AuthMails({ ...options, authSecret: options.secret, authPath, adapter });
  const authOptions = optionsFor(options, personalOrganization, mails);
  const auth = betterAuth(authOptions);
  const prefix = options.publicUrl.startsWith('https://') ? '__Secure-' : '';
  const cookieName = `${prefix}${cookiePrefix}.session_token`;
  return {
    cookieName,
    endedCookie: `${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${prefix === '' ? '' : '; Secure'}`,
    hasPassword: async (userId, password) => {
      const { internalAdapter, password: passwords } = await auth.$context;
      const accounts = await internalAdapter.findAccounts(userId);
      const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
      return typeof hash === 'string' && (await passwords.verify({ hash, password }));
    },
    migrate: async () => {
      const { runMigrations } = await getMigrations(authOptions);
      await runMigrations();
    },
    makingVerified: (work) => verifiedFromTheStart.run(true, work),
    makingOrganization: (id, work) => newOrganization.run(id, work),
    handle: (request) =>
      mails.writing(() => options.guesses.judging(() => auth.handler(request), mails.secondFactorLocked)),
    session: async (cookie) => {
      const found = await auth.api.getSession({
        headers: new Headers({ cookie }),
        query: { disableRefresh: true },
      });
      if (found === null) return null;
      const { userId, expiresAt } = found.session;
      const { email, emailVerified } = found.user;
      return {
        userId,
        email,
        emailVerified,
        hasSecondFactor: 'twoFactorEnabled' in found.user && found.user.twoFactorEnabled === true,
        expiresAt,
        activeOrganizationId: activeOrganization(found.session),
      };
    },
    ensureUser: async ({ email, password, name }) => {
      const { internalAdapter, password: passwords } = await auth.$context;
      const existing = await internalAdapter.findUserByEmail(email);
      if (existing !== null) {
        await internalAdapter.updatePassword(existing.user.id, await passwords.hash(password));
        return { userId: existing.user.id };
      }
      const { user } = await verifiedFromTheStart.run(true, () =>
        auth.api.signUpEmail({ body: { email, password, name } }),
      );
      return { userId: user.id };
    },
    organizationOf: (userId) => personalOrganization({ id: userId }),
  };
};
