import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { GuestCard } from '../../app/guest-card.js';
import { ButtonLink } from '../../components/button.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { entryStrings as strings } from '../../strings/entry.js';
import { useLinkToken } from './link-token.js';

const below = (
  <Link to="/sign-in" className="link self-start">
    {strings.signIn}
  </Link>
);

const AskForLink = () => {
  const [sent, setSent] = useState(false);
  const form = useContractForm('auth.requestPasswordReset', {
    values: { email: '' },
    invalidates: [],
    onDone: () => setSent(true),
  });
  return (
    <GuestCard title={strings.resetTitle} intro={sent ? undefined : strings.resetAsk} below={below}>
      <p role="status">{sent ? strings.sent : ''}</p>
      {!sent && (
        <Form of={form} guards={false} submitLabel={strings.resetSend}>
          <TextField name="email" type="email" label={strings.email} autoComplete="username" />
        </Form>
      )}
    </GuestCard>
  );
};

const Choose = ({ token }: { readonly token: string }) => {
  const [done, setDone] = useState(false);
  const form = useContractForm('auth.resetPassword', {
    values: { newPassword: '' },
    invalidates: [],
    toBody: (values) => ({ ...values, token }),
    onDone: () => setDone(true),
  });
  if (done) {
    return (
      <GuestCard title={strings.resetDone} intro={strings.resetDoneText}>
        <ButtonLink kind="primary" to="/sign-in">
          {strings.signIn}
        </ButtonLink>
      </GuestCard>
    );
  }
  return (
    <GuestCard title={strings.resetTitle} below={below}>
      <Form of={form} guards={false} submitLabel={strings.resetSet}>
        <TextField
          name="newPassword"
          type="password"
          label={strings.newPassword}
          hint={strings.passwordHint}
          autoComplete="new-password"
        />
      </Form>
    </GuestCard>
  );
};

export const ResetPasswordScreen = () => {
  const token = useLinkToken();
  return token === '' ? <AskForLink /> : <Choose token={token} />;
};
