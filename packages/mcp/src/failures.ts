// Failures on the way to the platform, each with the step by which a person mends it.
import { SdkHttpError } from '@modelcontextprotocol/client';
import { Mendable } from './settings.js';

const remedies: Readonly<Record<number, string>> = {
  401: 'The platform does not know this key. Check PARLANCE_API_KEY: it may have expired, or been revoked.',
  403: 'The platform refuses this address. Set PARLANCE_URL to the address that its operator names.',
  404: 'There is no MCP server at this address. Check PARLANCE_URL: it is the address of the platform without a path.',
  413: 'The arguments are too large.',
  429: 'Too many requests. Wait a minute.',
  503: 'The platform is not available right now. Try again in a moment.',
};

const causesOf = (error: unknown): string[] =>
  error instanceof Error
    ? [`${error.message} ${'code' in error ? String(error.code) : ''}`, ...causesOf(error.cause)]
    : [];

/** One sentence for the person at the keyboard. */
export const explain = (error: unknown): string => {
  if (error instanceof Mendable) return error.message;
  if (error instanceof SdkHttpError && error.status !== undefined) {
    const remedy = remedies[error.status];
    if (remedy !== undefined) return `${remedy} (HTTP ${error.status})`;
  }
  if (causesOf(error).some((text) => /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|fetch failed/.test(text)))
    return 'Nothing answers at PARLANCE_URL. Start the platform with npm start, or check the address.';
  return error instanceof Error ? error.message : String(error);
};
