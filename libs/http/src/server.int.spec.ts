import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { drainDelayOf, listen } from './server.js';

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
