// The failures of a request to the outside. Words of the other side are never part of them.
import { AppError } from '@parlance/errors';

export type FailureReason =
  /** The name has no address. */
  | 'unresolved'
  /** No connection, or it broke off. */
  | 'unreachable'
  /** The certificate is not one of this host, or no trusted authority signed it. */
  | 'tls'
  /** The request took longer than its time limit. */
  | 'timeout'
  /** The answer has more bytes than allowed, before or after decompression. */
  | 'too_large'
  /** The answer is not HTTP, or compressed in a way that cannot be read. */
  | 'bad_response'
  | 'too_many_redirects'
  /** The caller gave up. */
  | 'aborted';

/** The request was allowed, and did not work. */
export class EgressFailure extends Error {
  override readonly name = 'EgressFailure';

  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(`the request failed: ${reason}`, options);
  }
}

export type RefusalReason = 'not_a_url' | 'credentials' | 'scheme' | 'port' | 'host' | 'address';

/** The one answer for an address that is not called, when it is saved and when it is fetched. */
export const refused = (reason: RefusalReason): AppError =>
  new AppError('URL_NOT_ALLOWED', { details: { reason } });

/** An error of the HTTP parser has no code, so its name is read. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : nameOf(error);

/** The error of the first address; each of several failed in its own way. */
const firstOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'errors' in error && Array.isArray(error.errors)
    ? (error.errors[0] ?? error)
    : error;

const tlsCodes = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$)/;

const notHttp = /^(?:HTTPParserError$|HPE_|Z_|ERR_?_(?:ERROR|BROTLI)|UND_ERR_HEADERS_OVERFLOW$)/;

const reasonFor = (code: string): FailureReason => {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (tlsCodes.test(code)) return 'tls';
  if (notHttp.test(code)) return 'bad_response';
  return 'unreachable';
};

/** Any error of a request as one of this library: AppError URL_NOT_ALLOWED or EgressFailure. */
export const asFailure = (error: unknown): AppError | EgressFailure => {
  if (error instanceof AppError || error instanceof EgressFailure) return error;
  return new EgressFailure(reasonFor(codeOf(firstOf(error))), { cause: error });
};
