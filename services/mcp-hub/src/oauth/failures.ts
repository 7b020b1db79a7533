// The failures of an authorization. The words of servers stay out: an error of a token endpoint may repeat the sent
// token, and errors are logged.
import {
  IssuerMismatchError,
  OAuthClientFlowError,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/client';
import { asFailure, EgressFailure } from '@parlance/egress';

export type OAuthReason =
  /** The server names no authorization server. */
  | 'no_authorization_server'
  /** Metadata or an answer names another issuer than the one that was asked. */
  | 'other_issuer'
  /** The server's metadata describes another resource. */
  | 'other_resource'
  /** The authorization server lacks something that OAuth 2.1 needs. */
  | 'not_supported'
  | 'registration_refused'
  /** The authorization server gives no token for this grant, now or later. */
  | 'refused'
  /** The authorization server does not know the platform as a client, or knows it no more. */
  | 'client_refused'
  | 'timeout'
  | 'address_not_allowed'
  | 'unreachable'
  | 'bad_response';

export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';

  constructor(readonly reason: OAuthReason) {
    super(`the authorization failed: ${reason}`);
  }
}

/** Answers that another try may change. */
const passing: ReadonlySet<string> = new Set<string>([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]);

const ofClient: ReadonlySet<string> = new Set<string>([
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

const reasonOfAnswer = ({ code }: OAuthError): OAuthReason => {
  if (ofClient.has(code)) return 'client_refused';
  return passing.has(code) ? 'unreachable' : 'refused';
};

const reasonOf = (error: unknown): OAuthReason => {
  if (error instanceof IssuerMismatchError) return 'other_issuer';
  if (error instanceof OAuthClientFlowError) return 'not_supported';
  if (error instanceof OAuthError) return reasonOfAnswer(error);
  const isForeign = error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError');
  if (isForeign) return 'bad_response';
  const failure = asFailure(error);
  if (!(failure instanceof EgressFailure)) return 'address_not_allowed';
  if (failure.reason === 'timeout' || failure.reason === 'aborted') return 'timeout';
  return failure.reason === 'unreachable' || failure.reason === 'unresolved' ? 'unreachable' : 'bad_response';
};

/** Nothing but another login helps. */
export const isFinal = ({ reason }: OAuthFailure): boolean =>
  reason === 'refused' || reason === 'client_refused';

/** Any error of a conversation with an authorization server as one of ours, without its words. */
export const asOAuthFailure = (error: unknown): OAuthFailure =>
  error instanceof OAuthFailure ? error : new OAuthFailure(reasonOf(error));
