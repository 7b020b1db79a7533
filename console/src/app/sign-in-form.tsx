// Signing in: address and password, then a code where the account has a second factor. The same form stands on its own page and in
// the dialog over a page whose session has ended.
import { useState } from 'react';
import { useContractForm } from '../forms/contract-form.js';
import { TextField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { entryStrings as strings } from '../strings/entry.js';

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

/** @param email filled in already, where the person is known */
export const SignInForm = ({
  email = '',
  onDone,
}: {
  readonly email?: string;
  readonly onDone: () => unknown;
}) => {
  const [needsCode, setNeedsCode] = useState(false);
  const form = useContractForm('auth.signInEmail', {
    values: { email, password: '' },
    invalidates: [],
    onDone: ({ data }) => ('twoFactorRedirect' in data ? setNeedsCode(true) : onDone()),
  });
  if (needsCode) return <Code onDone={onDone} onBack={() => setNeedsCode(false)} />;
  return (
    <Form of={form} {...noDraft} submitLabel={strings.signIn}>
      <TextField name="email" type="email" label={strings.email} autoComplete="username" />
      <TextField name="password" type="password" label={strings.password} autoComplete="current-password" />
    </Form>
  );
};
