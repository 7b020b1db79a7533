import { Link, useRouter } from '@tanstack/react-router';
import { GuestCard } from '../../app/guest-card.js';
import { useHistoryStep } from '../../app/history-step.js';
import { forgetEverything, useSession } from '../../app/session.js';
import { SignInForm } from '../../app/sign-in-form.js';
import { Button } from '../../components/button.js';
import { ErrorNote } from '../../components/error-note.js';
import { Loading } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { invalidate, useOperation } from '../../data/queries.js';
import { entryStrings as strings } from '../../strings/entry.js';
import { useLinkToken } from './link-token.js';

const Answer = ({ id, email }: { readonly id: string; readonly email: string }) => {
  const router = useRouter();
  const invitation = useOperation('auth.organizationGetInvitation', { query: { id } });
  const accept = useCommand('auth.organizationAcceptInvitation', { invalidates: [] });
  const reject = useCommand('auth.organizationRejectInvitation', { invalidates: [] });
  const setActive = useCommand('auth.organizationSetActive', { invalidates: [] });
  const signOut = useCommand('auth.signOut', { invalidates: ['auth.'] });
  const leave = async (text: string): Promise<void> => {
    forgetEverything();
    toast.done(text);
    await router.navigate({ to: '/', replace: true });
  };
  const join = async (): Promise<void> => {
    const { data } = await accept.mutateAsync({ body: { invitationId: id } });
    await setActive.mutateAsync({ body: { organizationId: data.member.organizationId } });
    await leave(strings.joined(invitation.data?.organizationName ?? ''));
  };
  const decline = async (): Promise<void> => {
    await reject.mutateAsync({ body: { invitationId: id } });
    await leave(strings.declined);
  };
  const error = invitation.error ?? accept.error ?? reject.error ?? setActive.error;
  const { data } = invitation;
  return (
    <GuestCard
      title={strings.invitationTitle}
      intro={data && strings.invitationText(data.organizationName ?? '', data.role ?? '')}
      below={
        <p>
          {strings.signedInAs(email)}{' '}
          <button type="button" className="link" onClick={() => signOut.mutate({})}>
            {strings.otherAccount}
          </button>
        </p>
      }
    >
      {invitation.isPending && <Loading lines={1} />}
      {error && <ErrorNote error={error} />}
      {data && (
        <div className="flex justify-end gap-2">
          <Button busy={reject.isPending} onClick={() => void decline().catch(() => undefined)}>
            {strings.decline}
          </Button>
          <Button kind="primary" busy={accept.isPending} onClick={() => void join().catch(() => undefined)}>
            {strings.join}
          </Button>
        </div>
      )}
    </GuestCard>
  );
};

export const InvitationScreen = () => {
  const id = useLinkToken();
  const codeStep = useHistoryStep('code');
  const asked = useOperation('auth.getSession', {});
  const session = useSession();
  if (id === '') return <GuestCard title={strings.invitationTitle} intro={strings.noInvitation} />;
  if (asked.isPending) {
    return (
      <GuestCard title={strings.invitationTitle}>
        <Loading lines={2} />
      </GuestCard>
    );
  }
  if (session !== undefined) return <Answer id={id} email={session.user.email} />;
  return (
    <GuestCard
      title={strings.invitationTitle}
      intro={strings.invitationSignIn}
      below={
        <Link to="/sign-up" target="_blank" className="link self-start">
          {strings.signUp}
        </Link>
      }
    >
      <SignInForm codeStep={codeStep} onDone={() => invalidate('auth.')} />
    </GuestCard>
  );
};
