// An error as people can use it: a sentence, the code, the request to quote, and a way to try again.
import { isApiError } from '@parlance/client';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';

export interface ErrorFacts {
  readonly text: string;
  readonly code?: string;
  readonly requestId?: string;
}

/** What may be told of anything that was thrown. */
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

export const ErrorNote = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const { text, code, requestId } = factsOf(error);
  return (
    <div role="alert" className="rounded-md border border-danger bg-danger-soft px-3 py-2.5">
      <p className="font-medium text-danger">{text}</p>
      {(code ?? requestId) !== undefined && (
        <p className="mt-0.5 font-mono text-xs text-ink-soft">
          {[code && `${strings.errorCode} ${code}`, requestId && `${strings.requestId} ${requestId}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {retry !== undefined && (
        <Button className="mt-2" onClick={retry}>
          {strings.retry}
        </Button>
      )}
    </div>
  );
};
