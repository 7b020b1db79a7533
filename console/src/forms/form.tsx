// The frame of a form. It has the fields, a failure that belongs to no field, the draft that came back, and the question before leaving.
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useContext, useId } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import { Button } from '../components/button.js';
import { CopyAsCurl } from '../components/copy-as-curl.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Reasoned, Refusal } from '../components/reasoned.js';
import { Notice } from '../components/status.js';
import { accessOf } from '../data/access.js';
import { formStrings as strings } from '../strings/forms.js';
import type { ContractForm } from './contract-form.js';

const LeaveGuard = ({ when }: { readonly when: () => boolean }) => {
  const blocker = useBlocker({ shouldBlockFn: when, enableBeforeUnload: when, withResolver: true });
  return (
    <Dialog
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={strings.leaveTitle}
      text={strings.leaveText}
    >
      <DialogActions>
        <Button onClick={() => blocker.reset?.()}>{strings.stay}</Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          {strings.leave}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

export interface FormProps<Values extends FieldValues> {
  readonly of: ContractForm<Values>;
  readonly submitLabel?: string;
  /** Beside the button that sends. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** True where a form without a change has nothing to send: the button waits for one, and says so. */
  readonly onlyChanges?: boolean;
  /** False: somebody may leave with changes, as in a dialog or at the sign-in. */
  readonly guards?: boolean;
  /** False: a draft comes back without a word, as an address at the sign-in. */
  readonly tellsDraft?: boolean;
}

export const Form = <Values extends FieldValues>(props: FormProps<Values>) => {
  const { of, submitLabel = strings.save, actions, children, onlyChanges = false } = props;
  const { guards = true, tellsDraft = true } = props;
  const { form, submit, error, isSending, prepare, hasDraft, discardDraft } = of;
  const { errors, isDirty } = form.formState;
  const refusal = useContext(Refusal)(of.operation);
  const refusalId = useId();
  const reason = refusal ?? (onlyChanges && !isDirty ? strings.nothingChanged : undefined);
  // Strangers have a password or a code to type, and no program of theirs to write.
  const isForPeopleInside = accessOf(of.operation).kind !== 'anybody';
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onFocus={() => void prepare().catch(() => undefined)}
        onSubmit={(event) => {
          // A dialog stands in the tree of the form that opened it, whose own handler is not meant.
          event.stopPropagation();
          void submit(event);
        }}
        className="flex flex-col gap-4"
      >
        {hasDraft && tellsDraft && (
          <Notice>
            {strings.draftRestored}{' '}
            <button type="button" className="link" onClick={discardDraft}>
              {strings.discardDraft}
            </button>
          </Notice>
        )}
        {refusal !== undefined && (
          <div id={refusalId}>
            <Notice tone="attention">{refusal}</Notice>
          </div>
        )}
        {children}
        {errors.root?.message !== undefined && (
          <p role="alert" className="font-medium text-danger">
            {errors.root.message}
          </p>
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <DialogActions>
          {isForPeopleInside && (
            <CopyAsCurl
              operation={of.operation}
              parts={of.request as () => never}
              secrets={of.secretFields}
            />
          )}
          {actions}
          <Reasoned reason={reason} {...(refusal === undefined ? {} : { describedBy: refusalId })}>
            <Button type="submit" kind="primary" busy={isSending} data-operation={of.operation}>
              {submitLabel}
            </Button>
          </Reasoned>
        </DialogActions>
      </form>
      {guards && <LeaveGuard when={of.hasUnsaved} />}
    </FormProvider>
  );
};
