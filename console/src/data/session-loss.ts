// A session that ends while somebody works. Requests wait until the person has signed in again, so that no form and no page is lost.
import { createStore } from './store.js';

/** True while the page waits for its person to sign in again. */
export const sessionIsLost = createStore(false);

let expectsSession = false;
let waiting: { readonly restored: Promise<void>; readonly resolve: () => void } | undefined;

/** From now on an answer 401 means that a session has ended, and no longer that nobody has signed in. */
export const expectSession = (expected: boolean): void => {
  expectsSession = expected;
};

/** Resolves when the person has signed in again; undefined where no session was there to lose. */
export const sessionRestored = (): Promise<void> | undefined => {
  if (!expectsSession) return undefined;
  if (waiting === undefined) {
    let resolve = (): void => undefined;
    const restored = new Promise<void>((done) => {
      resolve = done;
    });
    waiting = { restored, resolve };
  }
  sessionIsLost.set(true);
  return waiting.restored;
};

/** Lets the waiting requests go on. */
export const restoreSession = (): void => {
  waiting?.resolve();
  waiting = undefined;
  sessionIsLost.set(false);
};
