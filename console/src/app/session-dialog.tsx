// Over a page whose session has ended: after the sign-in everything goes on where it was.
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { sessionIsLost } from '../data/session-loss.js';
import { useStore } from '../data/store.js';
import { turned } from '../data/tabs.js';
import { appStrings as strings } from '../strings/app.js';
import { useSession } from './session.js';
import { untilLoaded } from './until-loaded.js';

const load = async () => (await import('./sign-in-again.js')).SignInAgain;
type SignInAgain = Awaited<ReturnType<typeof load>>;

/** After the first screen, and long before a session ends. */
const fetchAfterMs = 5_000;

export const SessionDialog = () => {
  const isLost = useStore(sessionIsLost);
  const hasTurned = useStore(turned) !== undefined;
  const session = useSession();
  const before = useRef(session);
  if (!isLost) before.current = session;
  const [form, setForm] = useState<{ readonly Shown: SignInAgain }>();
  const [hasFailed, setFailed] = useState(false);
  // A newer release may have replaced the file by the time that a session ends, so the page has it before. A file that does not come is
  // no failure of the screen below, which may have a form with everything typed.
  useEffect(() => {
    const ending = new AbortController();
    const loading = untilLoaded(load, isLost ? 0 : fetchAfterMs, ending.signal, () => setFailed(true));
    void loading.then((Shown) => Shown !== undefined && setForm({ Shown }));
    return () => ending.abort();
  }, [isLost]);
  // Another tab has ended the session itself: the dialog about that says more.
  if (!isLost || hasTurned) return null;
  if (form !== undefined) return <form.Shown before={before.current} />;
  return hasFailed ? (
    <Dialog
      open
      closable={false}
      onClose={() => undefined}
      title={strings.sessionOver}
      text={strings.sessionOverComing}
    />
  ) : null;
};
