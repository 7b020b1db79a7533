// One connection for all tabs of a browser: the tab that holds the lock reads the stream, and tells the others. When it is closed, the
// lock goes to another tab, which goes on after the last event that it has heard of.
import { createClient, isApiError, type LiveEvent } from '@parlance/client';
import { clientOptions } from '../client.js';

/** A message from one tab to the others. */
export type Told =
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id?: string }
  | { readonly kind: 'reload'; readonly id?: string }
  /** Whether the stream is open: so every tab knows whether to ask by the clock. `id` is the last one, also where no event came. */
  | { readonly kind: 'stream'; readonly isOpen: boolean; readonly id?: string }
  /** A tab that has just come asks for that. */
  | { readonly kind: 'hello' };

const client = createClient(clientOptions);

const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The place of this tab in the stream. */
interface Place {
  readonly lastId: () => string | undefined;
  /** False until this tab has heard that a stream is open. */
  readonly hasHeard: () => boolean;
}

const known = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id });

/** Reads the stream until it ends. @throws ApiError; whatever `fetch` throws */
const read = async (place: Place, tell: (told: Told) => void, signal: AbortSignal): Promise<void> => {
  const after = place.lastId();
  const stream = await client.events.stream(after === undefined ? {} : { query: { after } }, { signal });
  for await (const { event, data, id } of stream) {
    if (event === 'open') {
      const isFirst = !place.hasHeard();
      tell({ kind: 'stream', isOpen: true, ...known(id) });
      // A stream that takes nothing up does not tell earlier events: anything may have changed.
      if (!data.resumed && !isFirst) tell({ kind: 'reload', ...known(id) });
    } else if (event === 'reload') tell({ kind: 'reload', ...known(id) });
    else tell({ kind: 'event', event: data, ...known(id) });
  }
};

/** Reads one stream after the other, until the signal. A person who may read nothing has no stream. */
const readOn = async (place: Place, tell: (told: Told) => void, signal: AbortSignal): Promise<void> => {
  let waitMs = shortestWaitMs;
  while (!signal.aborted) {
    const startedAt = Date.now();
    try {
      await read(place, tell, signal);
    } catch (error) {
      if (isApiError(error, 'PERMISSION_DENIED', 'NO_ACTIVE_ORGANIZATION')) return;
    } finally {
      tell({ kind: 'stream', isOpen: false });
    }
    // A stream that held for a while was fine: the next one may come soon.
    waitMs = Date.now() - startedAt > longestWaitMs ? shortestWaitMs : Math.min(waitMs * 2, longestWaitMs);
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
  }
};

/** Hears everything that happens in the organization, in whichever tab the stream is read. */
export const follow = (organizationId: string, hear: (told: Told) => void): (() => void) => {
  const name = `parlance-live-${organizationId}`;
  const channel = new BroadcastChannel(name);
  const ending = new AbortController();
  let lastId: string | undefined;
  let leads = false;
  let isOpen = false;
  let hasHeard = false;
  const place: Place = { lastId: () => lastId, hasHeard: () => hasHeard };
  const take = (told: Told): void => {
    if (ending.signal.aborted) return;
    if (told.kind === 'stream') {
      isOpen = told.isOpen;
      hasHeard ||= isOpen;
    }
    if (told.kind !== 'hello') lastId = told.id ?? lastId;
    hear(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind !== 'hello') take(data);
    else if (leads) channel.postMessage({ kind: 'stream', isOpen, ...known(lastId) } satisfies Told);
  };
  channel.postMessage({ kind: 'hello' } satisfies Told);
  const tell = (told: Told): void => {
    if (ending.signal.aborted) return;
    take(told);
    channel.postMessage(told);
  };
  // Without locks every tab reads a stream of its own, and hears from no other.
  const leading =
    'locks' in navigator
      ? navigator.locks.request(name, { signal: ending.signal }, () => {
          leads = true;
          return readOn(place, tell, ending.signal);
        })
      : readOn(place, take, ending.signal);
  leading.catch(() => undefined); // the signal ended the wait for the lock
  return () => {
    ending.abort();
    channel.close();
  };
};
