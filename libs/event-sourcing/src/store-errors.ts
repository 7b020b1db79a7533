// The meaning of the event store client's errors for the platform.
import { ErrorType } from '@eventstore/db-client';
import { AppError } from '@parlance/errors';

/** Errors by a mistake of this code: trying again cannot help. A fault that the operator can mend counts as an outage. */
const final: ReadonlySet<unknown> = new Set([
  ErrorType.INVALID_ARGUMENT,
  ErrorType.INVALID_TRANSACTION,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.MISSING_REQUIRED_METADATA_PROPERTY,
  ErrorType.STREAM_DELETED,
  ErrorType.UNSUPPORTED,
]);

const typeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;

export const isStreamNotFound = (error: unknown): boolean => typeOf(error) === ErrorType.STREAM_NOT_FOUND;

export const isWrongRevision = (error: unknown): boolean =>
  typeOf(error) === ErrorType.WRONG_EXPECTED_VERSION;

const told = (error: unknown): unknown => (error instanceof AppError ? error.cause : error);

/** A node has named the leader of its cluster, and has done nothing. */
export const isNotLeader = (error: unknown): boolean => typeOf(told(error)) === ErrorType.NOT_LEADER;

/** The store ended a live subscription because its reader could not keep up: gRPC ABORTED. */
export const isTooSlowForLive = (error: unknown): boolean => typeOf(told(error)) === ErrorType.TIMEOUT;

/**
 * SERVICE_UNAVAILABLE, unless the store answered with a refusal that repeating cannot change. The client does not type
 * every error of a broken connection. An append while the server is down rejects with a bare gRPC status. A call on a
 * freshly closed channel rejects with a plain Error. So an error that is not known to be final counts as an outage.
 */
export const storeError = (error: unknown): unknown => {
  if (error instanceof AppError || final.has(typeOf(error))) return error;
  return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 2 });
};
