// Chooses something that the agent does not have yet, and attaches it.

import { useId, useState } from 'react';
import { Guarded } from '../../../app/permission.js';
import { Button } from '../../../components/button.js';
import { CopyAsCurl } from '../../../components/copy-as-curl.js';
import { ErrorNote } from '../../../components/error-note.js';
import { toast } from '../../../components/toasts.js';
import type { Wish } from '../../../data/commands.js';
import type { OperationId } from '../../../data/types.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';

export const AttachBar = ({
  operation,
  label,
  choices,
  attach,
}: {
  readonly operation: OperationId;
  readonly label: string;
  /** `name` stands in the message where the label tells more. */
  readonly choices: readonly { readonly value: string; readonly label: string; readonly name?: string }[];
  /** @param value of the choice */
  readonly attach: (value: string) => Wish;
}) => {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const wish = attach(chosen);
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await wish.send();
      const choice = choices.find(({ value }) => value === chosen);
      toast.done(strings.attached(choice?.name ?? choice?.label ?? ''));
      setChosen('');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  if (choices.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          <select
            id={id}
            className="input w-72 max-w-full"
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">{strings.choose}</option>
            {choices.map(({ value, label: name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <Guarded operation={operation} reason={chosen === '' ? strings.chooseFirst : undefined}>
          <Button busy={busy} onClick={() => void run()}>
            {strings.attach}
          </Button>
        </Guarded>
        {chosen !== '' && <CopyAsCurl operation={wish.operation} parts={wish.parts as never} />}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
};
