// The listening socket and its time limits. It closes without failing any request.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { arrivalLimitMs, usualWaitLimitMs } from '@parlance/contracts';
import { Connections } from './connections.js';

// Time limits in milliseconds. Keep-alive outlives the idle time of common load balancers (60 s), so that they close
// first. The checking interval keeps the limits honest; Node's default would stretch each by 30 s.
const limits = {
  headersTimeout: 15_000,
  requestTimeout: arrivalLimitMs,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1_024,
} as const;

const productionDrainMs = 5_000;

/** The milliseconds for which a process serves on after it was told to leave. */
export const drainDelayOf = (env: {
  readonly DRAIN_DELAY_MS?: number | undefined;
  readonly NODE_ENV: string;
}): number => env.DRAIN_DELAY_MS ?? (env.NODE_ENV === 'production' ? productionDrainMs : 0);

/** The interval at which a closing server looks for idle connections. */
const lookEveryMs = 250;

export interface HttpServer {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
  /** Takes over all requests; until then they are answered 503. */
  serve(listener: RequestListener): void;
  /** From here on every answer asks its client to connect anew, somewhere else. */
  drain(): void;
  /** Stops accepting, lets requests in flight finish, cuts the remaining connections after `finishWithinMs`. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** The longest time of a request that is under way when the server closes, in milliseconds; a minute unless said. */
  readonly finishWithinMs?: number;
}

const usualFinishMs = arrivalLimitMs + usualWaitLimitMs;

const notYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1' }).end();
};

const closeGently = (server: Server, connections: Connections, finishWithinMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), finishWithinMs);
    const closeIdle = (): void => {
      server.closeIdleConnections();
      connections.closeUseless();
    };
    const looks = setInterval(closeIdle, lookEveryMs);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(looks);
      resolve();
    });
    closeIdle();
  });

const addressOf = (server: Server): AddressInfo => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address;
};

/** Binds the port; the address is known when it resolves, before there is anything to serve. */
export const listen = async (
  host: string,
  port: number,
  { finishWithinMs = usualFinishMs }: ListenOptions = {},
): Promise<HttpServer> => {
  let current = notYet;
  const server = createServer(limits, (request, response) => {
    connections.follow(request, response);
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
      return closeGently(server, connections, finishWithinMs);
    },
  };
};
