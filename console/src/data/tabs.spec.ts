// A tab sends no change to an organization that another tab has chosen.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { announce, hearTurns, turned, untilOwnTurn } from './tabs.js';

const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel');
const told: unknown[] = [];
let hear = (_: unknown): void => undefined;

/** The channel of this tab; the test speaks for the others. */
class Channel {
  set onmessage(heard: ((event: { readonly data: unknown }) => void) | null) {
    hear = (data) => heard?.({ data });
  }
  postMessage(data: unknown): void {
    told.push(data);
  }
}

describe('tabs with one session', () => {
  beforeAll(() => {
    Reflect.defineProperty(globalThis, 'BroadcastChannel', { value: Channel, configurable: true });
  });
  afterAll(() => {
    if (before !== undefined) Reflect.defineProperty(globalThis, 'BroadcastChannel', before);
  });

  it('tell each other the sign-out and another organization, and nothing else', () => {
    announce('agents.create', { body: {} });
    announce('auth.organizationSetActive', { body: { organizationId: 'b' } });
    announce('auth.signOut', {});
    expect(told).toEqual([{ kind: 'switched', organizationId: 'b' }, { kind: 'signedOut' }]);
  });

  it('hold changes back while another one works in another organization', async () => {
    const end = hearTurns(() => 'a');
    await untilOwnTurn();
    hear({ kind: 'switched', organizationId: 'b' });
    let isSent = false;
    const sending = untilOwnTurn().then(() => {
      isSent = true;
    });
    hear({ kind: 'switched', organizationId: 'c' });
    await Promise.resolve();
    expect([isSent, turned.get()]).toEqual([false, { kind: 'switched', organizationId: 'c' }]);
    hear({ kind: 'switched', organizationId: 'a' });
    await sending;
    expect(turned.get()).toBeUndefined();
    end();
  });
});
