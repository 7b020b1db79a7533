// Typed values come back to the person who typed them, and to no other person at the same tab.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { draftOf, dropAllDrafts, guest } from './drafts.js';

const texts = new Map<string, string>();
const stored = (): string => JSON.stringify([...texts]);

describe('a draft', () => {
  beforeEach(() => {
    texts.clear();
    const storage = {
      get length() {
        return texts.size;
      },
      key: (index: number) => [...texts.keys()][index] ?? null,
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => texts.set(key, text),
      removeItem: (key: string) => texts.delete(key),
    };
    Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
  });

  it('comes back to its person after a reload, without the fields that are secret', () => {
    draftOf('secrets.create', 'ada in a').keep({ name: 'KEY', value: 'hush' }, ['value']);
    expect(draftOf('secrets.create', 'ada in a').read()).toEqual({ name: 'KEY' });
    expect(stored()).not.toContain('hush');
  });

  it.each([
    ['another person', 'bob in a'],
    ['the same person in another organization', 'ada in b'],
  ])('is gone, with all others of its person, for %s', (_, owner) => {
    draftOf('agents.create', 'ada in a').keep({ prompt: 'Be kind.' });
    draftOf('outboundCalls.quick', 'ada in a').keep({ phoneNumber: '+14155550100' });
    expect(draftOf('agents.create', owner).read()).toBeUndefined();
    expect(texts.size).toBe(0);
  });

  it('is neither shown to a stranger nor lost, because its person may sign in again', () => {
    draftOf('agents.create', 'ada in a').keep({ prompt: 'Be kind.' });
    expect(draftOf('agents.create', guest).read()).toBeUndefined();
    expect(draftOf('agents.create', 'ada in a').read()).toEqual({ prompt: 'Be kind.' });
  });

  it('of a release that kept no owners belongs to no person', () => {
    texts.set('parlance.draft.agents.create', JSON.stringify({ prompt: 'Be kind.' }));
    expect(draftOf('agents.create', 'ada in a').read()).toBeUndefined();
    expect(texts.size).toBe(0);
  });

  it('is not kept by a form that is still open while its person signs out', () => {
    const open = draftOf('agents.create', 'ada in a');
    dropAllDrafts();
    open.keep({ prompt: 'Be kind.' });
    expect(texts.size).toBe(0);
  });
});
