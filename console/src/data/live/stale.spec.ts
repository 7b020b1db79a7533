// Live events neither cut an answer off that is on its way, nor get lost behind it.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { makeStale } from './stale.js';

/** The library tells its followers by timers. */
const settled = (): Promise<void> => jest.advanceTimersByTimeAsync(1);

describe('an answer that a live event makes stale', () => {
  let client = new QueryClient();
  let end = (): void => undefined;
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    end();
    client.clear();
    jest.useRealTimers();
  });

  /** A page that shows the answer; each question waits in the list until it is answered. */
  const show = (meta?: Readonly<Record<string, unknown>>) => {
    client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 15_000 } } });
    const asked: { readonly answer: (text: string) => void; readonly signal: AbortSignal }[] = [];
    const observer = new QueryObserver(client, {
      queryKey: ['calls.list', {}],
      queryFn: ({ signal }) => new Promise<string>((answer) => asked.push({ answer, signal })),
      ...(meta === undefined ? {} : { meta }),
    });
    end = observer.subscribe(() => undefined);
    return { asked, shown: () => observer.getCurrentResult().data };
  };
  const isCall = ([id]: readonly unknown[]): boolean => id === 'calls.list';

  it('arrives although events come while it is on its way, and is asked once more for all of them', async () => {
    const { asked, shown } = show();
    asked[0]?.answer('first');
    await settled();
    for (let event = 0; event < 5; event += 1) void makeStale(client, isCall);
    await settled();
    for (let event = 0; event < 5; event += 1) void makeStale(client, isCall);
    await settled();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    asked[1]?.answer('second');
    await settled();
    expect(shown()).toBe('second');
    expect(asked).toHaveLength(3);
    asked[2]?.answer('third');
    await settled();
    expect([shown(), asked.length]).toEqual(['third', 3]);
  });

  it('stays where it is asked once', async () => {
    const { asked } = show({ once: true });
    asked[0]?.answer('first');
    await settled();
    await makeStale(client, isCall);
    await settled();
    expect(asked).toHaveLength(1);
  });
});
