// The message for a person about a failed command: the failure and its remedy.
import { ConfigError } from '@parlance/config';
import { AppError } from '@parlance/errors';

/** A mistake in the call of a command; `help` shows the right form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const advice: Readonly<Record<string, string>> = {
  SERVICE_UNAVAILABLE: 'Is the platform (or the engine) running? Nothing was changed; run the command again.',
  UPSTREAM_TIMEOUT: 'An engine is too busy. Nothing was changed; run the command again.',
  CONFLICT: 'Nothing was changed.',
};

/** The message of the failure itself, where it was translated. */
export const causeOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message : error.message;

/** One line or two, without a stack. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof ConfigError)
    return `${error.message}\nSet the variables of the service (docs/configuration.md has them), or start the platform: npm start`;
  if (error instanceof AppError) return `${causeOf(error)}\n${advice[error.code] ?? ''}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
};
