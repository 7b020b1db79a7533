// Free TCP ports on loopback, and a plain "does somebody listen there".
import { connect, createServer } from 'node:net';

const tryListen = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(got));
    });
  });

/** Whoever was given one of these may not listen yet: what is free twice must not be given twice. */
const given = new Set<number>();

const anyPort = async (): Promise<number> => {
  for (;;) {
    const port = await tryListen(0);
    if (port === undefined) throw new Error('no free port on 127.0.0.1');
    if (!given.has(port)) return port;
  }
};

/** The preferred port where it is free, else one that is free and that nobody in this process was given before. */
export const freePort = async (preferred?: number): Promise<number> => {
  const port = (preferred === undefined ? undefined : await tryListen(preferred)) ?? (await anyPort());
  given.add(port);
  return port;
};

/** Rejects unless something accepts a connection within two seconds. */
export const reachable = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const settle = (error?: Error): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.once('connect', () => settle());
    socket.once('timeout', () => settle(new Error('timeout')));
    socket.once('error', settle);
  });
