// Translates better-auth's errors into those of this platform: its code decides the platform's code. Its own sentence
// is not repeated, because it may hold data of the request.
import { AppError, type ErrorCode, validationError } from '@parlance/errors';
import { z } from 'zod';

const codes: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'UNAUTHENTICATED',
  EMAIL_NOT_VERIFIED: 'EMAIL_NOT_VERIFIED',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: 'EMAIL_NOT_VERIFIED',
  EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION: 'EMAIL_NOT_VERIFIED',
  INVALID_ORIGIN: 'ORIGIN_NOT_ALLOWED',
  MISSING_OR_NULL_ORIGIN: 'ORIGIN_NOT_ALLOWED',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'ORIGIN_NOT_ALLOWED',
  NO_ACTIVE_ORGANIZATION: 'NO_ACTIVE_ORGANIZATION',
  // An absent thing and a thing of another owner get the same answer.
  ORGANIZATION_NOT_FOUND: 'NOT_FOUND',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: 'NOT_FOUND',
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: 'NOT_FOUND',
  MEMBER_NOT_FOUND: 'NOT_FOUND',
  INVITATION_NOT_FOUND: 'NOT_FOUND',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'NOT_FOUND',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: 'NOT_FOUND',
  USER_NOT_FOUND: 'NOT_FOUND',
  KEY_NOT_FOUND: 'NOT_FOUND',
  USER_ALREADY_EXISTS: 'NAME_TAKEN',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'NAME_TAKEN',
  ORGANIZATION_ALREADY_EXISTS: 'NAME_TAKEN',
  ORGANIZATION_SLUG_ALREADY_TAKEN: 'NAME_TAKEN',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'CONFLICT',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'CONFLICT',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 'CONFLICT',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: 'CONFLICT',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'PERMISSION_DENIED',
  INVALID_CODE: 'UNAUTHENTICATED',
  INVALID_BACKUP_CODE: 'UNAUTHENTICATED',
  INVALID_TWO_FACTOR_COOKIE: 'UNAUTHENTICATED',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'UNAUTHENTICATED',
  TOTP_NOT_ENABLED: 'CONFLICT',
  TOTP_ALREADY_ENABLED: 'CONFLICT',
  BACKUP_CODES_NOT_ENABLED: 'CONFLICT',
  TWO_FACTOR_NOT_ENABLED: 'CONFLICT',
};

/** Fields that better-auth judges itself. */
const fields: Readonly<Record<string, string>> = {
  INVALID_EMAIL: 'body.email',
  EMAIL_MISMATCH: 'body.email',
  EMAIL_ALREADY_VERIFIED: 'body.email',
  INVALID_PASSWORD: 'body.currentPassword',
  INVALID_TOKEN: 'body.token',
  TOKEN_EXPIRED: 'body.token',
  INVALID_CALLBACK_URL: 'body.callbackURL',
  INVALID_REDIRECT_URL: 'body.redirectTo',
  ROLE_NOT_FOUND: 'body.role',
};

const byStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'CONFLICT',
  429: 'RATE_LIMITED',
};

const Refusal = z.object({ code: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/) });

// The answers of these two codes are the same for every caller and request; a reason would tell cases apart.
const withoutReason: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'NOT_FOUND']);

/** The error behind an answer of better-auth that is neither a success nor a failure of its own. */
export const fromBetterAuth = (status: number, body: unknown): AppError => {
  const refusal = Refusal.safeParse(body);
  const reason = refusal.success ? refusal.data.code : undefined;
  const field = reason === undefined ? undefined : fields[reason];
  const code = (reason === undefined ? undefined : codes[reason]) ?? byStatus[status];
  if (field !== undefined || code === undefined) {
    const issueCode = reason?.toLowerCase() ?? 'refused';
    return validationError([{ path: field ?? 'body', code: issueCode, message: 'was refused' }]);
  }
  if (reason === undefined || withoutReason.has(code)) return new AppError(code);
  return new AppError(code, { details: { reason } });
};
