// A wire that can be cut: stands between the gateway and something it needs.
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Drops every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, on the same port. */
  mend(): Promise<void>;
  /** Keeps every connection, takes new ones, and carries nothing. */
  hush(): void;
  /** Carries the piled-up data, and all that follows. */
  carry(): void;
  stop(): Promise<void>;
}

export const startTcpProxy = async (host: string, port: number): Promise<TcpProxy> => {
  const sockets = new Map<Socket, Socket>();
  let hushed = false;
  const pipe = (from: Socket, to: Socket): void => {
    sockets.set(from, to);
    if (!hushed) from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(port, host);
    pipe(client, upstream);
    pipe(upstream, client);
  });
  const listen = (on: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(on, '127.0.0.1', () => resolve());
    });
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen on a port');
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const socket of sockets.keys()) socket.destroy();
    await closed;
  };
  return {
    port: address.port,
    cut,
    mend: () => listen(address.port),
    hush: () => {
      hushed = true;
      for (const [from, to] of sockets) from.unpipe(to);
    },
    carry: () => {
      hushed = false;
      for (const [from, to] of sockets) from.pipe(to);
    },
    stop: async () => {
      if (server.listening) await cut();
    },
  };
};
