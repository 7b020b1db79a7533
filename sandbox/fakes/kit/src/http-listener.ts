// Listening on HTTP and stopping again, as every stand-in does it.
import { createServer, type RequestListener } from 'node:http';

export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Cuts every connection, those that hang included. */
  stop(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that none is closed while a request is on its way to it. */
const keepAliveMs = 65_000;

/** Resolves when it listens; on a free port unless one is given. */
export const listen = async (
  app: RequestListener,
  {
    host = '127.0.0.1',
    port = 0,
  }: { readonly host?: string | undefined; readonly port?: number | undefined },
): Promise<Listening> => {
  const server = createServer({ keepAliveTimeout: keepAliveMs, headersTimeout: keepAliveMs + 1_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
