// The listening socket and its time limits. It closes without failing any request.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

// Time limits in milliseconds. Keep-alive outlives the idle time of common load balancers (60 s), so that they close
// first. The checking interval keeps the limits honest; Node's default would stretch each by 30 s.
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1_024,
} as const;

/**
 * The time for which clients are told to reuse an idle connection (RFC 9112, section 9.3). Clients that honour it let
 * go of a connection before a draining server closes it; balancers keep their own time. Shorter than
 * `productionDrainMs`, because a request that meets the closing of its connection fails.
 */
const reuseSeconds = 4;

const productionDrainMs = 5_000;

/** The milliseconds for which a process serves on after it was told to leave. */
export const drainDelayOf = (env: {
  readonly DRAIN_DELAY_MS?: number | undefined;
  readonly NODE_ENV: string;
}): number => env.DRAIN_DELAY_MS ?? (env.NODE_ENV === 'production' ? productionDrainMs : 0);

/** The longest time of in-flight requests after the socket has closed. */
const closeLimitMs = 20_000;
/** A client that has just connected sends its request within this time. */
const newMs = 1_000;
/** The interval at which a closing server looks for idle connections. */
const lookEveryMs = 250;

export interface HttpServer {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
  /** Takes over all requests; until then they are answered 503. */
  serve(listener: RequestListener): void;
  /** From here on every answer asks its client to connect anew, somewhere else. */
  drain(): void;
  /** Stops accepting, lets requests in flight finish, cuts the remaining connections after 20 s. */
  close(): Promise<void>;
}

const notYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1' }).end();
};

const closeGently = (server: Server, connections: Connections): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), closeLimitMs);
    const closeIdle = (): void => {
      server.closeIdleConnections();
      connections.closeUnused();
    };
    const looks = setInterval(closeIdle, lookEveryMs);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(looks);
      resolve();
    });
    closeIdle();
  });

/** Knows the answers that are not out yet, so that they can still say that the connection ends with them. */
class Connections {
  readonly #inFlight = new Set<ServerResponse>();
  readonly #openedAt = new Map<Socket, number>();
  #isDraining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#openedAt.set(socket, performance.now());
      socket.once('close', () => this.#openedAt.delete(socket));
    });
  }

  /** Browsers and proxies open connections ahead of requests. Node counts those as busy, and would wait for a request. */
  closeUnused(): void {
    const now = performance.now();
    for (const [socket, openedAt] of this.#openedAt)
      if (socket.bytesRead === 0 && now - openedAt > newMs) socket.destroy();
  }

  follow(response: ServerResponse): void {
    if (this.#isDraining) {
      response.setHeader('Connection', 'close');
      return;
    }
    response.setHeader('Keep-Alive', `timeout=${reuseSeconds}`);
    this.#inFlight.add(response);
    response.once('close', () => this.#inFlight.delete(response));
  }

  drain(): void {
    this.#isDraining = true;
    for (const response of this.#inFlight) {
      if (response.headersSent) continue;
      response.removeHeader('Keep-Alive');
      response.setHeader('Connection', 'close');
    }
    this.#inFlight.clear();
  }
}

const addressOf = (server: Server): AddressInfo => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address;
};

/** Binds the port; the address is known when it resolves, before there is anything to serve. */
export const listen = async (host: string, port: number): Promise<HttpServer> => {
  let current = notYet;
  const server = createServer(limits, (request, response) => {
    connections.follow(response);
    current(request, response);
  });
  const connections = new Connections(server);
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
    drain: () => connections.drain(),
    close: () => {
      connections.drain();
      return closeGently(server, connections);
    },
  };
};
