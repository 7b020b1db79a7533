// A system on the other side that keeps whatever it is sent, and leads away where it is asked to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningSystem {
  /** Its origin. */
  readonly url: string;
  /** Each request as text: address, headers and body. */
  readonly received: string[];
  /** Where `/redirect` leads. */
  redirectTo: string | undefined;
  stop(): Promise<void>;
}

export const startListeningSystem = async (): Promise<ListeningSystem> => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push(`${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks)}`);
    const { redirectTo: location } = system;
    if (request.url?.startsWith('/redirect') && location !== undefined)
      response.writeHead(request.method === 'GET' ? 302 : 307, { location }).end();
    else response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const system: ListeningSystem = {
    url: `http://127.0.0.1:${port}`,
    received,
    redirectTo: undefined,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return system;
};
