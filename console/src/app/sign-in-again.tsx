// The dialog over a page whose session has ended. Its form is larger than the whole frame, so it comes as a file of its own.
import { Dialog } from '../components/dialog.js';
import { operationQuery, queryClient } from '../data/queries.js';
import { restoreSession } from '../data/session-loss.js';
import { appStrings as strings } from '../strings/app.js';
import type { Session } from './session.js';
import { SignInForm } from './sign-in-form.js';

const goOn = async (before: Session | undefined): Promise<void> => {
  const now = await queryClient.fetchQuery({ ...operationQuery('auth.getSession', {}), staleTime: 0 });
  const isSame =
    now?.user.id === before?.user.id &&
    (now?.session.activeOrganizationId ?? undefined) === before?.activeOrganizationId;
  // The page belongs to the person and organization that it was made for.
  if (!isSame) location.reload();
  else restoreSession();
};

/** @param before the session that has ended */
export const SignInAgain = ({ before }: { readonly before: Session | undefined }) => (
  <Dialog
    open
    closable={false}
    onClose={() => undefined}
    title={strings.sessionOver}
    text={strings.sessionOverText}
  >
    <SignInForm email={before?.user.email ?? ''} onDone={() => goOn(before)} />
  </Dialog>
);
