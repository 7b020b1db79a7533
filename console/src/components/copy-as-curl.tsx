import { useState } from 'react';
import { curlOf } from '../data/curl.js';
import type { OperationId, RequestOf } from '../data/types.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { toast } from './toasts.js';

/** Copies a call of an operation as a command for curl, with the API key as a variable. */
export const CopyAsCurl = <Id extends OperationId>({
  operation,
  parts,
}: {
  readonly operation: Id;
  readonly parts: RequestOf<Id>;
}) => {
  const [busy, setBusy] = useState(false);
  const copy = async (): Promise<void> => {
    setBusy(true);
    await navigator.clipboard.writeText(await curlOf(operation, parts));
    setBusy(false);
    toast.done(strings.copied);
  };
  return (
    <Button kind="quiet" busy={busy} onClick={() => void copy()}>
      {strings.copyCurl}
    </Button>
  );
};
