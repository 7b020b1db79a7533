import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { GuestCard } from '../../app/guest-card.js';
import { useHistoryStep } from '../../app/history-step.js';
import { forgetEverything } from '../../app/session.js';
import { SignInForm } from '../../app/sign-in-form.js';
import { entryStrings as strings } from '../../strings/entry.js';

const route = getRouteApi('/guest/sign-in');

export const SignInScreen = () => {
  const { next = '/' } = route.useSearch();
  const router = useRouter();
  const codeStep = useHistoryStep('code');
  const goOn = (): Promise<void> => {
    forgetEverything();
    return router.navigate({ href: next, replace: true });
  };
  return (
    <GuestCard
      title={strings.signIn}
      below={
        <>
          <Link to="/account/reset-password" className="link self-start">
            {strings.forgotten}
          </Link>
          <Link to="/sign-up" className="link self-start">
            {strings.signUp}
          </Link>
          <Link to="/set-up" className="link self-start">
            {strings.firstStart}
          </Link>
        </>
      }
    >
      <SignInForm codeStep={codeStep} onDone={goOn} />
    </GuestCard>
  );
};
