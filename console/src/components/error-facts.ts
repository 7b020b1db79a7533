import { isApiError } from '@parlance/client';
import { componentStrings as strings } from '../strings/components.js';

export interface ErrorFacts {
  readonly text: string;
  readonly code?: string;
  readonly requestId?: string;
}

/** The facts that people may be told of anything that was thrown. */
export const factsOf = (error: unknown): ErrorFacts => {
  if (isApiError(error)) {
    return {
      text: error.message,
      code: error.code,
      ...(error.requestId === '' ? {} : { requestId: error.requestId }),
    };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return { text: strings.tooLate };
  // fetch rejects with a TypeError when the network is away.
  if (error instanceof TypeError && /fetch|network/i.test(error.message)) return { text: strings.notReached };
  return { text: strings.unexpected };
};

/** Code and request in one line, to quote; empty where the failure has none. */
export const quoteOf = ({ code, requestId }: ErrorFacts): string =>
  [code && `${strings.errorCode} ${code}`, requestId && `${strings.requestId} ${requestId}`]
    .filter(Boolean)
    .join(' · ');
