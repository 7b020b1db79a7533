// For tests: a listener that no request may reach. It counts the requests that do.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Connections so far, also those on which nothing was asked. */
  connections(): number;
  stop(): Promise<void>;
}

/** An HTTP server on any free port, or on this one. */
export const listen = async (host: string, answer: RequestListener, port = 0): Promise<Listener> => {
  const server = createServer(answer);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo; // listening on a port, so not a path
  return {
    port: taken,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Listens on 127.0.0.1 and on ::1, on one port. */
export const startCanaries = async (): Promise<Listener> => {
  const answer: RequestListener = (_request, response) => response.end('inner secret');
  const four = await listen('127.0.0.1', answer);
  const six = await listen('::1', answer, four.port);
  return {
    ...four,
    connections: () => four.connections() + six.connections(),
    stop: async () => {
      await Promise.all([four.stop(), six.stop()]);
    },
  };
};
