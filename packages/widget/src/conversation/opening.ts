// Opens a session, and waits in the queue for it where the platform keeps one.
import type { Platform } from '../wire/platform.js';
import { Refusal } from '../wire/refusal.js';
import type { QueuePlace, Session, SessionWish } from '../wire/shapes.js';

/** Short failures, which cost no visitor the place. */
const passing: readonly string[] = ['NETWORK', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'];
const waitSeconds = { least: 1, usual: 5, most: 20 } as const;

export interface Opening {
  readonly platform: Pick<Platform, 'open'>;
  /** Read at each request, because a token of the site can run out while its visitor waits. */
  wish(): SessionWish;
  readonly signal: AbortSignal;
  /** Told at each answer that names a place in the queue. */
  queued(place: QueuePlace): void;
  /** Told when a visitor who waited has got a session. */
  admitted(): void;
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    signal.addEventListener('abort', stop, { once: true });
  });

/** The platform names the time after which to ask again; a ticket that is not shown for 30 s loses its place. */
const secondsUntilNext = ({ retryAfterSeconds = waitSeconds.usual }: Refusal): number =>
  Math.min(Math.max(retryAfterSeconds, waitSeconds.least), waitSeconds.most);

/** @throws Refusal for every answer but a place in the queue; the reason of `signal` when it aborts */
export const openSession = async ({
  platform,
  wish,
  signal,
  queued,
  admitted,
}: Opening): Promise<Session> => {
  let ticket: string | undefined;
  for (;;) {
    try {
      const session = await platform.open(
        ticket === undefined ? wish() : { ...wish(), queueTicket: ticket },
        signal,
      );
      if (ticket !== undefined) admitted();
      return session;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Refusal)) throw error;
      const isPassing = ticket !== undefined && passing.includes(error.code);
      // A page that slept for too long, or missed the answer that let it in, begins at the end of the queue.
      const isLost = ticket !== undefined && error.code === 'QUEUE_PLACE_LOST';
      if (error.queue === undefined && !isPassing && !isLost) throw error;
      if (isLost) ticket = undefined;
      if (error.queue !== undefined) {
        ticket = error.queue.ticket;
        queued(error.queue);
      }
      await pause(secondsUntilNext(error), signal);
    }
  }
};
