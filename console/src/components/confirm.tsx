// Asks before something is destroyed or costs money, and names the thing.
import { useState } from 'react';
import type { Wish } from '../data/commands.js';
import { createStore, useStore } from '../data/store.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';
import { CopyAsCurl } from './copy-as-curl.js';
import { Dialog, DialogActions } from './dialog.js';
import { ErrorNote } from './error-note.js';
import { FieldShell } from './field-shell.js';
import { Reasoned } from './reasoned.js';

export interface Question<Result = unknown> {
  /** A question that names the thing: Delete the agent "Front desk"? */
  readonly title: string;
  /** The consequence, in one or two sentences. */
  readonly text: string;
  /** The verb of the button. */
  readonly action: string;
  readonly danger?: boolean;
  /** The person types this before the button works, for a command that cannot be undone and weighs much. */
  readonly typed?: string;
  /** The request that the button sends while the dialog is open; a failure is shown in it. */
  readonly wish: Wish<Result>;
  /** After the answer, with the dialog still open: another page, a message. */
  readonly done?: (answer: Result) => unknown;
}

type Asking = Omit<Question, 'done'> & { readonly run: () => Promise<unknown> };

const asked = createStore<Asking | undefined>(undefined);

/** Opens the dialog. */
export const confirmThat = <Result,>({ done, ...question }: Question<Result>): void =>
  asked.set({
    ...question,
    run: async () => {
      const answer = await question.wish.send();
      await done?.(answer);
    },
  });

const Asked = ({ question }: { readonly question: Asking }) => {
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
        <CopyAsCurl operation={question.wish.operation} parts={question.wish.parts as never} />
        <Button onClick={() => asked.set(undefined)}>{strings.cancel}</Button>
        <Reasoned reason={isReady ? undefined : strings.confirmType(question.typed ?? '')}>
          <Button
            kind={question.danger === false ? 'primary' : 'danger'}
            busy={busy}
            onClick={() => void run()}
          >
            {question.action}
          </Button>
        </Reasoned>
      </DialogActions>
    </Dialog>
  );
};

/** Once in the page. */
export const Confirmations = () => {
  const question = useStore(asked);
  return question === undefined ? null : <Asked key={question.title} question={question} />;
};
