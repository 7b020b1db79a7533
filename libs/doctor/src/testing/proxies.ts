// Servers that stand in the way: one that answers nothing, and one that says another time.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

export interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

/** Takes connections and never says a word. */
export const startSilence = async (): Promise<Running> => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const port = await listening(server);
  return {
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Hands requests on, and moves the time in the answers. */
export const startOtherTime = async (upstream: string, aheadMs: number): Promise<Running> => {
  const server = createServer((asked, answer) => {
    const { host, ...headers } = asked.headers;
    const handedOn = request(
      new URL(asked.url ?? '/', upstream),
      { method: asked.method ?? 'GET', headers },
      (from) => {
        const date = new Date(Date.now() + aheadMs).toUTCString();
        answer.writeHead(from.statusCode ?? 502, { ...from.headers, date });
        from.pipe(answer);
      },
    );
    handedOn.on('error', () => answer.destroy());
    asked.pipe(handedOn);
  });
  const port = await listening(server);
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
