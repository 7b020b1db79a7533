// Errors of sockets, TLS and drivers in words. A driver often hides the cause some levels down.
import { types } from 'node:util';
import { AppError } from '@parlance/errors';

// Unlike instanceof, it also knows the errors of other contexts.
const { isNativeError } = types;

const deepest = 6;

/** The error and everything that caused it, the outermost first; without the platform's own errors, which stand for a cause. */
export const chainOf = (error: unknown, depth = 0): readonly Error[] => {
  if (!isNativeError(error) || depth > deepest) return [];
  const members = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const own = error instanceof AppError ? [] : [error];
  return [...own, ...[error.cause, ...members].flatMap((cause) => chainOf(cause, depth + 1))];
};

/** Code of the first error in the chain that has a textual one, such as `ECONNREFUSED` or `28P01`. */
export const codeOf = (error: unknown): string | undefined => {
  for (const one of chainOf(error)) {
    const code = Reflect.get(one, 'code');
    if (typeof code === 'string' && /^[A-Z0-9_]{4,}$/.test(code)) return code;
  }
  return undefined;
};

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'the name has no address (ENOTFOUND)',
  EAI_AGAIN: 'no name server answers (EAI_AGAIN)',
  ETIMEDOUT: 'no answer came in time (ETIMEDOUT)',
  ECONNRESET: 'the connection was cut (ECONNRESET)',
  EHOSTUNREACH: 'no way leads there (EHOSTUNREACH)',
  ENETUNREACH: 'no way leads there (ENETUNREACH)',
};

/** One line: the cause in words where it is known, else the innermost message. */
export const causeInWords = (error: unknown): string => {
  const code = codeOf(error);
  const known = code === undefined ? undefined : words[code];
  if (known !== undefined) return known;
  const message = chainOf(error).findLast((one) => one.message !== '')?.message ?? String(error);
  const line = message.replaceAll(/\s+/g, ' ').slice(0, 300);
  return code === undefined || line.includes(code) ? line : `${line} (${code})`;
};
