// Rows of the door that the gateway answers itself, or where it does something around better-auth's answer; by id.

import {
  type AuthOperationId,
  type KeyChangeBody,
  type NewKeyBody,
  type RotationBody,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import type { Request } from 'express';
import { z } from 'zod';
import { Page } from '../http/page.js';
import { clientAddress } from '../limits/client-address.js';
import type { OrganizationBeginnings } from '../organizations/beginnings.js';
import type { Owners } from '../organizations/owners.js';
import type { OrganizationRemovals } from '../organizations/removals.js';
import type { ApiKeyCommands } from './api-key-commands.js';
import type { ApiKeyStore } from './api-key-store.js';
import type { Auth } from './better-auth.js';
import type { AuthInput } from './better-auth-exchange.js';
import type { SessionIdentity } from './identity.js';
import type { Organizations } from './organizations.js';
import type { Revocations } from './revocations.js';
import type { SignedIn } from './sessions.js';
import type { SignUpGate } from './sign-up-gate.js';

export interface AuthRequest {
  readonly request: Request;
  /** Undefined where any caller may ask. */
  readonly signedIn: SignedIn | undefined;
  /** The input as the row's schemas made it. */
  readonly input: AuthInput;
  readonly askBetterAuth: () => Promise<globalThis.Response>;
  /** Records the response for a retry of the request, in the transaction that creates what it shows. */
  readonly keepShown: (tx: Tx, shown: unknown) => Promise<void>;
}

/** @returns better-auth's answer, or the value that the row's answer shows */
export type AuthHandler = (request: AuthRequest) => Promise<unknown>;

export type AuthHandlers = { readonly [id in AuthOperationId]?: AuthHandler };

/** The identity of the caller, in rows for owners and admins. */
const identityOf = ({ signedIn }: AuthRequest): SessionIdentity => {
  if (signedIn?.identity === undefined) throw new AppError('NO_ACTIVE_ORGANIZATION');
  return signedIn.identity;
};

const emailOf = ({ body }: AuthInput): string =>
  'email' in body && typeof body.email === 'string' ? body.email.toLowerCase() : '';

const signUp =
  (auth: Auth, gate: SignUpGate): AuthHandler =>
  ({ request, input, askBetterAuth }) => {
    const code = request.headers['x-setup-code'];
    const attempt = {
      email: emailOf(input),
      code: typeof code === 'string' ? code : undefined,
      address: clientAddress(request),
    };
    return gate.admit(attempt, (as) =>
      as === 'first' ? auth.makingVerified(askBetterAuth) : askBetterAuth(),
    );
  };

const verified = new Page({
  title: 'Your e-mail address is verified',
  body: '<p>You can close this page.</p>',
});
const notVerified = new Page({
  status: 400,
  title: 'This link is no longer good',
  body: '<p>Sign in and ask for another mail. A link is good for a day.</p>',
});

const verifyEmail =
  (revocations: Revocations): AuthHandler =>
  async ({ askBetterAuth }) => {
    const answer = await askBetterAuth();
    if (answer.status >= 500) return answer;
    if (!answer.ok) return notVerified;
    // Remembered sessions still have the limits of an unverified address, so they are forgotten.
    revocations.announce({ kind: 'all' });
    return verified;
  };

const Requirement = z.object({ required: z.boolean() });

const requireSecondFactor =
  (organizations: Organizations): AuthHandler =>
  async ({ signedIn, input, ...request }) => {
    const { caller } = identityOf({ signedIn, input, ...request });
    const { required } = Requirement.parse(input.body);
    if (caller.role !== 'owner') throw new AppError('PERMISSION_DENIED');
    // An owner without a second factor could not take the decision back.
    if (required && signedIn?.hasSecondFactor !== true) throw new AppError('SECOND_FACTOR_REQUIRED');
    return organizations.requireSecondFactor(caller.organizationId, required);
  };

/** The limits of the organization are set before it is there, so that it never has those of all for a moment. */
const createOrganization =
  (auth: Auth, beginnings: OrganizationBeginnings, ids: Ids): AuthHandler =>
  async ({ signedIn, askBetterAuth }) => {
    if (signedIn === undefined) throw new AppError('UNAUTHENTICATED');
    await beginnings.refuseStrangers(signedIn);
    const id = ids.next();
    await beginnings.begin(id, signedIn.userId);
    let isMade = false;
    try {
      const answer = await auth.makingOrganization(id, askBetterAuth);
      isMade = answer.ok;
      return answer;
    } finally {
      if (!isMade) await beginnings.withdraw(id);
    }
  };

const fieldOf = ({ body }: AuthInput, field: string): string => {
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : '';
};

/** Handles a change to the member that this field of the body names. */
const changeMember =
  (owners: Owners, field: 'memberId' | 'memberIdOrEmail'): AuthHandler =>
  (request) =>
    owners.changing(identityOf(request).caller, fieldOf(request.input, field), request.askBetterAuth);

/** Handles a change to the invitation that this field of the body names. */
const changeInvitation =
  (owners: Owners, field: 'email' | 'invitationId'): AuthHandler =>
  (request) =>
    owners.changingInvitation(
      identityOf(request).caller,
      fieldOf(request.input, field),
      request.askBetterAuth,
    );

// A change of members can end keys. The next look at such a key would find that too. Recorded at once, the key stays
// fallen even if it was not used in between.
const withFalls =
  (store: ApiKeyStore, organizationOf: (request: AuthRequest) => string, change: AuthHandler): AuthHandler =>
  async (request) => {
    const answer = await change(request);
    if (answer instanceof Response && answer.ok) await store.recordFalls(organizationOf(request));
    return answer;
  };

const activeOrganization = (request: AuthRequest): string => identityOf(request).caller.organizationId;

const namedOrganization = ({ input }: AuthRequest): string => fieldOf(input, 'organizationId');

export interface AuthHandlersOptions {
  readonly auth: Auth;
  readonly gate: SignUpGate;
  readonly organizations: Organizations;
  readonly owners: Owners;
  readonly beginnings: OrganizationBeginnings;
  readonly ids: Ids;
  readonly removals: OrganizationRemovals;
  readonly revocations: Revocations;
  readonly store: ApiKeyStore;
  readonly keys: ApiKeyCommands;
  readonly resetPassword: AuthHandler;
  readonly deleteAccount: AuthHandler;
}

// The bodies were made by the rows' own schemas.
export const authHandlers = ({
  auth,
  gate,
  organizations,
  owners,
  beginnings,
  ids,
  removals,
  revocations,
  store,
  keys,
  resetPassword,
  deleteAccount,
}: AuthHandlersOptions): AuthHandlers => ({
  'auth.signUpEmail': signUp(auth, gate),
  'auth.resetPassword': resetPassword,
  'auth.deleteUser': deleteAccount,
  'auth.verifyEmail': verifyEmail(revocations),
  'auth.organizationCreate': createOrganization(auth, beginnings, ids),
  'auth.organizationRequireSecondFactor': requireSecondFactor(organizations),
  'auth.organizationListUserInvitations': ({ signedIn }) =>
    organizations.invitationsTo(signedIn?.email.toLowerCase() ?? ''),
  'auth.apiKeyCreate': (request) =>
    keys.create(identityOf(request), request.input.body as NewKeyBody, request.keepShown),
  'auth.apiKeyList': (request) => keys.list(identityOf(request).caller),
  'auth.apiKeyUpdate': (request) =>
    keys.change(identityOf(request).caller, request.input.body as KeyChangeBody),
  'auth.apiKeyDelete': (request) => keys.revoke(identityOf(request).caller, fieldOf(request.input, 'keyId')),
  'auth.apiKeyRotate': (request) =>
    keys.rotate(identityOf(request), request.input.body as RotationBody, request.keepShown),
  // The row accepts no organization but the active one.
  'auth.organizationDelete': async (request) => {
    const { caller, userId } = identityOf(request);
    const deleted = await removals.remove(caller.organizationId, userId);
    return { ...deleted, createdAt: deleted.createdAt.toISOString() };
  },
  'auth.organizationRemoval': ({ signedIn, input }) =>
    removals.stateOf(signedIn?.userId ?? '', 'id' in input.query ? String(input.query.id) : ''),
  'auth.organizationInviteMember': changeInvitation(owners, 'email'),
  'auth.organizationCancelInvitation': changeInvitation(owners, 'invitationId'),
  'auth.organizationRemoveMember': withFalls(
    store,
    activeOrganization,
    changeMember(owners, 'memberIdOrEmail'),
  ),
  'auth.organizationUpdateMemberRole': withFalls(store, activeOrganization, changeMember(owners, 'memberId')),
  'auth.organizationLeave': withFalls(store, namedOrganization, ({ input, askBetterAuth }) =>
    owners.alone(fieldOf(input, 'organizationId'), askBetterAuth),
  ),
});
