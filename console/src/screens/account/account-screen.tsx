// A person's own account.
import { useSession } from '../../app/session.js';
import { Card, Facts } from '../../components/card.js';
import { Page } from '../../components/page.js';
import { Loading } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { accountStrings as strings } from '../../strings/account.js';
import { DeleteAccountCard } from './delete-account-card.js';
import { SecondFactorCard } from './second-factor-card.js';
import { SessionsCard } from './sessions-card.js';

const NameForm = ({ name }: { readonly name: string }) => {
  const form = useContractForm('auth.updateUser', {
    values: { name },
    invalidates: ['auth.getSession'],
    onDone: () => toast.done(strings.nameSaved),
  });
  return (
    <Form of={form} submitLabel={strings.saveName} onlyChanges>
      <TextField name="name" label={strings.name} autoComplete="name" />
    </Form>
  );
};

const empty = { currentPassword: '', newPassword: '' };

const PasswordForm = () => {
  const form = useContractForm('auth.changePassword', {
    values: empty,
    invalidates: ['auth.listSessions', 'auth.getSession'],
    onDone: () => {
      form.form.reset(empty);
      toast.done(strings.passwordChanged);
    },
  });
  return (
    <Form of={form} guards={false} submitLabel={strings.changePassword}>
      <TextField
        name="currentPassword"
        type="password"
        label={strings.currentPassword}
        autoComplete="current-password"
      />
      <TextField
        name="newPassword"
        type="password"
        label={strings.newPassword}
        hint={strings.newPasswordHint}
        autoComplete="new-password"
      />
    </Form>
  );
};

export const AccountScreen = () => {
  const session = useSession();
  return (
    <Page title={strings.title}>
      {session === undefined ? (
        <Loading />
      ) : (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Card title={strings.profile}>
            <div className="flex flex-col gap-4">
              <Facts facts={[{ name: strings.email, value: session.user.email }]} />
              <NameForm name={session.user.name} />
            </div>
          </Card>
          <Card title={strings.password}>
            <PasswordForm />
          </Card>
          <SecondFactorCard isOn={session.user.twoFactorEnabled === true} />
          <DeleteAccountCard hasSecondFactor={session.user.twoFactorEnabled === true} />
        </div>
      )}
      <SessionsCard />
    </Page>
  );
};
