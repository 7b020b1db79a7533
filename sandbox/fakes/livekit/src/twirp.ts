// Twirp over JSON: errors with their statuses, and the check of permissions.
import type { Request, Response } from 'express';
import { type ClaimGrants, TokenVerifier } from 'livekit-server-sdk';

const statuses = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  failed_precondition: 412,
  resource_exhausted: 429,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  deadline_exceeded: 408,
  canceled: 408,
} as const;

export type TwirpCode = keyof typeof statuses;

export class TwirpError extends Error {
  constructor(
    readonly code: TwirpCode,
    message: string,
    readonly meta: Readonly<Record<string, string>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get status(): number {
    return statuses[this.code];
  }
}

/** LiveKit's words for a token that is missing or grants too little. */
const permissionsDenied = 'permissions denied';

/** An answer from before Twirp, in plain text. */
class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The client reads an error only when the type is exactly this, without a character set. */
export const sendJson = (response: Response, body: unknown): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
};

export const sendError = (response: Response, error: unknown): void => {
  if (error instanceof PlainError) {
    response.status(error.status).type('text/plain').end(error.message);
    return;
  }
  const known = error instanceof TwirpError ? error : new TwirpError('internal', 'internal error');
  sendJson(response.status(known.status).set(known.headers), {
    code: known.code,
    msg: known.message,
    meta: known.meta,
  });
};

export type Grant = 'roomCreate' | 'roomList' | 'roomAdmin' | 'sipAdmin' | 'sipCall';

const granted = (claims: ClaimGrants, grant: Grant): boolean => {
  switch (grant) {
    case 'sipAdmin':
      return claims.sip?.admin === true;
    case 'sipCall':
      return claims.sip?.call === true;
    default:
      return claims.video?.[grant] === true;
  }
};

/** Throws unless the bearer token is signed with our secret, not expired, and grants this. */
export const createGuard = (apiKey: string, apiSecret: string) => {
  const verifier = new TokenVerifier(apiKey, apiSecret);
  return async (request: Request, grant: Grant): Promise<void> => {
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer') throw new TwirpError('unauthenticated', permissionsDenied);
    let claims: ClaimGrants;
    try {
      claims = await verifier.verify(token);
    } catch {
      throw new PlainError(401, 'invalid authorization token');
    }
    if (!granted(claims, grant)) throw new TwirpError('unauthenticated', permissionsDenied);
  };
};

export interface Method {
  readonly grant: Grant;
  /** Which fault switch it is under; dialling takes its faults itself, because the dial is in the ledger first. */
  readonly target: 'rooms' | 'trunks' | 'dispatch' | 'itself';
  readonly run: (body: unknown) => Promise<unknown>;
}
