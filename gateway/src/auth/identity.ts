// The identity behind a request, as far as the gateway has established it.
import type { Caller, McpConfirm } from '@parlance/contracts';
import { AppError } from '@parlance/errors';

interface Known {
  readonly caller: Caller;
  /** The caller's permissions, for looking up. */
  readonly permissions: ReadonlySet<string>;
}

export interface KeyIdentity extends Known {
  readonly kind: 'key';
  readonly keyId: string;
  readonly mcpConfirm: McpConfirm;
}

/** A member, by an access token of an authorization server. Treated like a key, and good for MCP alone. */
export interface TokenIdentity extends Known {
  readonly kind: 'token';
  /** The permissions of the member's role, whatever the scopes of the token. */
  readonly ofRole: ReadonlySet<string>;
  /** The organization requires a second factor, and the token says of none. */
  readonly secondFactorMissing: boolean;
}

export interface SessionIdentity extends Known {
  readonly kind: 'session';
  readonly userId: string;
  /** The e-mail address is verified, or counts as it. */
  readonly verified: boolean;
  /** The active organization requires a second factor that this person has not set up. */
  readonly secondFactorMissing: boolean;
}

export type Identity = KeyIdentity | TokenIdentity | SessionIdentity;

/** Missing, unknown, expired, revoked, disabled: one identical answer. */
export const unauthenticated = (): AppError => new AppError('UNAUTHENTICATED');
