import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@parlance/engines';
import { Front } from './front.js';

const parts: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of parts.splice(0)) await stop();
});

/** Answers its name, on a connection of its own for each request or on one that is kept. */
const copyNamed = async (name: string): Promise<number> => {
  const port = await freePort();
  const server = createServer((_, response) => response.end(name));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  parts.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return port;
};

const opened = async (): Promise<{ readonly front: Front; readonly port: number }> => {
  const port = await freePort();
  const front = await Front.listen(port);
  parts.unshift(() => front.close());
  return { front, port };
};

/** @returns the name of the copy that answers on a new connection; `none` when it is closed at once */
const ask = async (port: number): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } }).catch(
    () => undefined,
  );
  return (await answer?.text()) ?? 'none';
};

describe('a front', () => {
  it('gives new connections to its copies in turn, and none to a copy that has left', async () => {
    const { front, port } = await opened();
    const [first, second] = [await copyNamed('first'), await copyNamed('second')];
    front.add(first);
    front.add(second);
    expect([await ask(port), await ask(port)].sort()).toEqual(['first', 'second']);
    front.remove(first);
    expect([await ask(port), await ask(port)]).toEqual(['second', 'second']);
    front.remove(second);
    expect(await ask(port)).toBe('none');
    expect(front.refused).toBe(1);
  });

  it('leaves an open connection with its copy when the copy has left', async () => {
    const { front, port } = await opened();
    const first = await copyNamed('first');
    front.add(first);
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    const say = async (): Promise<string> => {
      socket.write('GET / HTTP/1.1\r\nHost: front\r\n\r\n');
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      return chunk.toString();
    };
    expect(await say()).toContain('first');
    front.remove(first);
    expect(await say()).toContain('first');
    socket.destroy();
  });
});
