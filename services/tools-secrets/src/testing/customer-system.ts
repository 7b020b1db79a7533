// A system of a customer, for tests of tools.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the customer's system received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** A customer's system. A test sets the answer of each path. */
export class CustomerSystem {
  readonly received: Received[] = [];
  readonly answers = new Map<string, RequestListener>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      void readBody(request).then((body) => {
        const { method = '', url = '', headers } = request;
        this.received.push({ method, url, headers, body });
        const answer = this.answers.get(path);
        if (answer) answer(request, response);
        else response.setHeader('content-type', 'application/json').end(JSON.stringify({ path, ok: true }));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  url(path: string): string {
    const { port } = this.#server.address() as AddressInfo; // listening on a port, so not a path
    return `http://127.0.0.1:${port}${path}`;
  }

  /** The requests that came to this path. */
  sentTo(path: string): Received[] {
    return this.received.filter(({ url }) => url.split('?', 1)[0] === path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
