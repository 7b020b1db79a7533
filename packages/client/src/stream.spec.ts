import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from './client.js';
import type { ClientOptions } from './method/options.js';
import { ScriptedBody } from './testing/scripted-body.js';
import { type Reply, ScriptedServer } from './testing/scripted-server.js';
import { isApiError } from './transport/api-error.js';
import type { Operation } from './transport/operation.js';
import { open } from './transport/stream.js';

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const feed: Operation = {
  ...{ id: 'sample.feed', method: 'GET', path: '/feed', hasBody: false, takesIdempotencyKey: false },
  ...{ isStream: true, isText: false, isList: false, isBare: false },
};
const options = (more: Partial<ClientOptions> = {}): ClientOptions => ({
  ...{ baseUrl: server.baseUrl, retryDelayMs: 1, retries: 2 },
  ...more,
});
const streamOf = (text: string, more: Partial<Reply> = {}): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: text,
  ...more,
});
const event = (id: number): string => `id: ${id}\nevent: tick\ndata: {"n":${id}}\n\n`;
const failure = (code: string): string =>
  `event: error\ndata: ${JSON.stringify({ code, message: 'No.', requestId: 'r-2' })}\n\n`;

/** The data of the events, and the name or code of the failure at the end. */
const readAll = async (
  stream: Promise<AsyncIterable<unknown>>,
  most = Number.POSITIVE_INFINITY,
): Promise<unknown[]> => {
  const found: unknown[] = [];
  try {
    for await (const one of await stream) {
      found.push(Reflect.get(Object(one), 'data'));
      if (found.length >= most) break;
    }
  } catch (error) {
    found.push(isApiError(error) ? error.code : Reflect.get(Object(error), 'name'));
  }
  return found;
};

describe('a stream that is read', () => {
  it('goes on after the last event that arrived when its connection breaks', async () => {
    server.replies.push(streamOf(event(1) + event(2), { breaks: true }), streamOf(event(3)));
    expect(await readAll(open(options(), feed, {}, {}), 3)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(server.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2']);
  });

  it('goes on when the platform ends the connection, as it does before a restart', async () => {
    server.replies.push(streamOf(event(1)), { status: 503, body: '' }, streamOf(event(2)));
    expect(await readAll(open(options(), feed, {}, {}), 2)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(server.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1']);
  });

  it('ends with the failure when no further connection gives an event', async () => {
    const gone = streamOf('');
    server.replies.push(streamOf(event(1)), gone, gone, gone);
    expect(await readAll(open(options(), feed, {}, {}))).toEqual([{ n: 1 }, 'TypeError']);
    expect(server.seen).toHaveLength(3);
  });

  it('ends with a refusal that will not pass', async () => {
    server.replies.push(streamOf(event(1), { breaks: true }), {
      ...{ status: 401 },
      body: { success: false, message: 'No.', error: { code: 'UNAUTHENTICATED', requestId: 'r' } },
    });
    expect(await readAll(open(options(), feed, {}, {}))).toEqual([{ n: 1 }, 'UNAUTHENTICATED']);
  });

  it('is read once where repetitions are off', async () => {
    server.replies.push(streamOf(event(1)));
    expect(await readAll(open(options({ retries: 0 }), feed, {}, {}))).toEqual([{ n: 1 }]);
    expect(server.seen).toHaveLength(1);
  });

  it('ends when the platform is silent for too long', async () => {
    const silent: typeof fetch = async (_url, init) =>
      new Response(
        new ReadableStream({
          start: (controller) =>
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
        }),
      );
    const impatient = options({ fetch: silent, timeoutMs: 20, retries: 0 });
    expect(await readAll(open(impatient, feed, {}, {}))).toEqual(['TimeoutError']);
  });
});

describe('a sign of life of the platform', () => {
  const beat = (id: number): string => `:\nid: ${id}\n\n`;
  const resumedFrom = async (text: string): Promise<unknown> => {
    server.reset();
    server.replies.push(streamOf(text, { breaks: true }), streamOf(event(9)));
    const data = await readAll(open(options(), feed, {}, {}), text.split('data:').length);
    return [data.length, server.seen[1]?.headers['last-event-id']];
  };

  it('moves the place from which the stream goes on', async () => {
    expect(await resumedFrom(event(1) + beat(4))).toEqual([2, '4']);
    expect(await resumedFrom(event(1) + beat(4).replaceAll('\n', '\r\n'))).toEqual([2, '4']);
    expect(await resumedFrom(`${beat(4)}${event(5)}:\n\n`)).toEqual([2, '5']);
  });

  it('that has not arrived whole does not', async () => {
    expect(await resumedFrom(`${event(1)}:\nid: 4\n`)).toEqual([2, '1']);
  });
});

describe('the longest silence', () => {
  afterEach(() => {
    jest.useRealTimers();
  });
  /** An hour that goes by for the client; what has arrived meanwhile is still unread. */
  const anHour = (): void => void jest.advanceTimersByTime(3_600_000);

  it('does not run while the program handles an event, and runs again while the client waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const body = new ScriptedBody();
    const events = await open(options({ fetch: body.fetch, timeoutMs: 30_000, retries: 0 }), feed, {}, {});
    const reader = events[Symbol.asyncIterator]();
    anHour(); // before the loop begins
    body.arrives(event(1) + event(2));
    expect(await reader.next()).toMatchObject({ value: { data: { n: 1 } } });
    anHour();
    expect(await reader.next()).toMatchObject({ value: { data: { n: 2 } } });
    anHour();
    expect(body.isEnded).toBe(false);
    const waiting = reader.next();
    // One turn of the loop later the client waits.
    await new Promise(setImmediate);
    jest.advanceTimersByTime(30_000);
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a streamed answer to a message', () => {
  const send = () =>
    createClient(options()).widgets.sendMessage({
      params: { widgetId: 'w', sessionId: 's' },
      body: { endToken: 'e', text: 'Hi' },
    });

  it('is never asked for twice', async () => {
    server.replies.push(streamOf('event: text\ndata: {"delta":"Hel"}\n\n', { breaks: true }));
    expect(await readAll(send())).toEqual([{ delta: 'Hel' }, 'TypeError']);
    expect(server.seen).toHaveLength(1);
  });

  it('throws the failure with which the platform ends it', async () => {
    server.replies.push(streamOf(failure('RUNTIME_UNAVAILABLE')));
    await expect(send().then((events) => events[Symbol.asyncIterator]().next())).rejects.toMatchObject({
      ...{ code: 'RUNTIME_UNAVAILABLE', status: 503, retryable: true, requestId: 'r-2' },
    });
  });
});
