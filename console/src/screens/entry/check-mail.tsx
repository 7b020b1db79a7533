import { GuestCard } from '../../app/guest-card.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ErrorNote } from '../../components/error-note.js';
import { useCommand } from '../../data/commands.js';
import { entryStrings as strings } from '../../strings/entry.js';

/** After a sign-up whose address has to be verified. */
export const CheckMail = ({ email }: { readonly email: string }) => {
  const again = useCommand('auth.sendVerificationEmail', { invalidates: [] });
  return (
    <GuestCard title={strings.verifyTitle} intro={strings.verifyText(email)}>
      <p role="status">{again.isSuccess ? strings.sent : ''}</p>
      {again.error && <ErrorNote error={again.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button busy={again.isPending} onClick={() => again.mutate({ body: { email } })}>
          {strings.sendAgain}
        </Button>
        <ButtonLink kind="primary" to="/sign-in">
          {strings.signIn}
        </ButtonLink>
      </div>
    </GuestCard>
  );
};
