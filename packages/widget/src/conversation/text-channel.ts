// A text conversation: each message is a request, and its answer comes as a stream. Messages go one after the other, because the
// platform refuses one while it answers another. A message that may have arrived is never sent again by itself.
import { serverEvents } from '../wire/event-stream.js';
import type { Platform } from '../wire/platform.js';
import { Refusal } from '../wire/refusal.js';
import type { Session } from '../wire/shapes.js';
import type { Channel, ChannelEvents } from './channel.js';

/** A message waits this long for a network that is gone. */
const patienceMs = 60_000;
/** Codes after which no message of this session will be answered. */
const overCodes: readonly string[] = ['INVALID_END_TOKEN', 'WIDGET_NOT_FOUND', 'NOT_FOUND', 'SESSION_ENDED'];

export interface TextCall {
  readonly platform: Pick<Platform, 'say'>;
  readonly session: Session;
  readonly events: ChannelEvents;
}

/** Resolves to false when the network has not come back in time. */
const online = (signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isOnline: boolean) => () => {
      clearTimeout(timer);
      removeEventListener('online', found);
      resolve(isOnline);
    };
    const found = settle(true);
    const timer = setTimeout(settle(false), patienceMs);
    addEventListener('online', found);
    signal.addEventListener('abort', settle(false), { once: true });
  });

interface Answer {
  readonly delta?: string;
  readonly turn?: { readonly text: string };
  readonly code?: string;
  readonly message?: string;
}

export const textChannel = ({ platform, session, events }: TextCall): Channel => {
  const run = new AbortController();
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();

  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    count += 1;
    const line = { id: `answer-${count}`, side: 'agent' } as const;
    let text = '';
    for await (const { name, data } of serverEvents(body)) {
      const answer = JSON.parse(data) as Answer; // events of the platform's contract
      if (name === 'error') throw new Refusal(answer.code ?? 'SERVICE_UNAVAILABLE', answer.message ?? '');
      if (name === 'text') {
        text += answer.delta ?? '';
        events.agent('speaking');
        events.line({ ...line, text, final: false });
      }
      if (name === 'done') {
        events.line({ ...line, text: answer.turn?.text ?? text, final: true });
        return;
      }
    }
    // Cut off: the received text stays, and the visitor decides whether to ask again.
    if (text !== '') events.line({ ...line, text, final: true });
    throw new Refusal('NETWORK', 'The answer was cut off.');
  };

  const deliver = async (text: string): Promise<boolean> => {
    if (!navigator.onLine) {
      events.lost();
      if (!(await online(run.signal))) return false;
      events.recovered();
    }
    if (run.signal.aborted) return false;
    events.agent('thinking');
    try {
      await read(await platform.say(session, text, run.signal));
      return true;
    } catch (error) {
      if (error instanceof Refusal && overCodes.includes(error.code)) events.closed('agent');
      return false;
    } finally {
      events.agent('listening');
    }
  };

  return {
    send: (text) => {
      const sent = last.then(() => deliver(text));
      last = sent;
      return sent;
    },
    close: () => run.abort(),
  };
};
