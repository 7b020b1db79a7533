// Signing in: address and password, then a code where the account has a second factor. The same form stands on its own page and in
// the dialog over a page whose session has ended.
import { useState } from 'react';
import { useContractForm } from '../forms/contract-form.js';
import { TextField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { entryStrings as strings } from '../strings/entry.js';
import type { Step } from './history-step.js';

const noDraft = { guards: false } as const;

const Code = ({ onDone, onBack }: { readonly onDone: () => unknown; readonly onBack: () => void }) => {
  const [isBackup, setBackup] = useState(false);
  const totp = useContractForm('auth.twoFactorVerifyTotp', { values: { code: '' }, onDone, invalidates: [] });
  const backup = useContractForm('auth.twoFactorVerifyBackupCode', {
    values: { code: '' },
    onDone,
    invalidates: [],
  });
  const links = (
    <span className="mr-auto flex flex-col items-start gap-1">
      <button type="button" className="link" onClick={() => setBackup(!isBackup)}>
        {isBackup ? strings.useApp : strings.useBackup}
      </button>
      <button type="button" className="link" onClick={onBack}>
        {strings.startOver}
      </button>
    </span>
  );
  return isBackup ? (
    <Form key="backup" of={backup} {...noDraft} submitLabel={strings.continue} actions={links}>
      <TextField name="code" label={strings.backupCode} autoComplete="one-time-code" mono />
    </Form>
  ) : (
    <Form key="totp" of={totp} {...noDraft} submitLabel={strings.continue} actions={links}>
      <TextField
        name="code"
        label={strings.code}
        hint={strings.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        mono
      />
    </Form>
  );
};

const useStepHere = (): Step => {
  const [isThere, setThere] = useState(false);
  return { isThere, enter: () => setThere(true), leave: () => setThere(false) };
};

export const SignInForm = ({
  email = '',
  codeStep,
  onDone,
}: {
  /** Filled in already, where the person is known. */
  readonly email?: string;
  /** The question for the code as a step of the browser's history; within the form unless said. */
  readonly codeStep?: Step;
  readonly onDone: () => unknown;
}) => {
  const stepHere = useStepHere();
  const code = codeStep ?? stepHere;
  const form = useContractForm('auth.signInEmail', {
    values: { email, password: '' },
    // On a page the address stays while somebody looks at another one; a password never does.
    ...(codeStep === undefined ? {} : { draft: 'auth.signInEmail' }),
    secretFields: ['password'],
    invalidates: [],
    onDone: ({ data }) => ('twoFactorRedirect' in data ? code.enter() : onDone()),
  });
  if (code.isThere) return <Code onDone={onDone} onBack={code.leave} />;
  return (
    <Form of={form} {...noDraft} tellsDraft={false} submitLabel={strings.signIn}>
      <TextField name="email" type="email" label={strings.email} autoComplete="username" />
      <TextField name="password" type="password" label={strings.password} autoComplete="current-password" />
    </Form>
  );
};
