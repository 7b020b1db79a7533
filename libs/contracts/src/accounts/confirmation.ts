// Rows that go with a mail: verifying an address, and choosing a new password.
import { z } from 'zod';
import { authOperation, done, email, password } from './auth-operation.js';

/** The token that a link carries. */
const token = z.string().regex(/^[\w.-]{1,2048}$/, 'must be the token of a link');
const sent = done.describe('identical whether or not the address has an account');

export const confirmationOperations = [
  authOperation({
    id: 'auth.sendVerificationEmail',
    method: 'POST',
    path: '/send-verification-email',
    who: 'anybody',
    summary: 'Resend the verification email',
    description:
      'The response is the same whether or not the address has an account. Emails to one address are rate limited.',
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
    summary: 'Verify an email address',
    description:
      'The link in the verification email. Returns an HTML page. A link is valid for one day and can safely be opened twice.',
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
    summary: 'Request a password reset email',
    description:
      'The response is the same whether or not the address has an account. Emails to one address are rate limited.',
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
    summary: 'Reset a password with the token from an email',
    description: 'Revokes every session of the account. A token expires and can be used once.',
    body: z.strictObject({ token, newPassword: password }),
    answer: done,
    errors: [],
    guessedAt: 'none',
    forgets: 'everything',
  }),
] as const;
