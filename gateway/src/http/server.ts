// The listening socket, its time limits, and how it closes without failing anybody's request.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// Time limits in milliseconds. Keep-alive outlives the idle time of common load balancers (60 s), so that they close
// first; the checking interval keeps the limits honest, Node's default would stretch each by 30 s.
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1_024,
} as const;

/** How long in-flight requests may take after the socket has closed. */
const closeLimitMs = 20_000;

export interface HttpServer {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
  /** Takes over all requests; until then they are answered 503. */
  serve(listener: RequestListener): void;
  /** Stops accepting, lets requests in flight finish, cuts what is left after 20 s. */
  close(): Promise<void>;
}

const notYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1' }).end();
};

const closeGently = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), closeLimitMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });

const addressOf = (server: Server): AddressInfo => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address;
};

/** Binds the port; the address is known when it resolves, before there is anything to serve. */
export const listen = async (host: string, port: number): Promise<HttpServer> => {
  let current = notYet;
  const server = createServer(limits, (request, response) => current(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${addressOf(server).port}`,
    serve: (listener) => {
      current = listener;
    },
    close: () => closeGently(server),
  };
};
