// Over a page whose session has ended: after the sign-in everything goes on where it was.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { sessionIsLost } from '../data/session-loss.js';
import { useStore } from '../data/store.js';
import { useSession } from './session.js';

const load = () => import('./sign-in-again.js');
const SignInAgain = lazy(async () => ({ default: (await load()).SignInAgain }));

/** After the first screen, and long before a session ends. */
const fetchAfterMs = 5_000;

export const SessionDialog = () => {
  const isLost = useStore(sessionIsLost);
  const session = useSession();
  const before = useRef(session);
  if (!isLost) before.current = session;
  // A newer release may have replaced the file by the time that a session ends, so the page has it before.
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), fetchAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLost) return null;
  return (
    <Suspense>
      <SignInAgain before={before.current} />
    </Suspense>
  );
};
