import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { mongoGuard } from './mongo.js';

/** The error of a socket that is written to after the other side has ended. */
const writtenTooLate = async (): Promise<unknown> => {
  const server = createServer((there) => there.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // of a server that listens on TCP
  const socket = connect(address.port, '127.0.0.1').resume();
  await once(socket, 'end');
  socket.write('too late');
  const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(30_000) }).catch((thrown) => [
    thrown,
  ]);
  server.close();
  return error;
};

describe('failures of MongoDB', () => {
  it('that are those of a connection which the server ends in the middle of a command are an outage, not a bug', async () => {
    const thrown = await writtenTooLate();
    expect(thrown).toMatchObject({ code: 'EPIPE' });
    await expect(mongoGuard(() => Promise.reject(thrown))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      retryAfterSeconds: 1,
    });
  });

  it('that are nobody else’s fault stay what they are', async () => {
    const duplicate = new MongoServerError({ message: 'E11000', code: 11_000 });
    await expect(mongoGuard(() => Promise.reject(duplicate))).rejects.toBe(duplicate);
    const bug = new TypeError('x is not a function');
    await expect(mongoGuard(() => Promise.reject(bug))).rejects.toBe(bug);
  });
});
