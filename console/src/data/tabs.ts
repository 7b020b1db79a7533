// All tabs of a browser have one session. A tab that changes the session's organization, or ends the session, tells the others. They still
// show the organization before, and a change that they send would go to the new one.
import { createStore } from './store.js';
import type { OperationId } from './types.js';

export type Turn =
  | { readonly kind: 'switched'; readonly organizationId: string }
  | { readonly kind: 'signedOut' };

/** The turn that another tab has taken, by which this page is out of date. */
export const turned = createStore<Turn | undefined>(undefined);

let shared: BroadcastChannel | undefined;
/** One for the tab, so that it does not hear itself. */
const channel = (): BroadcastChannel => {
  shared ??= new BroadcastChannel('parlance-session');
  return shared;
};

const turnOf = (id: OperationId, parts: unknown): Turn | undefined => {
  if (id === 'auth.signOut') return { kind: 'signedOut' };
  if (id !== 'auth.organizationSetActive') return undefined;
  const { body } = parts as { readonly body?: { readonly organizationId?: unknown } }; // parts of this operation
  return typeof body?.organizationId === 'string'
    ? { kind: 'switched', organizationId: body.organizationId }
    : undefined;
};

/** Tells the other tabs where the request, which the platform has done, has changed the session. */
export const announce = (id: OperationId, parts: unknown): void => {
  const turn = turnOf(id, parts);
  if (turn !== undefined) channel().postMessage(turn);
};

/**
 * Hears the turns of other tabs.
 * @param ownOrganization the one that this page is about
 * @returns ends it
 */
export const hearTurns = (ownOrganization: () => string | undefined): (() => void) => {
  channel().onmessage = ({ data }: MessageEvent<Turn>) => {
    const isBack = data.kind === 'switched' && data.organizationId === ownOrganization();
    turned.set(isBack ? undefined : data);
  };
  return () => {
    channel().onmessage = null;
    turned.set(undefined);
  };
};

/** Resolves once the page is about the session's organization: at once as a rule. */
export const untilOwnTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (turned.get() === undefined) {
      resolve();
      return;
    }
    const end = turned.subscribe(() => {
      if (turned.get() !== undefined) return;
      end();
      resolve();
    });
  });
