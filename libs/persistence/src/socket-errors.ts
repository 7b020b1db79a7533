// What a broken connection looks like when a driver hands on the error of its socket.
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

/** The `code` of an error, empty where it has none. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** True when the other side is gone, or was never reached. */
export const isSocketBroken = (error: unknown): boolean => isNativeError(error) && codes.has(codeOf(error));
