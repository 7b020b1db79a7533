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
    summary: 'Sign up with an e-mail address and a password',
    description:
      'Signs the person in where addresses need no verification. `x-setup-code` lets the first account in.',
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
    summary: 'Sign in with an e-mail address and a password',
    description: 'An account with a second factor gets `twoFactorRedirect` and has no session yet.',
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
    summary: 'End this session',
    description: 'The cookie is cleared, and the session opens nothing any more.',
    answer: z.object({ success: z.boolean() }),
    errors: [],
    forgets: 'session',
  }),
  authOperation({
    id: 'auth.getSession',
    method: 'GET',
    path: '/get-session',
    who: 'anybody',
    summary: 'Read the session and its person; null for a stranger',
    description: 'Answers 200 with null when nobody is signed in, so that a page can look without an error.',
    answer: z.object({ session: Session, user: User }).nullable(),
    errors: [],
  }),
  authOperation({
    id: 'auth.listSessions',
    method: 'GET',
    path: '/list-sessions',
    who: 'person',
    summary: 'List the sessions of the person who is signed in',
    description: 'The device and address of each session, as they were when it began.',
    answer: z.array(ListedSession),
    errors: ['PERMISSION_DENIED'],
  }),
  authOperation({
    id: 'auth.revokeSession',
    method: 'POST',
    path: '/revoke-session',
    who: 'person',
    summary: 'End one session of the person who is signed in',
    description: 'The session opens nothing any more.',
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
    summary: 'End every session of the person who is signed in',
    description: 'This session ends too.',
    answer: done,
    errors: [],
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.revokeOtherSessions',
    method: 'POST',
    path: '/revoke-other-sessions',
    who: 'person',
    summary: 'End every session of the person who is signed in except this one',
    description: 'This session goes on.',
    answer: done,
    errors: [],
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.changePassword',
    method: 'POST',
    path: '/change-password',
    who: 'person',
    summary: 'Set another password, which ends every other session',
    description: 'Takes the present password. Wrong ones are counted, and further attempts are delayed.',
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
    summary: 'Change the name of the person who is signed in',
    description: "Other members of the person's organizations see the new name.",
    body: z.strictObject({ name: personName }),
    answer: done,
    errors: [],
  }),
] as const;
