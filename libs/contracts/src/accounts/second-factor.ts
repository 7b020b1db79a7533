// Rows about the second factor: codes of an authenticator app (TOTP), and backup codes for when it is lost.
import { z } from 'zod';
import { Organization, User } from './answers.js';
import { authOperation, done, givenPassword } from './auth-operation.js';

const backupCodes = z.array(z.string()).describe('each signs in once; shown this once');
const withPassword = z.strictObject({ password: givenPassword });

export const secondFactorOperations = [
  authOperation({
    id: 'auth.twoFactorEnable',
    method: 'POST',
    path: '/two-factor/enable',
    who: 'person',
    summary: 'Begin with a second factor; the first code from the app completes it',
    description:
      'Takes the password. The answer holds the address for an authenticator app and the backup codes, once.',
    body: withPassword,
    answer: z.object({ totpURI: z.string(), backupCodes }),
    errors: [],
    guessedAt: 'person',
  }),
  authOperation({
    id: 'auth.twoFactorDisable',
    method: 'POST',
    path: '/two-factor/disable',
    who: 'person',
    summary: 'Sign in without a second factor from now on',
    description:
      'Takes the password. An organization that requires a second factor refuses the session from then on.',
    body: withPassword,
    answer: done,
    errors: [],
    guessedAt: 'person',
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.twoFactorVerifyTotp',
    method: 'POST',
    path: '/two-factor/verify-totp',
    who: 'anybody',
    summary: 'Complete a sign-in, or the second factor itself, with a code from the app',
    description:
      'A code opens something once. Ten wrong codes in a row lock the second factor for 15 minutes.',
    body: z.strictObject({ code: z.string().regex(/^\d{6}$/) }),
    answer: z.object({ user: User }),
    errors: ['UNAUTHENTICATED'],
    guessedAt: 'none',
    forgets: 'everything',
  }),
  authOperation({
    id: 'auth.twoFactorVerifyBackupCode',
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    who: 'anybody',
    summary: 'Complete a sign-in with a backup code, which is used up then',
    description: 'Each backup code is good once. Wrong codes are counted, and further attempts are delayed.',
    body: z.strictObject({ code: z.string().regex(/^[\w-]{1,64}$/) }),
    answer: z.object({ user: User }),
    errors: ['CONFLICT', 'UNAUTHENTICATED'],
    guessedAt: 'none',
  }),
  authOperation({
    id: 'auth.twoFactorGenerateBackupCodes',
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    who: 'person',
    summary: 'Make new backup codes; the old ones open nothing then',
    description: 'Takes the password. The answer holds the codes, once.',
    body: withPassword,
    answer: z.object({ backupCodes }),
    errors: [],
    guessedAt: 'person',
  }),
  authOperation({
    id: 'auth.organizationRequireSecondFactor',
    method: 'POST',
    path: '/organization/require-second-factor',
    who: 'ownerOrAdmin',
    summary: "Require a second factor of every member's sessions, or no more; an owner decides",
    description: 'The owner who requires it has one. API keys go on without.',
    body: z.strictObject({ required: z.boolean() }),
    answer: Organization,
    errors: ['PERMISSION_DENIED', 'SECOND_FACTOR_REQUIRED'],
    forgets: 'everything',
  }),
] as const;
