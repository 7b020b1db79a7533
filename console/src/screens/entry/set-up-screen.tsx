// Making an account: the first one of a platform, which the set-up code lets in, and later ones.
import { isApiError } from '@parlance/client';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { GuestCard } from '../../app/guest-card.js';
import { forgetEverything, readSession } from '../../app/session.js';
import { Notice } from '../../components/status.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { entryStrings as strings } from '../../strings/entry.js';
import { CheckMail } from './check-mail.js';

const empty = { name: '', email: '', password: '', setupCode: '' };
const secrets = ['password', 'setupCode'] as const;

/** @returns the address that a mail went to, once the account is there and is not signed in */
const useSignUp = () => {
  const router = useRouter();
  const [sentTo, setSentTo] = useState<string>();
  const form = useContractForm('auth.signUpEmail', {
    values: empty,
    draft: 'auth.signUpEmail',
    secretFields: secrets,
    invalidates: [],
    toBody: ({ name, email, password }) => ({ name, email, password }),
    headersOf: ({ setupCode }) => (setupCode === '' ? {} : { 'x-setup-code': setupCode.trim() }),
    onDone: async (_answer, { email }) => {
      forgetEverything();
      if ((await readSession()) === undefined) setSentTo(email);
      else await router.navigate({ to: '/', replace: true });
    },
  });
  return { form, sentTo };
};

const Person = () => (
  <>
    <TextField name="name" label={strings.name} autoComplete="name" />
    <TextField name="email" type="email" label={strings.email} autoComplete="username" />
    <TextField
      name="password"
      type="password"
      label={strings.password}
      hint={strings.passwordHint}
      autoComplete="new-password"
    />
  </>
);

const toSignIn = (
  <Link to="/sign-in" className="link self-start">
    {strings.signIn}
  </Link>
);

export const SetUpScreen = () => {
  const { form, sentTo } = useSignUp();
  if (sentTo !== undefined) return <CheckMail email={sentTo} />;
  return (
    <GuestCard title={strings.setUp} intro={strings.setUpText} below={toSignIn}>
      {isApiError(form.error, 'SIGN_UP_CLOSED') && <Notice tone="attention">{strings.setUpClosed}</Notice>}
      <Form of={form} guards={false} submitLabel={strings.setUpAction}>
        <TextField name="setupCode" label={strings.setupCode} mono />
        <Person />
      </Form>
    </GuestCard>
  );
};

export const SignUpScreen = () => {
  const { form, sentTo } = useSignUp();
  if (sentTo !== undefined) return <CheckMail email={sentTo} />;
  return (
    <GuestCard title={strings.signUp} intro={strings.signUpText} below={toSignIn}>
      <Form of={form} guards={false} submitLabel={strings.signUp}>
        <Person />
      </Form>
    </GuestCard>
  );
};
