// Rows that go with a mail: verifying an address, and choosing a new password.
import { z } from 'zod';
import { authOperation, done, email, password } from './auth-operation.js';

/** The token that a link carries. */
const token = z.string().regex(/^[\w.-]{1,2048}$/, 'must be the token of a link');
const sent = done.describe('the same for every address, whether it has an account or not');

export const confirmationOperations = [
  authOperation({
    id: 'auth.sendVerificationEmail',
    method: 'POST',
    path: '/send-verification-email',
    who: 'anybody',
    summary: 'Send the mail that verifies an address once more',
    description:
      'Answers the same whether or not the address has an account. Mails to one address are limited.',
    body: z.strictObject({ email }),
    answer: sent,
    errors: [],
    mailsTo: 'email',
  }),
  authOperation({
    id: 'auth.verifyEmail',
    method: 'GET',
    path: '/verify-email',
    who: 'anybody',
    summary: 'Verify an address: the link of a mail',
    description:
      'Answers a page for people. A link is good for a day, and does no harm when it is opened twice.',
    query: z.strictObject({ token }),
    answer: z.string(),
    page: true,
    errors: [],
    guessedAt: 'none',
  }),
  authOperation({
    id: 'auth.requestPasswordReset',
    method: 'POST',
    path: '/request-password-reset',
    who: 'anybody',
    summary: 'Send a mail with which a new password can be chosen',
    description:
      'Answers the same whether or not the address has an account. Mails to one address are limited.',
    body: z.strictObject({ email }),
    answer: sent,
    errors: [],
    mailsTo: 'email',
  }),
  authOperation({
    id: 'auth.resetPassword',
    method: 'POST',
    path: '/reset-password',
    who: 'anybody',
    summary: 'Choose a new password with the token of a mail, which ends every session of the account',
    description: 'A token is good for a limited time and for one password.',
    body: z.strictObject({ token, newPassword: password }),
    answer: done,
    errors: [],
    guessedAt: 'none',
    forgets: 'everything',
  }),
] as const;
