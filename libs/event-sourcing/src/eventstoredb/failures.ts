// The client's errors in the platform's terms.
import { ErrorType } from '@eventstore/db-client';
import { AppError } from '@parlance/errors';
import { StoreUnavailable } from '../store/failures.js';
import { isNoNode, reasonOf } from './reasons.js';

/** Errors by a mistake of this code, which a retry cannot help. */
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

/** A node has named the leader of its cluster, and has done nothing. */
export const isNotLeader = (error: unknown): boolean =>
  typeOf(error instanceof AppError ? error.cause : error) === ErrorType.NOT_LEADER;

/**
 * StoreUnavailable, unless the error is final. The client does not type every error of a broken connection: an append while the server
 * is down rejects with a bare gRPC status, and a call on a freshly closed channel with a plain Error. So an error that is not known to
 * be final counts as an outage, also one that the operator can remove.
 */
export const failureOf = (error: unknown): unknown => {
  if (error instanceof AppError || final.has(typeOf(error))) return error;
  return new StoreUnavailable({
    cause: error,
    reason: reasonOf(error),
    // gRPC's ABORTED, to which the client gives the type of a timeout.
    isSlowReader: typeOf(error) === ErrorType.TIMEOUT,
    isNodeMissing: isNoNode(error),
  });
};
