// Deleting one's own account, after the password and, where there is one, a code of the second factor.
import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Dialog } from '../../components/dialog.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { accountStrings as strings } from '../../strings/account.js';

const DeletionForm = ({ hasSecondFactor }: { readonly hasSecondFactor: boolean }) => {
  const form = useContractForm('auth.deleteUser', {
    values: hasSecondFactor ? { password: '', code: '' } : { password: '' },
    invalidates: [],
    // Nothing that the page has loaded is this person's any more.
    onDone: () => window.location.assign('/'),
  });
  return (
    <Form of={form} guards={false} submitLabel={strings.deleteAccount}>
      <TextField
        name="password"
        type="password"
        label={strings.passwordFirst}
        autoComplete="current-password"
      />
      {hasSecondFactor && (
        <TextField name="code" label={strings.code} inputMode="numeric" autoComplete="one-time-code" mono />
      )}
    </Form>
  );
};

export const DeleteAccountCard = ({ hasSecondFactor }: { readonly hasSecondFactor: boolean }) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={strings.deleteAccount}>
      <div className="flex flex-col items-start gap-4">
        <p className="text-ink-soft">{strings.deleteAccountText}</p>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {strings.deleteAccount}
        </Button>
      </div>
      {isAsking && (
        <Dialog
          open
          onClose={() => setAsking(false)}
          title={strings.deleteAccountTitle}
          text={strings.deleteAccountText}
        >
          <DeletionForm hasSecondFactor={hasSecondFactor} />
        </Dialog>
      )}
    </Card>
  );
};
