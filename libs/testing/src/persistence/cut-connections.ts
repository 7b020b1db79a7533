// A proxy to a TCP server. It cuts the connection at a chosen message of the client, like the death of the client.
import { connect, createServer, type Socket } from 'node:net';

export interface CutConnections {
  readonly port: number;
  /** Messages of clients since the last `cutAt`. */
  readonly messages: number;
  /** Breaks all connections off at this message, counted from 1: the server gets it, and no client gets an answer. */
  cutAt(message: number): void;
  /** Connections that are opened from now on get no answer; the open ones go on. */
  ignoreNew(): void;
  close(): Promise<void>;
}

/** Opens the way on loopback. */
export const cutConnections = async (target: {
  readonly host: string;
  readonly port: number;
}): Promise<CutConnections> => {
  const open = new Set<Socket>();
  let cut = 0;
  let messages = 0;
  let isIgnoring = false;
  const breakOff = (): void => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  const server = createServer((client) => {
    if (isIgnoring) {
      open.add(client.on('error', () => undefined));
      return;
    }
    const upstream = connect(target.port, target.host);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (bytes) => {
      messages += 1;
      upstream.write(bytes, messages === cut ? breakOff : undefined);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get messages() {
      return messages;
    },
    cutAt: (message) => {
      messages = 0;
      cut = message;
    },
    ignoreNew: () => {
      isIgnoring = true;
    },
    close: async () => {
      breakOff();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
