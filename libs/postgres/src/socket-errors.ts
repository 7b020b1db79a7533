// The forms of a broken connection in the errors of a socket that drivers hand on.
import { types } from 'node:util';

// Unlike instanceof, it also knows the errors of sockets when this code runs in a context of its own.
const { isNativeError } = types;

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
]);

// The steps of a socket, as the operating system names them in its errors. The codes beside them are too many to list,
// such as EADDRNOTAVAIL without a free port and EMFILE without a free file.
const socketCalls = new Set(['connect', 'getaddrinfo', 'read', 'write', 'shutdown']);

const callOf = (error: Error): unknown => ('syscall' in error ? error.syscall : undefined);

/** The `code` of an error, empty where it has none. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** True when the other side is gone, or was never reached. */
export const isSocketBroken = (error: unknown): boolean => {
  if (!isNativeError(error)) return false;
  const call = callOf(error);
  return codes.has(codeOf(error)) || (typeof call === 'string' && socketCalls.has(call));
};
