// The failures of a conversation with an MCP server. The words are the platform's: a server's own words never reach a
// state or an error.
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { asFailure, EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';

export type FailureReason =
  | 'timeout'
  /** The server wants other credentials. */
  | 'auth_required'
  /** A secret that the connection mentions does not exist. */
  | 'secret_missing'
  /** A secret that the connection mentions may not be sent to the server. */
  | 'secret_not_allowed'
  /** The egress rules refuse the address, or an address that its name leads to. */
  | 'address_not_allowed'
  | 'redirected'
  | 'unreachable'
  | 'tls'
  | 'too_large'
  | 'too_many_tools'
  /** The session is not known to the server any more. */
  | 'session_lost'
  /** The server answers with an HTTP status that is no success. */
  | 'bad_status'
  /** The answer is no MCP. */
  | 'bad_response'
  /** The platform itself could not make the request. */
  | 'platform';

export class McpFailure extends Error {
  override readonly name = 'McpFailure';

  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(`the MCP server could not be used: ${reason}`, options);
  }
}

const reasonOfEgress: Readonly<Record<EgressFailure['reason'], FailureReason>> = {
  unresolved: 'unreachable',
  unreachable: 'unreachable',
  tls: 'tls',
  timeout: 'timeout',
  too_large: 'too_large',
  bad_response: 'bad_response',
  too_many_redirects: 'redirected',
  aborted: 'timeout',
};

const reasonOfAppError = ({ code }: AppError): FailureReason => {
  if (code === 'URL_NOT_ALLOWED') return 'address_not_allowed';
  if (code === 'SECRET_ORIGIN_NOT_ALLOWED') return 'secret_not_allowed';
  return code === 'SECRET_NOT_FOUND' ? 'secret_missing' : 'platform';
};

const reasonOfStatus = (status: number | undefined): FailureReason => {
  if (status === 401) return 'auth_required';
  return status === 404 ? 'session_lost' : 'bad_status';
};

const reasonOfSdk = (error: SdkError): FailureReason => {
  if (error instanceof SdkHttpError) return reasonOfStatus(error.data.status);
  if (error.code === SdkErrorCode.RequestTimeout) return 'timeout';
  const isClosed = error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected;
  return isClosed ? 'unreachable' : 'bad_response';
};

/** Errors that the client's parsers throw; a RangeError is an answer that is nested too deeply for them. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  error instanceof RangeError ||
  (error instanceof Error && error.name === 'ZodError');

const reasonOf = (error: unknown): FailureReason => {
  if (error instanceof AppError) return reasonOfAppError(error);
  if (error instanceof EgressFailure) return reasonOfEgress[error.reason];
  if (error instanceof UnauthorizedError) return 'auth_required';
  if (error instanceof SdkError) return reasonOfSdk(error);
  if (error instanceof ProtocolError) return 'bad_response';
  return isUnreadable(error) ? 'bad_response' : reasonOfForeign(error);
};

const reasonOfForeign = (error: unknown): FailureReason => {
  const known = asFailure(error);
  return known instanceof EgressFailure ? reasonOfEgress[known.reason] : reasonOfAppError(known);
};

/** Any error of a conversation as one of ours. */
export const asMcpFailure = (error: unknown): McpFailure =>
  error instanceof McpFailure ? error : new McpFailure(reasonOf(error), { cause: error });
