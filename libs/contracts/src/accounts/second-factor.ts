// Rows about the second factor: codes of an authenticator app (TOTP), and backup codes for when it is lost.
import { z } from 'zod';
import { Organization, User } from './answers.js';
import { authOperation, done, givenPassword } from './auth-operation.js';

const backupCodes = z.array(z.string()).describe('each can be used once; returned only in this response');
const withPassword = z.strictObject({ password: givenPassword });

export const secondFactorOperations = [
  authOperation({
    id: 'auth.twoFactorEnable',
    method: 'POST',
    path: '/two-factor/enable',
    who: 'person',
    summary: 'Start setting up a second factor',
    description:
      'Requires the password. Returns the URI for an authenticator app and the backup codes, which are shown only once. Verify the first code from the app to finish.',
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
    summary: 'Disable the second factor',
    description:
      'Requires the password. Organizations that require a second factor reject the session from then on.',
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
    summary: 'Verify a code from an authenticator app',
    description:
      'Completes a sign-in or the set-up of the second factor. Each code works once. Ten wrong codes lock the second factor for 15 minutes, and for longer each time that it happens again. The person gets a mail at the first lock.',
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
    summary: 'Complete a sign-in with a backup code',
    description:
      'Each backup code works once. Wrong codes count together with those of an authenticator app.',
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
    summary: 'Generate new backup codes',
    description: 'Requires the password. The previous codes stop working. The new codes are shown only once.',
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
    summary: 'Require a second factor for an organization, or stop requiring it',
    description:
      "Owners only; the owner must have a second factor. Applies to members' sessions, not to API keys.",
    body: z.strictObject({ required: z.boolean() }),
    answer: Organization,
    errors: ['PERMISSION_DENIED', 'SECOND_FACTOR_REQUIRED'],
    forgets: 'everything',
  }),
] as const;
