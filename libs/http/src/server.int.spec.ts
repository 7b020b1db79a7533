import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { arrivalLimitMs } from '@parlance/contracts';
import { drainDelayOf, type HttpServer, listen } from './server.js';

const connected = async (url: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
};

describe('a server that closes', () => {
  it('answers the request that is under way, and waits for no connection that was opened ahead of requests', async () => {
    const server = await listen('127.0.0.1', 0);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      server.serve((_, response) => {
        answer = () => response.end('late');
        resolve();
      });
    });
    const ahead = await connected(server.url);
    const answered = fetch(server.url);
    await asked;
    const closing = server.close();
    // The server closes it while the request is still under way, and not because a time limit cuts everything.
    ahead.resume();
    await once(ahead, 'close');
    answer();
    expect(await (await answered).text()).toBe('late');
    await closing;
  });

  it('has told clients to let go of idle connections sooner than it stops draining in production', async () => {
    const server = await listen('127.0.0.1', 0);
    server.serve((_, response) => response.end());
    const before = await fetch(server.url);
    server.drain();
    const draining = await fetch(server.url);
    await server.close();
    const seconds = Number(before.headers.get('keep-alive')?.match(/^timeout=(\d+)$/)?.[1]);
    expect(seconds * 1_000).toBeLessThan(drainDelayOf({ NODE_ENV: 'production' }));
    expect(draining.headers.get('connection')).toBe('close');
    expect(draining.headers.has('keep-alive')).toBe(false);
  });
});

const minute = 60_000;

/** The timers of the server follow the test. Sockets go on by themselves. */
const holdTime = (): void => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
};

const turnsOfTheLoop = async (turns = 20): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Sends these bytes, and resolves with the connection when the server has them. */
const saying = async (server: HttpServer, text: string): Promise<Socket> => {
  const socket = await connected(server.url);
  socket.write(text);
  await turnsOfTheLoop();
  return socket;
};

const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

describe('a server that closes with five minutes for its requests', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const serving = async (listener: RequestListener): Promise<HttpServer> => {
    const server = await listen('127.0.0.1', 0, { finishWithinMs: 5 * minute });
    server.serve(listener);
    return server;
  };

  it('answers a request that takes four of them', async () => {
    let answer = (): void => undefined;
    const server = await serving((_, response) => {
      answer = () => response.end('late');
    });
    holdTime();
    const asking = await saying(server, request);
    const closing = server.close();
    await jest.advanceTimersByTimeAsync(4 * minute);
    answer();
    const [answered] = await once(asking, 'data');
    expect(String(answered)).toContain('late');
    await closing;
  });

  it('cuts a request that takes longer', async () => {
    const server = await serving(() => undefined);
    holdTime();
    const asking = await saying(server, request);
    const closing = server.close();
    await jest.advanceTimersByTimeAsync(5 * minute);
    asking.resume();
    await once(asking, 'close');
    await closing;
  });

  it('leaves at once when nothing is under way, although connections are kept for later', async () => {
    const server = await serving((_, response) => response.end());
    holdTime();
    const kept = await saying(server, request);
    kept.resume();
    await server.close();
  });

  it('waits for no request that does not arrive whole', async () => {
    const server = await serving(() => undefined);
    holdTime();
    const slow = await saying(server, 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nab');
    const slower = await saying(server, 'GET / HT');
    const closing = server.close();
    await jest.advanceTimersByTimeAsync(arrivalLimitMs + 1_000);
    for (const socket of [slow, slower]) socket.resume();
    await closing;
  });

  it('waits for no reader that takes nothing', async () => {
    const server = await serving((_, response) => response.end(Buffer.alloc(64 * 1_024 * 1_024)));
    holdTime();
    const reader = await connected(server.url);
    reader.pause().write(request);
    await turnsOfTheLoop();
    const closing = server.close();
    await jest.advanceTimersByTimeAsync(minute);
    await closing;
    reader.destroy();
  });
});
