// Over a page whose session has ended: after the sign-in everything goes on where it was.
import { useRef } from 'react';
import { Dialog } from '../components/dialog.js';
import { operationQuery, queryClient } from '../data/queries.js';
import { restoreSession, sessionIsLost } from '../data/session-loss.js';
import { useStore } from '../data/store.js';
import { appStrings as strings } from '../strings/app.js';
import { type Session, useSession } from './session.js';
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

export const SessionDialog = () => {
  const isLost = useStore(sessionIsLost);
  const session = useSession();
  const before = useRef(session);
  if (!isLost) before.current = session;
  return (
    <Dialog
      open={isLost}
      closable={false}
      onClose={() => undefined}
      title={strings.sessionOver}
      text={strings.sessionOverText}
    >
      <SignInForm email={before.current?.user.email ?? ''} onDone={() => goOn(before.current)} />
    </Dialog>
  );
};
