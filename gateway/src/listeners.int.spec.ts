import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { bind, closeAll, listenersOf } from './listeners.js';

afterEach(() => {
  jest.useRealTimers();
});

it('a gateway that leaves answers a request as late as the slowest tool allows, on each of its listeners', async () => {
  const env = { HOST: '127.0.0.1', PORT: 0, INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: 0 };
  const listeners = await bind(env);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
  const finishes: (() => void)[] = [];
  const clients = await Promise.all(
    listenersOf(listeners).map(async (server) => {
      const asked = new Promise<void>((resolve) => {
        server.serve((_, response) => {
          finishes.push(() => response.end('late'));
          resolve();
        });
      });
      const client = connect(Number(new URL(server.url).port), '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      await asked;
      return client;
    }),
  );
  const closing = closeAll(listeners);
  await jest.advanceTimersByTimeAsync(contract.mcpExecute.answerWithinMs);
  for (const finish of finishes) finish();
  for (const [answer] of await Promise.all(clients.map((client) => once(client, 'data'))))
    expect(String(answer)).toContain('late');
  await closing;
});
