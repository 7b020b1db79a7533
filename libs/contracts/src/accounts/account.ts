// Rows about a person: signing up and in, sessions, password, name and address.
import { z } from 'zod';
import { ListedSession, Session, User } from './answers.js';
import {
  authOperation,
  done,
  email,
  givenPassword,
  nextAddress,
  password,
  personName,
} from './auth-operation.js';

const SignedIn = z.object({ user: User });
/** The password was right, and a code of the second factor comes next. */
const HalfSignedIn = z.object({ twoFactorRedirect: z.literal(true) });

export const accountOperations = [
  authOperation({
    id: 'auth.signUpEmail',
    method: 'POST',
    path: '/sign-up/email',
    who: 'anybody',
    summary: 'Sign up with an email address and password',
    description:
      'Signs the person in unless email addresses have to be verified. `x-setup-code` admits the first account.',
    body: z.strictObject({
      name: personName,
      email,
      password,
      rememberMe: z.boolean().optional(),
      callbackURL: nextAddress.optional(),
    }),
    answer: SignedIn,
    errors: ['NAME_TAKEN', 'SIGN_UP_CLOSED'],
    guessedAt: 'newcomer',
  }),
  authOperation({
    id: 'auth.signInEmail',
    method: 'POST',
    path: '/sign-in/email',
    who: 'anybody',
    summary: 'Sign in with an email address and password',
    description: 'For an account with a second factor, returns `twoFactorRedirect` and no session yet.',
    body: z.strictObject({
      email,
      password: givenPassword,
      rememberMe: z.boolean().optional(),
      callbackURL: nextAddress.optional(),
    }),
    answer: z.union([SignedIn, HalfSignedIn]),
    errors: ['UNAUTHENTICATED'],
    guessedAt: 'email',
  }),
  authOperation({
    id: 'auth.signOut',
    method: 'POST',
    path: '/sign-out',
    who: 'anybody',
    summary: 'Sign out',
    description: 'Ends the session and clears its cookie.',
    answer: z.object({ success: z.boolean() }),
    errors: [],
    forgets: 'session',
  }),
  authOperation({
    id: 'auth.getSession',
    method: 'GET',
    path: '/get-session',
    who: 'anybody',
    summary: 'Get the current session',
    description: 'Returns the session and its user, or 200 with null if nobody is signed in.',
    answer: z.object({ session: Session, user: User }).nullable(),
    errors: [],
  }),
  authOperation({
    id: 'auth.listSessions',
    method: 'GET',
    path: '/list-sessions',
    who: 'person',
    summary: 'List your sessions',
    description: 'Each session shows the device and IP address that it was created from.',
    answer: z.array(ListedSession),
    errors: ['PERMISSION_DENIED'],
  }),
  authOperation({
    id: 'auth.revokeSession',
    method: 'POST',
    path: '/revoke-session',
    who: 'person',
    summary: 'Revoke one of your sessions',
    description: 'The session can no longer be used.',
    body: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/) }),
    answer: done,
    errors: [],
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.revokeSessions',
    method: 'POST',
    path: '/revoke-sessions',
    who: 'person',
    summary: 'Revoke all of your sessions',
    description: 'Includes the current session.',
    answer: done,
    errors: [],
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.revokeOtherSessions',
    method: 'POST',
    path: '/revoke-other-sessions',
    who: 'person',
    summary: 'Revoke all of your other sessions',
    description: 'The current session stays valid.',
    answer: done,
    errors: [],
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.changePassword',
    method: 'POST',
    path: '/change-password',
    who: 'person',
    summary: 'Change your password',
    description:
      'Requires the current password and revokes every other session. Wrong attempts are counted and delay further ones.',
    body: z.strictObject({
      currentPassword: givenPassword,
      newPassword: password,
      // A person who knew the old password is signed out, even if the client asks otherwise.
      revokeOtherSessions: z
        .boolean()
        .optional()
        .transform(() => true),
    }),
    answer: SignedIn,
    errors: [],
    guessedAt: 'person',
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.updateUser',
    method: 'POST',
    path: '/update-user',
    who: 'person',
    summary: 'Update your name',
    description: 'Members of your organizations see the new name.',
    body: z.strictObject({ name: personName }),
    answer: done,
    errors: [],
  }),
  authOperation({
    id: 'auth.deleteUser',
    method: 'POST',
    path: '/delete-user',
    who: 'person',
    summary: 'Delete your account',
    description:
      'Requires the password, and with a second factor a code of the authenticator app. Organizations without another member are deleted with it, which is rejected with ORGANIZATION_IN_USE as for any organization. Rejected with LAST_OWNER while you are the last owner of an organization with other members. Sessions and the API keys that you created end immediately. Cannot be undone.',
    body: z.strictObject({
      password: givenPassword,
      code: z
        .string()
        .regex(/^\d{6}$/)
        .optional(),
    }),
    answer: done,
    errors: [
      'CONFLICT',
      'LAST_OWNER',
      'ORGANIZATION_IN_USE',
      'SECOND_FACTOR_REQUIRED',
      'SERVICE_UNAVAILABLE',
      'UNAUTHENTICATED',
    ],
    guessedAt: 'person',
    forgets: 'everything',
  }),
] as const;
