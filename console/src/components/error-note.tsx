// An error as people can use it: a sentence, the code, the request to quote, and a way to try again.
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { factsOf, quoteOf } from './error-facts.js';

export const ErrorNote = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const facts = factsOf(error);
  const quote = quoteOf(facts);
  return (
    <div role="alert" className="rounded-md border border-danger bg-danger-soft px-3 py-2.5">
      <p className="font-medium text-danger">{facts.text}</p>
      {quote !== '' && <p className="mt-0.5 font-mono text-xs text-ink-soft">{quote}</p>}
      {retry !== undefined && (
        <Button className="mt-2" onClick={retry}>
          {strings.retry}
        </Button>
      )}
    </div>
  );
};

/** One line above values that may be old, because asking for them again has failed. */
export const StaleNote = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const facts = factsOf(error);
  return (
    <p
      role="alert"
      title={quoteOf(facts) || undefined}
      className="mb-2 rounded-md bg-danger-soft px-3 py-1 text-xs text-danger"
    >
      {strings.notRenewed} {facts.text}
      {retry !== undefined && (
        <button type="button" className="link ml-2" onClick={retry}>
          {strings.retry}
        </button>
      )}
    </p>
  );
};
