// After an interruption nothing is missed in silence, also where no event came before it.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { follow, type Told } from './leader.js';

const fetching = jest.spyOn(globalThis, 'fetch');
const before = (['navigator', 'BroadcastChannel'] as const).map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);
const replace = (name: string, value: unknown): boolean =>
  Reflect.defineProperty(globalThis, name, { value, configurable: true });

/** Tabs of one browser: a message of one reaches all others of the name. */
class TabChannel {
  static readonly open = new Set<TabChannel>();
  onmessage: ((event: { readonly data: Told }) => void) | null = null;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    TabChannel.open.add(this);
  }

  postMessage(data: Told): void {
    for (const other of TabChannel.open)
      if (other !== this && other.#name === this.#name)
        void Promise.resolve().then(() => other.onmessage?.({ data }));
  }

  close(): void {
    TabChannel.open.delete(this);
  }
}

/** A stream that opens, and then is cut. */
const cutAfterOpen = (id: string, resumed: boolean): Response =>
  new Response(`id: ${id}\nevent: open\ndata: {"resumed":${resumed}}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });

describe('tabs that follow the events of an organization', () => {
  let heard: Told[] = [];
  const ends: (() => void)[] = [];
  beforeEach(() => {
    heard = [];
    fetching.mockReset();
    // A browser without locks.
    replace('navigator', {});
    replace('BroadcastChannel', TabChannel);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    jest.useRealTimers();
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Reflect.defineProperty(globalThis, name, descriptor);
  });
  const listen = (organizationId: string): void => {
    ends.push(follow(organizationId, (told) => heard.push(told)));
  };
  const afters = (): readonly (string | null)[] =>
    fetching.mock.calls.map(([url]) => new URL(String(url)).searchParams.get('after'));

  it('take the stream up after the id of its beginning, where no event has come', async () => {
    fetching.mockImplementation(async (url) => {
      const isFirst = fetching.mock.calls.length === 1;
      if (isFirst || String(url).includes('after=')) return cutAfterOpen('7', !isFirst);
      throw new TypeError('Failed to fetch'); // for longer than the client tries by itself
    });
    listen('quiet');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(afters()[0]).toBeNull();
    expect(afters()).toContain('7');
    expect(heard.filter(({ kind }) => kind === 'reload')).toEqual([]);
  });

  it('ask for everything when a stream after the first one takes nothing up', async () => {
    fetching.mockImplementation(async () => cutAfterOpen('7', false));
    listen('forgotten');
    await jest.advanceTimersByTimeAsync(10_000);
    // The first stream takes nothing up either, and nothing was missed before it.
    expect(heard.slice(0, 3).map(({ kind }) => kind)).toEqual(['stream', 'stream', 'reload']);
  });

  it('go on after the last id of the others, when the reading of the stream comes to them', async () => {
    jest.useRealTimers();
    let grant = (): void => undefined;
    const granted = new Promise<void>((resolve) => {
      grant = resolve;
    });
    const locks = {
      request: async (_name: string, _options: object, run: () => Promise<void>) => granted.then(run),
    };
    replace('navigator', { locks });
    fetching.mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    );
    const leader = new TabChannel('parlance-live-shared');
    ends.push(() => leader.close());
    // The answer of a leader to the hello of a new tab.
    leader.onmessage = () => leader.postMessage({ kind: 'stream', isOpen: true, id: '8' } satisfies Told);
    listen('shared');
    await eventually(async () => expect(heard).toHaveLength(1));
    grant();
    await eventually(async () => expect(afters()).toEqual(['8']));
  });
});
