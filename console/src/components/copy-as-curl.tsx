import { useState } from 'react';
import type { OperationId, RequestOf } from '../data/types.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { copyText, NotCopied } from './copy-text.js';
import { toast } from './toasts.js';

/** Copies the request, and tells so. */
export const copyAsCurl = async <Id extends OperationId>(
  operation: Id,
  parts: RequestOf<Id> | (() => RequestOf<Id>),
  secrets: readonly string[] = [],
): Promise<void> => {
  try {
    const { curlOf } = await import('../data/curl.js'); // the first load of the page does without it
    const asked = typeof parts === 'function' ? (parts as () => RequestOf<Id>)() : parts; // a request is no function
    await copyText(await curlOf(operation, asked, secrets));
    toast.done(strings.copied);
  } catch (error) {
    if (error instanceof NotCopied) toast.failed(strings.notCopied);
    else toast.failure(error);
  }
};

/** Copies a call of an operation as a command for curl, with the API key as a variable. */
export const CopyAsCurl = <Id extends OperationId>({
  operation,
  parts,
  secrets = [],
}: {
  readonly operation: Id;
  /** A function is asked at the click, for values that are being typed. */
  readonly parts: RequestOf<Id> | (() => RequestOf<Id>);
  /** Names of fields whose values are left out. */
  readonly secrets?: readonly string[];
}) => {
  const [busy, setBusy] = useState(false);
  const copy = async (): Promise<void> => {
    setBusy(true);
    await copyAsCurl(operation, parts, secrets);
    setBusy(false);
  };
  return (
    <Button kind="quiet" busy={busy} onClick={() => void copy()}>
      {strings.copyCurl}
    </Button>
  );
};
