// The meaning of a failure of Postgres for the caller: not available right now, too slow, a conflict, or a bug.
import { types } from 'node:util';
import { AppError } from '@parlance/errors';
import { codeOf, isSocketBroken } from './socket-errors.js';

// Unlike instanceof, it also knows the errors of sockets when this code runs in a context of its own.
const { isNativeError } = types;

// SQLSTATE classes and codes: 08 connection, 53 resources (too many clients, disk full), 57P shutdown and recovery,
// 58 system (I/O), 25006 read-only (a standby, or a failover in progress).
const unavailableState = /^(?:08...|53...|57P0[1-5]|58...|25006)$/;
// A prepared statement of a connection cannot be used any more: a migration has changed its table, or a pooler before the
// server has forgotten it. On another connection the same statement works.
const lostStatementState = /^26000$/;
const lostStatementMessage = /^cached plan must not change result type/;
// The driver gives these no code. The last one is a server that went silent: a slow one ends the statement itself.
const unavailableMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|There was an error establishing an SSL connection|Cannot use a pool after calling end|Query read timeout)/;

/** FATAL and PANIC are the last words of a connection, such as 25P03: the server has closed an idle transaction. */
const isLastWord = (error: Error): boolean =>
  'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC');

const hasLostStatement = (error: Error): boolean =>
  lostStatementState.test(codeOf(error)) || lostStatementMessage.test(error.message);

const isUnavailable = (error: Error): boolean =>
  isSocketBroken(error) ||
  isLastWord(error) ||
  hasLostStatement(error) ||
  unavailableState.test(codeOf(error)) ||
  unavailableMessage.test(error.message);

/** True when the connection cannot be used again. */
export const isConnectionBroken = (error: unknown): boolean => isNativeError(error) && isUnavailable(error);

/** An AppError where the failure has a meaning beyond "bug", else the error itself. */
export const translateDatabaseError = (error: unknown): unknown => {
  if (!isNativeError(error) || error instanceof AppError) return error;
  const code = codeOf(error);
  // Several addresses of one host failed, each in its own way.
  const members = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  if (members.some((member) => isNativeError(member) && isUnavailable(member))) {
    return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
  }
  if (code === '57014' || code === '55P03') {
    return new AppError('UPSTREAM_TIMEOUT', { cause: error, retryAfterSeconds: 1 });
  }
  if (code === '40001' || code === '40P01') return new AppError('CONFLICT', { cause: error });
  return error;
};

/** Postgres ends a statement at its limit, MongoDB an operation, and the driver a request that is not answered in time. */
const timeoutNames = new Set(['MongoOperationTimeoutError', 'MongoNetworkTimeoutError']);

/** True when the database took too long over one piece of work, and not when another service did. */
export const isStatementTimeout = (error: unknown): boolean => {
  if (!(error instanceof AppError) || !isNativeError(error.cause)) return false;
  const { cause } = error;
  if (timeoutNames.has(cause.name)) return true;
  return (
    error.code === 'UPSTREAM_TIMEOUT' && (codeOf(cause) === '57014' || cause.name === 'MongoServerError')
  );
};

/** True when a unique constraint refused a row; `constraint` narrows it to one. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  isNativeError(error) &&
  codeOf(error) === '23505' &&
  (constraint === undefined || ('constraint' in error && error.constraint === constraint));
