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
  /** Something that the person may add, and the request with it. */
  readonly note?: {
    readonly label: string;
    readonly hint: string;
    readonly maxLength: number;
    readonly wishWith: (note: string) => Wish<Result>;
  };
  /** The request that the button sends while the dialog is open; a failure is shown in it. */
  readonly wish: Wish<Result>;
  /** After the answer, with the dialog still open: another page, a message. */
  readonly done?: (answer: Result) => unknown;
}

type Asking = Omit<Question, 'done'> & { readonly run: (wish: Wish) => Promise<unknown> };

const asked = createStore<Asking | undefined>(undefined);

/** Opens the dialog. */
export const confirmThat = <Result,>({ done, ...question }: Question<Result>): void =>
  asked.set({
    ...question,
    run: async (wish) => {
      const answer = await wish.send();
      await done?.(answer as Result); // of one of the question's requests
    },
  });

const Asked = ({ question }: { readonly question: Asking }) => {
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const wish = note.trim() === '' ? question.wish : (question.note?.wishWith(note.trim()) ?? question.wish);
  const isReady = question.typed === undefined || typed === question.typed;
  const run = async (): Promise<void> => {
    if (!isReady || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await question.run(wish);
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
      {question.note !== undefined && (
        <FieldShell label={question.note.label} hint={question.note.hint} optional>
          {(ids) => (
            <input
              {...ids}
              className="input"
              maxLength={question.note?.maxLength}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </FieldShell>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <DialogActions>
        <CopyAsCurl operation={wish.operation} parts={wish.parts as never} />
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
