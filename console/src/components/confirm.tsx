// Asks before something is destroyed or costs money, and names the thing.
import { useState } from 'react';
import { createStore, useStore } from '../data/store.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { Dialog, DialogActions } from './dialog.js';
import { ErrorNote } from './error-note.js';
import { FieldShell } from './field-shell.js';

export interface Question {
  /** A question that names the thing: Delete the agent "Front desk"? */
  readonly title: string;
  /** The consequence, in one or two sentences. */
  readonly text: string;
  /** The verb of the button. */
  readonly action: string;
  readonly danger?: boolean;
  /** The person types this before the button works, for what cannot be undone and weighs much. */
  readonly typed?: string;
  /** Done while the dialog is open; a failure is shown in it. */
  readonly run: () => Promise<unknown>;
}

const asked = createStore<Question | undefined>(undefined);

/** Opens the dialog. */
export const confirmThat = (question: Question): void => asked.set(question);

const Asked = ({ question }: { readonly question: Question }) => {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isReady = question.typed === undefined || typed === question.typed;
  const run = async (): Promise<void> => {
    if (!isReady || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await question.run();
      asked.set(undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={() => asked.set(undefined)}
      closable={!busy}
      title={question.title}
      text={question.text}
    >
      {question.typed !== undefined && (
        <FieldShell label={strings.confirmType(question.typed)}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </FieldShell>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={() => asked.set(undefined)}>{strings.cancel}</Button>
        <Button
          kind={question.danger === false ? 'primary' : 'danger'}
          busy={busy}
          aria-disabled={!isReady}
          onClick={() => void run()}
        >
          {question.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

/** Once in the page. */
export const Confirmations = () => {
  const question = useStore(asked);
  return question === undefined ? null : <Asked key={question.title} question={question} />;
};
